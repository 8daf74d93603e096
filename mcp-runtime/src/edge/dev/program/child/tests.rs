//! Tests with real processes.

use super::*;

#[test]
fn an_error_or_a_panic_explains_the_end() {
    assert_eq!(explanation("hello\nerror: the server cannot be built\n"), "the server cannot be built");
    let panic =
        "hello\n\nthread 'main' (7) panicked at src/main.rs:2:5:\nno sugar\nnote: run with `RUST_BACKTRACE=1`\n";
    assert_eq!(explanation(panic), "thread 'main' (7) panicked at src/main.rs:2:5:\nno sugar");
    assert_eq!(explanation("hello\n"), "");
}

#[cfg(unix)]
fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdout(Stdio::piped());
    command
}

#[cfg(unix)]
#[tokio::test]
async fn a_process_that_does_not_end_by_itself_is_killed() {
    let (child, _output) = ChildProcess::start(&mut shell("echo error: x >&2; sleep 60"), |_, _| {}).unwrap();
    child.end();
    let end = timeout(Duration::from_secs(30), child.ended()).await.unwrap();
    assert!(end.is_wanted && end.reason.contains("signal: 9"), "{end:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn closing_standard_input_ends_a_process() {
    let (child, _output) = ChildProcess::start(&mut shell("cat; exit 3"), |_, _| {}).unwrap();
    child.write("hello").await;
    child.end();
    let end = timeout(Duration::from_secs(30), child.ended()).await.unwrap();
    assert_eq!((end.is_wanted, &*end.reason), (true, "exit status: 3"));
}

#[cfg(unix)]
#[tokio::test]
async fn the_processes_of_a_killed_process_end_with_it() {
    let script = "sleep 60 & echo $! >&2; wait";
    let (sent, mut got) = tokio::sync::mpsc::unbounded_channel();
    let heard = move |_, report| {
        if let Reported::Output { line } = report {
            let _ = sent.send(line);
        }
    };
    let (child, _output) = ChildProcess::start(&mut shell(script), heard).unwrap();
    let grandchild = got.recv().await.unwrap();
    child.kill();
    child.ended().await;
    let exists = || std::process::Command::new("kill").args(["-0", &grandchild]).stderr(Stdio::null()).status();
    for _ in 0..100 {
        if !exists().unwrap().success() {
            return;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("the process {grandchild} still runs");
}
