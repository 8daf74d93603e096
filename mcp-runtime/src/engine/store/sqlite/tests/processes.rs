//! Tests with several processes, some of which are killed.

use std::{
    collections::HashMap,
    env,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use super::{HOUR, Ledger as _, LedgerEntry, LedgerKey, LedgerVersion, SqliteStore, Swapped, TempLedger, load};

/// The variable that tells a child process the path of the file.
const FILE: &str = "MCP_TEST_LEDGER";

#[tokio::test]
async fn concurrent_processes_lose_no_update() {
    let temp = TempLedger::new();
    let counting: Vec<_> = (0..3).map(|_| start("counts_to_50", &temp)).collect();
    for mut child in counting {
        assert!(child.wait().unwrap().success());
    }
    let ledger = temp.ledger();
    let entry = load(&ledger, ledger.id().await.unwrap(), "count").await.unwrap().unwrap();
    assert_eq!(number(&entry), 150);
}

#[tokio::test]
async fn acknowledged_writes_survive_a_kill() {
    let temp = TempLedger::new();
    let mut reported = HashMap::new();
    let mut id = None;
    for round in 0..12 {
        let mut child = start("writes_until_it_is_killed", &temp);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Kill at a different moment each time.
        let enough = 20 + round * 7;
        let mut seen = 0;
        while let Some(Ok(line)) = lines.next() {
            // If the kill cut off the end of a line, its write does not count as acknowledged.
            if let Some((name, version)) = line.strip_suffix('.').and_then(|line| line.split_once(' ')) {
                reported.insert(name.to_owned(), LedgerVersion(version.parse().unwrap()));
                seen += 1;
            }
            if seen == enough {
                child.kill().unwrap();
            }
        }
        assert!(!child.wait().unwrap().success());
        let ledger = temp.ledger();
        let now = ledger.id().await.unwrap();
        assert_eq!(*id.get_or_insert(now), now);
        for (name, version) in &reported {
            let entry = load(&ledger, now, name).await.unwrap().unwrap_or_else(|| panic!("{name} is lost"));
            assert!(version.0 <= entry.version.0, "{name} of {version:?} went back to {:?}", entry.version);
        }
    }
    assert_eq!(temp.connection().query_one("PRAGMA integrity_check", [], |row| row.get(0)), Ok("ok".to_owned()));
}

/// If the test runs as root, its child process runs as another user, because root can write to every file.
#[cfg(unix)]
#[test]
fn rejects_a_read_only_file() {
    use std::{
        fs,
        os::unix::{fs::MetadataExt as _, fs::PermissionsExt as _, process::CommandExt as _},
    };
    const NOBODY: u32 = 65534;

    let temp = TempLedger::new();
    drop(temp.ledger());
    temp.wait_until_closed();
    let program = temp.0.join("program");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    let only_read = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for (file, words) in [
        (0o444, "cannot be written: make the file and its directory writable for this user"),
        (0o000, "it must be a file that this user can write, in a directory that this user can write"),
    ] {
        only_read(temp.path(), file);
        only_read(temp.0.clone(), 0o555);
        let mut command = child(&program, "prints_why_it_does_not_open", &temp);
        if fs::metadata(&temp.0).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(words), "{said}{}", String::from_utf8_lossy(&output.stderr));
        only_read(temp.0.clone(), 0o755);
    }
}

#[tokio::test]
#[ignore = "started by another test, as a process"]
async fn counts_to_50() {
    let ledger = given();
    let id = ledger.id().await.unwrap();
    let (mut done, mut entry) = (0, None);
    while done < 50 {
        let count = entry.as_ref().map_or(0, number) + 1;
        let seen = entry.as_ref().map(|entry: &LedgerEntry| entry.version);
        let value: Arc<[u8]> = Arc::new(count.to_le_bytes());
        match ledger.swap(LedgerKey::new(id, "count"), seen, Arc::clone(&value), HOUR, None).await.unwrap() {
            Swapped::Done(version) => {
                entry = Some(LedgerEntry { value, version });
                done += 1;
            }
            Swapped::Conflict(newer) => entry = newer,
            Swapped::TooLate => panic!("the swap has no deadline"),
        }
    }
}

#[tokio::test]
#[ignore = "started by another test, as a process"]
async fn writes_until_it_is_killed() {
    let ledger = given();
    let id = ledger.id().await.unwrap();
    for number in 0.. {
        let name = format!("call:{}", number % 50);
        let key = LedgerKey::new(id, &name);
        let seen = ledger.load(key).await.unwrap().map(|entry| entry.version);
        let value = vec![7; number * 37 % 5000];
        let Swapped::Done(version) = ledger.swap(key, seen, value.into(), HOUR, None).await.unwrap() else {
            panic!("no other process writes")
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{name} {}.", version.0).and_then(|()| out.flush()).unwrap();
    }
}

#[test]
#[ignore = "started by another test, as a process"]
fn prints_why_it_does_not_open() {
    let words = SqliteStore::open(env::var_os(FILE).unwrap()).unwrap_err().to_string();
    writeln!(std::io::stdout(), "{words}").unwrap();
}

fn start(test: &str, temp: &TempLedger) -> Child {
    child(&env::current_exe().unwrap(), test, temp).stdout(Stdio::piped()).spawn().unwrap()
}

fn child(program: &std::path::Path, test: &str, temp: &TempLedger) -> Command {
    let path = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
    let mut command = Command::new(program);
    command.args(["--ignored", "--exact", "--nocapture", &path]).env(FILE, temp.path());
    command
}

fn given() -> SqliteStore {
    SqliteStore::open(env::var_os(FILE).unwrap()).unwrap()
}

fn number(entry: &LedgerEntry) -> u64 {
    u64::from_le_bytes((*entry.value).try_into().unwrap())
}
