//! Scripts that do not fit, and the texts of their panics.

use std::{process::Command, time::Duration};

use mcp_runtime::{
    Revision,
    testing::{Client, Outcome, Reply},
};
use serde_json::{Value, json};

use crate::{
    support::panics::panics,
    testing::tools::{Confirm, service},
};

/// Returns the text of the panic of a script that does not fit.
async fn misfit(test: impl Future<Output = Outcome> + Send + 'static) -> String {
    let panic = tokio::spawn(test).await.unwrap_err().into_panic();
    *panic.downcast::<String>().expect("a panic has a text")
}

/// Both eras.
fn clients() -> [Client; 2] {
    [Client::modern(&service()), Client::legacy(&service(), Revision::V2025_11_25)]
}

#[tokio::test]
async fn a_question_without_an_answer_panics() {
    for mut client in clients() {
        let text = misfit(async move { client.call("thrice", ()).roots(["a"]).await }).await;
        assert!(
            text.starts_with(
                "the script does not fit the call of `thrice` (mcp-runtime/tests/testing/script_errors.rs:"
            ),
            "{text}"
        );
        assert!(
            text.contains(": the question `roots#2` (roots/list) has no answer in the script; add `roots`"),
            "{text}"
        );
        let (_, said) = text.split_once("\n\nmessages:\n").unwrap();
        assert!(said.contains("→ {") && said.contains("← {") && said.contains(r#""method":"roots/list""#), "{said}");
    }
}

#[tokio::test]
async fn an_answer_without_a_question_panics() {
    for mut client in clients() {
        let line = line!() + 2;
        let text = misfit(async move {
            client.call("folders", ()).roots(["a"]).decline().reply_to("sure", Reply::cancel()).await
        });
        let text = text.await;
        assert!(
            text.contains(
                ": the call did not ask for these answers:\n  `decline` (mcp-runtime/tests/testing/script_errors.rs:"
            ),
            "{text}"
        );
        assert!(text.contains(&format!("\n  `cancel` (mcp-runtime/tests/testing/script_errors.rs:{line}:")), "{text}");
        assert!(text.contains(", for the question `sure`\n"), "{text}");
        assert!(text.contains(r#""text":"a""#), "the result is in the transcript: {text}");
    }
}

#[tokio::test]
async fn a_call_that_does_not_end_panics() {
    for client in clients() {
        let mut client = client.limit(Duration::from_millis(20));
        let text = misfit(async move { client.call("sleep", json!({ "seconds": 3600 })).await }).await;
        assert!(text.contains(": the call did not end within 20ms; to allow more time, use `Client::limit`"), "{text}");
        assert!(text.contains(r#""seconds":3600"#), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_ends_panics_under_a_paused_clock() {
    let mut client = Client::modern(&service());
    let text = misfit(async move { client.call("sleep", json!({ "seconds": 100_000_000 })).await }).await;
    assert!(text.contains(": the call did not end within 10s"), "{text}");
}

#[tokio::test]
async fn an_answer_of_another_kind_panics() {
    for mut client in clients() {
        let text = misfit(async move { client.call("folders", ()).decline().await }).await;
        assert!(text.contains(": `decline` (mcp-runtime/tests/testing/script_errors.rs:"), "{text}");
        assert!(
            text.contains(") does not answer the question `roots` (roots/list), which does not ask the user\n"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_answer_with_another_form_panics() {
    for mut client in clients() {
        let confirm = Confirm { confirmed: true };
        let text = misfit(async move { client.call("book", json!({ "to": "LIS" })).accept(confirm).await }).await;
        assert!(
            text.contains(
                ": `accept` of the form `Confirm` with `confirmed` (mcp-runtime/tests/testing/script_errors.rs:"
            ),
            "{text}"
        );
        assert!(
            text.contains(
                ") does not answer the question `pick_flight` (elicitation/create: \"Flights to LIS:\"), which asks for \
                 `flight`, `seat`\n"
            ),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_form_for_a_page_and_a_visit_for_a_form_panic() {
    for mut client in clients() {
        let confirm = Confirm { confirmed: true };
        let text = misfit(async move { client.call("connect", ()).accept(confirm).await }).await;
        assert!(
            text.contains("question `connect` (elicitation/create: \"Connect\"), which sends the user to a page\n"),
            "{text}"
        );
    }
    for mut client in clients() {
        let text = misfit(async move { client.call("book", json!({ "to": "LIS" })).accept_url().await }).await;
        assert!(text.contains(": `visit` (mcp-runtime/tests/testing/script_errors.rs:"), "{text}");
        assert!(text.contains(", which names no page to visit\n"), "{text}");
    }
}

#[tokio::test]
async fn a_form_without_an_answer_does_not_fit() {
    for mut client in clients() {
        let text = misfit(async move { client.call("book", json!({ "to": "LIS" })).await }).await;
        assert!(text.contains("has no answer in the script; add `accept`, `decline` or `cancel`\n"), "{text}");
    }
}

#[tokio::test]
async fn refuse_panics_since_2026_07_28() {
    let mut client = Client::modern(&service());
    let text = misfit(async move { client.call("folders", ()).refuse(-32000, "no").await }).await;
    assert!(text.contains(": an answer in 2026-07-28 cannot be an error; write `decline` or `cancel`"), "{text}");
}

#[tokio::test]
async fn the_panic_is_at_the_line_that_awaits_the_call() {
    panics();
    let line = line!() + 2;
    let mut client = Client::modern(&service());
    let text = misfit(async move { client.call("no such tool", ()).decline().await }).await;
    assert!(text.contains("Unknown tool"), "{text}");
    let seen = panics().into_iter().find(|panic| panic.text.contains("`no such tool`")).unwrap();
    assert_eq!((&*seen.file, seen.line), (file!(), line));
}

#[test]
#[should_panic(expected = "the arguments of a call must be an object, not [1]")]
fn arguments_must_be_an_object() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _entered = runtime.enter();
    let _ = Client::modern(&service()).call("folders", json!([1]));
}

#[test]
#[should_panic(expected = "2026-07-28 has no handshake; write `Client::modern`")]
fn a_legacy_client_has_a_handshake() {
    Client::legacy(&service(), Revision::V2026_07_28);
}

#[tokio::test]
#[should_panic(expected = "the call has no result; it failed with the error -32602: Unknown tool: none")]
async fn text_panics_for_an_error() {
    Client::modern(&service()).call("none", ()).await.text();
}

#[tokio::test]
#[should_panic(expected = "the call has no structured content")]
async fn structured_panics_for_a_text() {
    Client::modern(&service()).call("folders", ()).roots(["a"]).await.structured::<Value>();
}

#[test]
#[should_panic(expected = "`principal` needs a server in the test's own process")]
fn another_process_identifies_its_clients_itself() {
    drop(Client::process(Command::new("flights")).principal("ada"));
}
