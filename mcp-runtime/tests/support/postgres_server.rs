//! A PostgreSQL server for a test.

use std::{
    env, fs,
    io::Write as _,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

/// The user `nobody`. PostgreSQL refuses to run as `root`.
const NOBODY: u32 = 65534;
/// A script that runs PostgreSQL until this process ends for any reason, and then removes the directory. A line on its
/// input stops PostgreSQL at once, as a crash would.
const UNTIL_THIS_ENDS: &str = r#"
directory=$1; shift
"$@" >> "$directory/log" 2>&1 &
echo $! > "$directory/pid"
if ! read -r _; then gone=yes; fi
kill -QUIT $!; wait
[ -z "$gone" ] || rm -rf "$directory"
"#;
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a directory of its own, which clients reach through a socket in that directory.
pub(crate) struct PostgresServer {
    directory: PathBuf,
    settings: Vec<String>,
    /// The environment variables that set the clock of the server.
    environment: Vec<(String, String)>,
    process: Mutex<Option<Child>>,
}

impl PostgresServer {
    /// Returns the server that most tests share. Each test uses a schema of its own.
    pub(crate) fn shared() -> Option<Arc<Self>> {
        static SHARED: LazyLock<Option<Arc<PostgresServer>>> =
            LazyLock::new(|| PostgresServer::start(&["-c", "fsync=off"]).map(Arc::new));
        SHARED.clone()
    }

    /// Starts a server. Returns `None` if PostgreSQL is not installed. Then the tests that need it are skipped, except
    /// in CI.
    pub(crate) fn start(settings: &[&str]) -> Option<Self> {
        Self::start_with(settings, Vec::new())
    }

    /// Starts a server with these environment variables.
    pub(crate) fn start_with(settings: &[&str], environment: Vec<(String, String)>) -> Option<Self> {
        let mut create = program("initdb")?;
        let server = Self::prepared(settings, environment);
        create.arg("--pgdata").arg(server.data()).args(["--username=mcp", "--auth=trust", "--no-sync"]);
        run(&mut create);
        server.start_again();
        Some(server)
    }

    /// Starts a replica of this server.
    pub(crate) fn start_replica(&self) -> Self {
        let replica = Self::prepared(&[], Vec::new());
        let mut copy = program("pg_basebackup").expect("it is installed");
        copy.arg("--pgdata").arg(replica.data()).args(["--username=mcp", "--write-recovery-conf", "--host"]);
        run(copy.arg(&self.directory).args(["--no-sync", "--checkpoint=fast"]));
        replica.start_again();
        replica
    }

    /// Makes this replica a primary.
    pub(crate) fn promote(&self) {
        assert_eq!(self.sql("SELECT pg_promote()"), "t");
    }

    fn prepared(settings: &[&str], environment: Vec<(String, String)>) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("mcp-postgres-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let directory = env::temp_dir().join(name);
        fs::create_dir(&directory).unwrap();
        if is_root() {
            std::os::unix::fs::chown(&directory, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        Self { directory, settings, environment, process: Mutex::default() }
    }

    pub(crate) fn start_again(&self) {
        let mut process = self.process.lock().unwrap();
        assert!(process.is_none(), "it runs");
        let postgres = program("postgres").expect("it is installed");
        let mut command = as_nobody(Command::new("sh"));
        command.args(["-c", UNTIL_THIS_ENDS, "sh"]).arg(&self.directory).arg(postgres.get_program());
        command.arg("-D").arg(self.data()).arg("-k").arg(&self.directory).args(["-h", ""]).args(&self.settings);
        *process = Some(command.envs(self.environment.clone()).stdin(Stdio::piped()).spawn().unwrap());
        let patience = Instant::now() + PATIENCE;
        while psql(&self.url(), &["-c", "SELECT 1"]).is_err() {
            assert!(Instant::now() < patience, "{}", fs::read_to_string(self.directory.join("log")).unwrap());
            sleep(Duration::from_millis(20));
        }
    }

    /// Stops the server at once, as a crash would.
    pub(crate) fn kill(&self) {
        let mut process = self.process.lock().unwrap().take().expect("it runs");
        process.stdin.take().unwrap().write_all(b"kill\n").unwrap();
        process.wait().unwrap();
    }

    /// Returns the address of the first schema.
    pub(crate) fn url(&self) -> String {
        format!("host={} user=mcp dbname=postgres", self.directory.display())
    }

    /// Creates an unused schema, and returns its address.
    pub(crate) fn schema(&self) -> String {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.sql(&format!("CREATE SCHEMA {name}"));
        format!("{} options=-csearch_path={name}", self.url())
    }

    /// Runs a statement in the first schema, and returns its output.
    pub(crate) fn sql(&self, sql: &str) -> String {
        sql_at(&self.url(), sql)
    }

    /// Runs a script with `psql`, in the first schema.
    pub(crate) fn script(&self, script: &str) -> Result<String, String> {
        let path = self.directory.join("script.sql");
        fs::write(&path, script).unwrap();
        psql(&self.url(), &["-f", path.to_str().unwrap()])
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    /// Stops all processes of the server with their connections open.
    pub(crate) fn stall(&self) {
        self.signal("STOP");
    }

    pub(crate) fn wake(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = fs::read_to_string(self.directory.join("pid")).unwrap();
        let children = Command::new("pgrep").args(["-P", pid.trim()]).output().unwrap().stdout;
        let children = String::from_utf8(children).unwrap();
        for pid in children.split_whitespace().chain([pid.trim()]) {
            // A child may have ended meanwhile.
            let _ = Command::new("kill").arg(format!("-{signal}")).arg(pid).stderr(Stdio::null()).status();
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Ok(Some(process)) = self.process.get_mut() {
            drop(process.stdin.take());
            drop(process.wait());
        }
        drop(fs::remove_dir_all(&self.directory));
    }
}

/// Runs a statement in the schema with this address, and returns its output.
pub(crate) fn sql_at(url: &str, sql: &str) -> String {
    psql(url, &["-c", sql]).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn psql(url: &str, arguments: &[&str]) -> Result<String, String> {
    let mut psql = program("psql").expect("it is installed");
    psql.args(["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", url]).args(arguments);
    let output = psql.output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Returns a program of PostgreSQL. Debian keeps the programs of each version in a folder of their own.
pub(crate) fn program(name: &str) -> Option<Command> {
    static FOLDER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let mut folders: Vec<_> = versions.map(|version| version.path().join("bin")).collect();
        folders.sort();
        folders.insert(0, PathBuf::new());
        let has = |folder: &PathBuf| Command::new(folder.join("postgres")).arg("--version").output().is_ok();
        let found = folders.into_iter().rfind(has);
        assert!(found.is_some() || env::var_os("CI").is_none_or(|ci| ci != "true"), "PostgreSQL is not installed");
        if found.is_none() {
            // Not with a macro, because the test harness captures its output.
            let words = "SKIPPED: all tests with PostgreSQL, for `postgres` is not installed\n";
            std::io::stderr().write_all(words.as_bytes()).unwrap();
        }
        found
    });
    Some(as_nobody(Command::new(FOLDER.as_ref()?.join(name))))
}

fn as_nobody(mut command: Command) -> Command {
    command.current_dir("/").stdin(Stdio::null());
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
