//! Processes that do not behave.

use std::{env, fs, path::PathBuf, process, sync::mpsc};

use serde_json::json;
use tokio::{task::spawn_blocking, time};

use super::{program::RemoteProgram, *};
use crate::serve::remote::transport::MAX_MESSAGE;

const LONG: Duration = Duration::from_secs(20);

fn shell(script: &str) -> RemoteProgram {
    let mut command = process::Command::new("/bin/sh");
    command.arg("-c").arg(script);
    RemoteProgram::from(&command)
}

async fn received(process: &mut Process) -> Result<String, ReceiveError> {
    timeout(LONG, process.receive()).await.unwrap().map(|message| message.text)
}

/// Stops the clock of the runtime while `future` runs, so that a process on a busy machine has the time that it needs. A
/// process that takes longer than `LONG` sees the limits pass after all.
async fn without_limits<T>(future: impl Future<Output = T>) -> T {
    // The paused clock does not advance while a blocking task runs.
    time::pause();
    let (done, waiting) = mpsc::channel::<()>();
    let held = spawn_blocking(move || waiting.recv_timeout(LONG));
    let output = future.await;
    drop(done);
    let _ = held.await;
    time::resume();
    output
}

/// Returns the name of a file that does not exist.
fn new_file(name: &str) -> PathBuf {
    let path = env::temp_dir().join(format!("mcp-process-{}-{name}", process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[tokio::test]
async fn a_line_above_the_limit_ends_the_connection() {
    let program = shell("echo 1; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo 2; cat");
    let mut process = program.start(1_000_000).unwrap();
    assert_eq!(received(&mut process).await.unwrap(), "1");
    let error = received(&mut process).await.unwrap_err();
    assert_eq!(error, TransferError::TooLong { limit: 1_000_000 }.into());
    assert!(error.to_string().contains("more than 1000000 bytes"), "{error}");
}

#[tokio::test]
async fn messages_are_sent_while_the_process_writes_and_does_not_read() {
    // The pipes of both directions fill up.
    let mut process = shell("head -c 1000000 /dev/zero | tr '\\0' '\\n'; echo ready; cat").start(MAX_MESSAGE).unwrap();
    let message = json!("x".repeat(500_000)).to_string();
    for _ in 0..4 {
        timeout(LONG, process.send(&message)).await.unwrap().unwrap();
    }
    assert_eq!(received(&mut process).await.unwrap(), "ready");
    for _ in 0..4 {
        assert!(received(&mut process).await.unwrap() == message);
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_never_reads_gets_no_more_than_the_queue_holds() {
    let mut process = shell("sleep 1000").start(MAX_MESSAGE).unwrap();
    let message = "x".repeat(1_000_000);
    let mut sent = 0;
    let error = loop {
        match process.send(&message).await {
            Ok(()) => sent += 1,
            Err(error) => break error,
        }
    };
    assert!((3..10).contains(&sent), "{sent}");
    let TransferError::Unreachable(why) = error else { panic!("{error:?}") };
    assert_eq!(why, "the process of the server has not read its standard input for 30 s");
    drop(process.kill().await);
}

#[tokio::test]
async fn the_process_gets_only_its_own_variables_and_harmless_ones() {
    let mut command = process::Command::new("/bin/sh");
    command
        .args(["-c", "env | cut -d = -f 1; pwd; echo $TOKEN"])
        .env("TOKEN", "s3cr3t")
        .env_remove("HOME")
        .current_dir("/");
    let program = RemoteProgram::from(&command);
    assert!(!format!("{program:?}").contains("s3cr3t"));
    // Cargo sets it, and nothing passes it on.
    assert!(env::var_os("CARGO_MANIFEST_DIR").is_some());
    for _ in 0..2 {
        let mut process = program.start(MAX_MESSAGE).unwrap();
        let mut lines = Vec::new();
        while let Ok(line) = received(&mut process).await {
            lines.push(line);
        }
        let names = |name: &str| lines.iter().any(|line| line == name);
        assert!(names("TOKEN") && names("PATH") && names("/") && names("s3cr3t"), "{lines:?}");
        assert!(!names("HOME") && !lines.iter().any(|line| line.starts_with("CARGO")), "{lines:?}");
    }
}

#[tokio::test]
async fn a_dropped_process_can_finish() {
    let path = new_file("finished");
    let mut process = shell(&format!("echo 1; cat; echo > {}", path.display())).start(MAX_MESSAGE).unwrap();
    assert_eq!(received(&mut process).await.unwrap(), "1");
    drop(process);
    let finished = path.clone();
    let wait = move || {
        let until = Instant::now() + LONG;
        while !finished.exists() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    };
    without_limits(spawn_blocking(wait)).await.unwrap();
    fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn a_process_that_ignores_its_end_is_killed_without_blocking_the_thread() {
    let mut process = shell("echo $$; exec sleep 1000").start(MAX_MESSAGE).unwrap();
    let id = received(&mut process).await.unwrap();
    let is_running = || {
        let mut shell = process::Command::new("/bin/sh");
        shell.arg("-c").arg(format!("kill -0 {id}")).stderr(Stdio::null()).status().unwrap().success()
    };
    drop(process);
    // A drop that waits for the end returns when the process is gone.
    assert!(is_running());
    let until = Instant::now() + LONG;
    while is_running() && Instant::now() < until {
        time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!is_running());
}

#[tokio::test]
async fn closing_waits_for_the_end() {
    let path = new_file("closed");
    let mut process = shell(&format!("echo 1; cat; sleep 0.1; echo > {}", path.display())).start(MAX_MESSAGE).unwrap();
    assert_eq!(received(&mut process).await.unwrap(), "1");
    without_limits(process.close()).await;
    fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn the_end_of_a_process_is_reported_with_its_status() {
    let mut process = shell("echo problem >&2; exit 3").start(MAX_MESSAGE).unwrap();
    let error = without_limits(process.receive()).await.unwrap_err();
    assert_eq!(error.to_string(), "the process of the server has ended: exit status: 3");
    assert_eq!(process.errors_so_far(), "problem\n");
    let missing = process::Command::new("/no/such/program");
    let Err(error) = RemoteProgram::from(&missing).start(MAX_MESSAGE) else { panic!("there is no program") };
    assert!(matches!(error, TransferError::Unreachable(_)) && error.to_string().contains("/no/such/program"));
}
