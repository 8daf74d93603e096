//! Runs the scripted client of the testing kit against the program, over its standard streams and over HTTP.

use std::{process::Command, time::Duration};

use mcp_runtime::{
    Revision,
    testing::{Client, Fault, Outcome, Reply},
};
use serde_json::json;

use crate::cli::{
    forms::{Confirm, Name},
    http::Server,
    program::program,
};

const WITH_FORMS: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

/// Returns a client of the program over its standard streams, and a client of the program over HTTP.
fn clients(server: &Server, revision: Revision) -> [Client; 2] {
    [Client::process(stdio()).revision(revision), Client::url(&server.url()).revision(revision)]
}

fn stdio() -> Command {
    let mut command = program("cli_server");
    command.arg("stdio");
    command
}

/// Returns the text of the panic of a script that does not fit.
async fn panic_of(test: impl Future<Output = Outcome> + Send + 'static) -> String {
    let panic = tokio::spawn(test).await.unwrap_err().into_panic();
    *panic.downcast::<String>().expect("a panic has a text")
}

#[tokio::test]
async fn one_script_fits_a_process_and_a_url_in_every_revision() {
    let server = Server::start(&[]);
    for revision in Revision::ALL {
        for mut client in clients(&server, revision) {
            let said = client.call("say", json!({ "text": "ab", "times": 2 })).await;
            assert_eq!(said.text(), "ab\nab", "{revision}");
            let counted = client.call("count", json!({ "to": 6 })).await;
            assert_eq!(counted.text(), "counted to 6");
            let logs: Vec<_> = counted.logs().iter().map(|log| &log.data).collect();
            assert_eq!(logs, ["about to count", "5 ends in five"]);
            assert_eq!(counted.progress().last().unwrap().progress, 6.0);
            let here = client.call("folder", ()).roots(["file:///here"]).await;
            assert_eq!(here.text(), "file:///here");
            let replied = client.call("picture", ()).sampled("A cat.").await;
            assert_eq!(replied.text(), "A cat.");
            assert!(replied.asked()[0].message().starts_with("What is"));
            assert!(client.call("nonsense", ()).await.is_error());
            assert!(client.tools().await.iter().any(|tool| tool["name"] == "say"));
        }
    }
    for revision in WITH_FORMS {
        for mut client in clients(&server, revision) {
            let name = |name: &str| Name { name: name.to_owned() };
            let pair = client.call("pair", ()).accept(name("Ann")).accept(name("Bob")).accept(Confirm { sure: true });
            let pair = pair.await;
            assert_eq!(pair.text(), "Ann and Bob: true");
            let asked: Vec<_> = pair.asked().iter().map(|question| question.message()).collect();
            assert_eq!(asked, ["Who are you?", "Who comes with you?", "Is that right?"]);
            assert_eq!(pair.rounds(), if revision.is_modern() { 3 } else { 1 });
            assert_eq!(client.call("wipe", ()).decline().await.text(), "declined");
        }
    }
}

#[tokio::test]
async fn replies_by_key_if_the_protocol_transmits_it() {
    let server = Server::start(&[]);
    for mut client in clients(&server, Revision::V2026_07_28) {
        let second = Reply::accept(Name { name: "Bob".to_owned() });
        let first = Reply::accept(Name { name: "Ann".to_owned() });
        let pair = client.call("pair", ()).reply_to("name#2", second).reply_to("name", first);
        assert_eq!(pair.accept(Confirm { sure: false }).await.text(), "Ann and Bob: false");
    }
}

#[tokio::test]
async fn troubles_happen_to_a_process_and_a_url() {
    let server = Server::start(&[]);
    for trouble in [Fault::RepliesLost, Fault::RequestsDoubled, Fault::SpentStates, Fault::TamperedStates] {
        for client in clients(&server, Revision::V2026_07_28) {
            let mut client = client.fault(trouble);
            let wiped = client.call("wipe", ()).accept(Confirm { sure: true }).await;
            assert_eq!(wiped.text(), "Confirm { sure: true }", "{trouble:?}");
        }
    }
    let mut client = Client::url(&server.url()).fault(Fault::Restarts);
    let text = panic_of(async move { client.call("wipe", ()).accept(Confirm { sure: true }).await }).await;
    assert!(text.contains(": a client cannot restart the server behind a URL; use `Client::process`"), "{text}");
}

#[tokio::test]
async fn cancels_a_call_over_every_transport() {
    let server = Server::start(&[]);
    for revision in Revision::ALL {
        for mut client in clients(&server, revision) {
            let long = json!({ "to": 100_000, "pause_ms": 1 });
            let cancelled = client.call("count", long.clone()).cancel_on_progress().await;
            assert!(cancelled.is_cancelled() && cancelled.is_error(), "{revision}");
            assert_eq!((cancelled.progress().len(), cancelled.error()), (1, None));
            let logged = client.call("count", long.clone()).cancel_on_log().await;
            assert_eq!((logged.logs().len(), logged.is_cancelled()), (1, true));
            let late = client.call("count", long).cancel_after(Duration::from_millis(50)).await;
            assert!(late.is_cancelled(), "{revision}");
            // The connection still works.
            assert_eq!(client.call("say", json!({ "text": "a" })).await.text(), "a");
        }
    }
    for revision in WITH_FORMS {
        for mut client in clients(&server, revision) {
            let cancelled = client.call("wipe", ()).cancel_call().await;
            assert_eq!((cancelled.is_cancelled(), cancelled.asked().len()), (true, 1));
            assert_eq!(client.call("wipe", ()).decline().await.text(), "declined");
        }
    }
}

#[tokio::test]
async fn a_script_that_does_not_fit_shows_the_standard_error_of_the_process() {
    let mut client = Client::process(stdio());
    let line = line!() + 1;
    let text = panic_of(async move { client.call("fall", ()).decline().await }).await;
    let lead = format!("the script does not fit the call of `fall` (tests/cli/clients.rs:{line}:");
    assert!(text.starts_with(&lead), "{text}");
    let (said, errors) = text.split_once("\nstandard error of the server:\n").unwrap();
    assert!(said.contains("\n\nmessages:\n→ {") && said.contains("the tool `fall` panicked"), "{said}");
    assert!(errors.contains("fell"), "{errors}");
}

#[tokio::test]
async fn reports_how_a_process_ended() {
    let mut command = program("cli_server");
    command.arg("nonsense");
    let mut client = Client::process(command);
    let text = panic_of(async move { client.call("say", json!({ "text": "a" })).await }).await;
    assert!(text.contains("failed: the process of the server has ended: exit status: 2"), "{text}");
    assert!(text.contains("\nstandard error of the server:\nerror: unrecognized subcommand 'nonsense'"), "{text}");

    let mut client = Client::process(Command::new("/nowhere/server"));
    let text = panic_of(async move { client.call("say", ()).await }).await;
    assert!(text.contains("failed: `/nowhere/server` cannot be started: "), "{text}");

    let mut command = Command::new("sh");
    command.args(["-c", "echo ready; cat"]);
    let mut client = Client::process(command);
    let text = panic_of(async move { client.call("say", ()).await }).await;
    assert!(
        text.contains("the server sent a line that is not JSON, `ready`; write only messages to standard output"),
        "{text}"
    );
}

#[tokio::test]
async fn reports_why_a_server_cannot_be_reached() {
    // Bound, so that no other test gets the port, but not listening.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let closed = socket.local_addr().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::url(&format!("http://{closed}/mcp")).revision(revision);
        let text = panic_of(async move { client.call("say", ()).await }).await;
        assert!(text.contains(&format!("failed: cannot connect to `{closed}`: ")), "{text}");
    }
    let server = Server::start(&[]);
    let mut client = Client::url(&server.url().replace("/mcp", "/elsewhere"));
    let text = panic_of(async move { client.call("say", ()).await }).await;
    assert!(text.contains("failed: the server has answered with HTTP 404 Not Found"), "{text}");
}

#[tokio::test]
async fn the_process_is_killed_with_its_client() {
    let pid_file = std::env::temp_dir().join(format!("cli-clients-{}", std::process::id()));
    let server = program("cli_server");
    let mut command = Command::new("sh");
    command.args(["-c", "echo $$ > \"$1\"; exec \"$0\" stdio"]).arg(server.get_program()).arg(&pid_file);
    let mut client = Client::process(command);
    assert_eq!(client.call("say", json!({ "text": "a" })).await.text(), "a");
    let pid = std::fs::read_to_string(&pid_file).unwrap();
    std::fs::remove_file(&pid_file).unwrap();
    let is_alive = || {
        Command::new("kill").args(["-0", pid.trim()]).stderr(std::process::Stdio::null()).status().unwrap().success()
    };
    assert!(is_alive());
    drop(client);
    assert!(!is_alive());
}
