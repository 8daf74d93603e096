//! A Redis server for a test.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

use crate::support::directory::Directory;

/// A script that runs Redis until this process ends for any reason, and then removes the directory of Redis.
const UNTIL_THIS_ENDS: &str = r#"
directory=$1; shift
redis-server "$@" > "$directory/log" 2>&1 &
echo $! > "$directory/pid"
if ! read -r _; then gone=yes; fi
kill -KILL $!; wait
[ -z "$gone" ] || rm -rf "$directory"
"#;

pub(crate) struct RedisServer {
    directory: Directory,
    settings: Vec<String>,
    /// The environment variables that set the clock of the server.
    environment: Vec<(String, String)>,
    process: Mutex<Option<Child>>,
}

/// Returns the server that most tests share. Each test uses different keys.
pub(crate) fn shared() -> Option<Arc<RedisServer>> {
    static SHARED: LazyLock<Option<Arc<RedisServer>>> =
        LazyLock::new(|| RedisServer::start(&["--save", ""]).map(Arc::new));
    SHARED.clone()
}

/// Returns an unused prefix of keys.
pub(crate) fn prefix() -> String {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    format!("test-{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl RedisServer {
    /// Starts a server that writes everything to a file before it answers.
    pub(crate) fn durable() -> Option<Self> {
        Self::start(&["--save", "", "--appendonly", "yes", "--appendfsync", "always"])
    }

    /// Starts a server. Returns `None` if Redis is not installed. Then the tests that need Redis are skipped, except in
    /// CI.
    pub(crate) fn start(settings: &[&str]) -> Option<Self> {
        Self::start_with(settings, Vec::new())
    }

    /// Starts a server with these environment variables.
    pub(crate) fn start_with(settings: &[&str], environment: Vec<(String, String)>) -> Option<Self> {
        static INSTALLED: LazyLock<bool> = LazyLock::new(|| {
            let version = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status();
            let installed = version.is_ok_and(|status| status.success());
            assert!(installed || env::var_os("CI").is_none_or(|ci| ci != "true"), "`redis-server` is not installed");
            if !installed {
                // Not with a macro, because the test harness captures its output.
                let words = "SKIPPED: all tests with Redis, for `redis-server` is not installed\n";
                std::io::stderr().write_all(words.as_bytes()).unwrap();
            }
            installed
        });
        if !*INSTALLED {
            return None;
        }
        let directory = Directory::new("redis");
        let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        let server = Self { directory, settings, environment, process: Mutex::default() };
        server.start_again();
        Some(server)
    }

    pub(crate) fn start_again(&self) {
        let mut process = self.process.lock().unwrap();
        assert!(process.is_none(), "it runs");
        let mut command = Command::new("sh");
        command.args(["-c", UNTIL_THIS_ENDS, "sh"]).arg(self.directory.path());
        command.args(["--port", "0", "--unixsocket"]).arg(self.socket()).arg("--dir").arg(self.directory.path());
        command.args(&self.settings).envs(self.environment.clone()).stdin(Stdio::piped());
        *process = Some(command.spawn().unwrap());
        let patience = Instant::now() + Duration::from_secs(10);
        while !self.is_ready() {
            assert!(Instant::now() < patience, "{}", fs::read_to_string(self.directory.path().join("log")).unwrap());
            sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("unix://{}", self.socket().display())
    }

    fn socket(&self) -> PathBuf {
        self.directory.path().join("socket")
    }

    /// Kills the server, as a power failure would, except for writes that the system still holds.
    pub(crate) fn kill(&self) {
        let mut process = self.process.lock().unwrap().take().expect("it runs");
        process.stdin.take().unwrap().write_all(b"kill\n").unwrap();
        process.wait().unwrap();
    }

    /// Stops the server with all connections open.
    pub(crate) fn stall(&self) {
        self.signal("STOP");
    }

    pub(crate) fn wake(&self) {
        self.signal("CONT");
    }

    pub(crate) fn empty(&self) {
        assert_eq!(self.command("FLUSHALL"), "+OK");
    }

    /// Sends a command whose words contain no spaces. If the reply is a bulk string, returns its text. Otherwise,
    /// returns the first line of the reply.
    pub(crate) fn command(&self, command: &str) -> String {
        let mut connection = UnixStream::connect(self.socket()).unwrap();
        connection.write_all(format!("{command}\r\n").as_bytes()).unwrap();
        let mut reader = BufReader::new(connection);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim_end();
        let Some(length) = line.strip_prefix('$').and_then(|length| length.parse().ok()) else {
            return line.to_owned();
        };
        let mut text = vec![0; length];
        reader.read_exact(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// Sends a command, and returns this many lines of the reply.
    pub(crate) fn command_lines(&self, command: &str, count: usize) -> Vec<String> {
        let mut connection = UnixStream::connect(self.socket()).unwrap();
        connection.write_all(format!("{command}\r\n").as_bytes()).unwrap();
        BufReader::new(connection).lines().take(count).map(Result::unwrap).collect()
    }

    /// Returns a number from `INFO`.
    pub(crate) fn info(&self, name: &str) -> u64 {
        let info = self.command("INFO everything");
        let value = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        value.unwrap_or_else(|| panic!("no `{name}`: {info}")).parse().unwrap()
    }

    /// Returns how often each command was called, also by scripts.
    pub(crate) fn calls(&self) -> BTreeMap<String, u64> {
        let info = self.command("INFO commandstats");
        let calls = info.lines().filter_map(|line| {
            let (name, values) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
            Some((name.to_owned(), values.split(',').next()?.parse().ok()?))
        });
        calls.collect()
    }

    /// Returns all keys, sorted.
    pub(crate) fn keys(&self) -> Vec<String> {
        let count: usize = self.command("DBSIZE")[1..].parse().unwrap();
        let keys = self.command(r#"EVAL "return table.concat(redis.call('KEYS', '*'), '\\n')" 0"#);
        let mut keys: Vec<_> = keys.lines().map(str::to_owned).collect();
        assert_eq!(keys.len(), count);
        keys.sort();
        keys
    }

    fn signal(&self, signal: &str) {
        let pid = fs::read_to_string(self.directory.path().join("pid")).unwrap();
        assert!(Command::new("kill").arg(format!("-{signal}")).arg(pid.trim()).status().unwrap().success());
    }

    fn is_ready(&self) -> bool {
        UnixStream::connect(self.socket()).is_ok() && {
            let pong = self.command("PING");
            pong == "+PONG" || pong.starts_with("-NOAUTH")
        }
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        if let Ok(Some(process)) = self.process.get_mut() {
            drop(process.stdin.take());
            drop(process.wait());
        }
    }
}
