//! Tests with a PostgreSQL server of their own.

use std::{
    env, fs,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::PostgresRunStore;
use crate::{
    random,
    runs::{RunFilter, RunInsertion, RunLimits, RunQuota, RunRecord, RunStore as _, contract::run_store_contract},
};

/// The user `nobody`. PostgreSQL refuses to run as `root`.
const NOBODY: u32 = 65534;

/// A server in a temporary folder, which clients reach through a socket in that folder.
struct Postgres {
    folder: PathBuf,
    process: Child,
}

impl Postgres {
    fn start() -> Self {
        let folder = env::temp_dir().join(format!("mcp-postgres-{}", random::hex()));
        fs::create_dir_all(&folder).unwrap();
        if is_root() {
            std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let data = folder.join("data");
        let created = program("initdb").arg("--pgdata").arg(&data).args(["--username=runs", "--no-sync"]).output();
        let created = created.expect("`initdb` runs");
        assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
        let process = Self::serve(&folder);
        Self { folder, process }
    }

    fn serve(folder: &Path) -> Child {
        let mut server = program("postgres");
        server.arg("-D").arg(folder.join("data")).arg("-k").arg(folder).args(["-h", "", "-F"]);
        let process = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (socket, start) = (folder.join(".s.PGSQL.5432"), Instant::now());
        while std::os::unix::net::UnixStream::connect(&socket).is_err() {
            assert!(start.elapsed() < Duration::from_secs(30), "PostgreSQL does not start");
            thread::sleep(Duration::from_millis(20));
        }
        process
    }

    fn restart(&mut self) {
        self.stop();
        self.process = Self::serve(&self.folder);
    }

    /// Stops the server at once, like a crash.
    fn stop(&mut self) {
        let quit = Command::new("kill").arg("-QUIT").arg(self.process.id().to_string()).status();
        assert!(quit.is_ok_and(|status| status.success()));
        self.process.wait().unwrap();
    }

    fn url(&self) -> String {
        format!("host={} user=runs dbname=postgres", self.folder.display())
    }

    /// Connects. A server that has just started refuses connections for a moment.
    async fn connect(&self) -> PostgresRunStore {
        let start = Instant::now();
        loop {
            match PostgresRunStore::connect(&self.url()).await {
                Ok(store) => return store,
                Err(error) => assert!(start.elapsed() < Duration::from_secs(30), "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg("-QUIT").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// Returns a program of PostgreSQL. Debian keeps the programs of each version in a folder of their own.
fn program(name: &str) -> Command {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut paths: Vec<_> = versions.map(|version| version.path().join("bin").join(name)).collect();
    paths.sort();
    let path = paths.into_iter().rfind(|path| path.exists()).unwrap_or_else(|| PathBuf::from(name));
    let found = Command::new(&path).arg("--version").output().is_ok();
    assert!(found, "`{name}` is not installed; Debian: `apt-get install postgresql`");
    let mut command = Command::new(path);
    command.current_dir("/").stdin(Stdio::null());
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_store_follows_the_rules() {
    let server = Postgres::start();
    run_store_contract(async || server.connect().await).await;
}

#[tokio::test]
async fn the_store_connects_again_after_the_server_has_crashed() {
    let mut server = Postgres::start();
    let store = server.connect().await;
    let run = RunRecord::new("tool", "sort", Some("ann"), "instance", 1);
    let one = RunQuota { runs: 1, bytes: run.bytes };
    let inserted = store.insert(&run, RunLimits { per_owner: one, total: one }).await.unwrap();
    assert_eq!(inserted, RunInsertion::Stored);
    server.restart();
    let start = Instant::now();
    let found = loop {
        match store.load(&run.id).await {
            Ok(found) => break found,
            Err(error) => assert!(start.elapsed() < Duration::from_secs(30), "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(found, Some(run));
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_at_the_same_time_create_the_tables_once() {
    let server = Postgres::start();
    drop(server.connect().await);
    let schema = format!("{} options=-csearch_path=fresh", server.url());
    let client = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await;
    let (client, connection) = client.unwrap();
    tokio::spawn(connection);
    client.batch_execute("CREATE SCHEMA fresh").await.unwrap();
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let url = schema.clone();
            tokio::spawn(async move { PostgresRunStore::connect(&url).await.map(drop) })
        })
        .collect();
    for start in starts {
        start.await.unwrap().unwrap();
    }
    let store = PostgresRunStore::connect(&schema).await.unwrap();
    let all = RunFilter { limit: 10, ..RunFilter::default() };
    assert_eq!(store.list(&all).await.unwrap(), [], "the schema has tables of its own");
}

#[tokio::test]
async fn a_table_of_an_earlier_version_gets_the_bytes_of_its_records() {
    let server = Postgres::start();
    drop(server.connect().await);
    let (client, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let earlier = "ALTER TABLE mcp_run DROP COLUMN bytes; INSERT INTO mcp_run VALUES \
                   ('id', 'tool', 'sort', 'ann', 'completed', 'instance', 1, 2, 3, '{\"outputs\":\"ä\"}')";
    client.batch_execute(earlier).await.unwrap();
    for _ in 0..2 {
        let run = server.connect().await.load("id").await.unwrap().unwrap();
        assert_eq!((run.bytes, run.stored_bytes()), (1043, 1043));
    }
}

#[tokio::test]
async fn errors_say_what_to_do_and_hide_the_password() {
    let no_server = PostgresRunStore::connect("postgres://ann:hunter2@127.0.0.1:1/app").await.unwrap_err().to_string();
    assert!(no_server.contains("PostgreSQL at `127.0.0.1`, database `app`: "), "{no_server}");
    assert!(no_server.ends_with("check that the database runs and can be reached"), "{no_server}");
    let no_url = PostgresRunStore::connect("postgres://ann:hunter2@[x").await.unwrap_err().to_string();
    assert!(no_url.ends_with("the URL is not valid; write `postgres://user:password@host/database`"), "{no_url}");
    let server = Postgres::start();
    drop(server.connect().await);
    let no_database = format!("host={} user=runs dbname=none", server.folder.display());
    let no_database = PostgresRunStore::connect(&no_database).await.unwrap_err().to_string();
    assert!(no_database.ends_with("create the database first"), "{no_database}");
    for text in [no_server, no_url, no_database] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[cfg(feature = "actions")]
mod instances {
    use serde_json::{Value, json};

    use super::*;
    use crate::{actions::Actions, prelude::*, runs::Runs};

    const HEARTBEAT: Duration = Duration::from_millis(400);

    struct Jobs;

    /// Works.
    #[mcp_actions]
    impl Jobs {
        /// Waits for a long time, unless it is told not to.
        #[action(run)]
        async fn work(&self, is_short: Option<bool>) -> &'static str {
            if is_short != Some(true) {
                tokio::time::sleep(Duration::from_secs(3600)).await;
            }
            "done"
        }
    }

    async fn call(jobs: &Actions, action: &str, params: Value) -> Value {
        let answer = jobs.handle(json!({ "action": action, "params": params })).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    async fn instance(server: &Postgres) -> Actions {
        Jobs.into_actions().runs(Runs::new(server.connect().await).heartbeat(HEARTBEAT))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_runs_of_a_killed_instance_are_interrupted_within_two_heartbeats() {
        let server = Postgres::start();
        let second = instance(&server).await;
        assert_eq!(call(&second, "runs", json!({})).await, json!({ "runs": [] }));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let first = runtime.spawn({
            let url = server.url();
            async move {
                let store = PostgresRunStore::connect(&url).await.unwrap();
                Jobs.into_actions().runs(Runs::new(store).heartbeat(HEARTBEAT))
            }
        });
        let first = first.await.unwrap();
        let started = runtime.spawn(async move { call(&first, "work", json!({})).await["run_id"].clone() });
        let run_id = started.await.unwrap();
        let ended = call(&second, "work", json!({ "is_short": true, "wait": true })).await;
        // Longer than an instance may be silent.
        tokio::time::sleep(3 * HEARTBEAT).await;
        let runs = call(&second, "runs", json!({})).await["runs"].clone();
        let statuses: Vec<_> = runs.as_array().unwrap().iter().map(|run| (&run["run_id"], &run["status"])).collect();
        assert_eq!(statuses, [(&ended["run_id"], &json!("completed")), (&run_id, &json!("working"))]);

        runtime.shutdown_background();
        let killed = Instant::now();
        while call(&second, "status", json!({ "run_id": run_id })).await["status"] != "interrupted" {
            assert!(killed.elapsed() < 10 * HEARTBEAT, "the run is not interrupted");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // Two heartbeats, and room for a slow machine.
        assert!(killed.elapsed() < 3 * HEARTBEAT, "{:?}", killed.elapsed());
        let restarted = call(&second, "restart", json!({ "run_id": run_id })).await;
        assert_eq!((&restarted["status"], &restarted["restarted_from"]), (&json!("working"), &run_id));
    }
}
