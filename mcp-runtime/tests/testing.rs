//! The testing kit: scripts that fit, and what a script that does not fit says.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_runtime::{
    Result, Revision, Server, Service,
    prelude::*,
    testing::{Client, Outcome, Reply},
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Names the folders that are open.
#[mcp_tool]
async fn folders(ctx: &Ctx, prefix: Option<String>) -> Result<String> {
    ctx.log(Level::Debug, "asking");
    let roots = ctx.roots().await?;
    ctx.progress(1.0).message("asked");
    let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    Ok(format!("{}{}", prefix.unwrap_or_default(), uris.join(",")))
}

/// Asks twice together, then once more.
#[mcp_tool]
async fn thrice(ctx: &Ctx) -> Result<String> {
    let (first, second) = tokio::try_join!(ctx.roots(), ctx.roots())?;
    let third = ctx.roots().await?;
    Ok([first, second, third].map(|roots| roots[0].uri.clone()).join(" "))
}

/// Who calls?
#[mcp_tool]
async fn caller(ctx: &Ctx) -> Json<Value> {
    let client = ctx.client();
    Json(json!({ "name": client.name(), "revision": client.revision().as_str() }))
}

/// Takes its time.
#[mcp_tool]
async fn sleep(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

fn service() -> Service {
    Server::new("test", "1").page_size(3).tools(tools![folders, thrice, caller, sleep]).build().unwrap()
}

#[tokio::test]
async fn one_script_fits_every_revision() {
    for revision in Revision::ALL {
        let outcome = Client::new(&service(), revision)
            .call("folders", json!({ "prefix": "> " }))
            .roots(["file:///a", "file:///b"])
            .await;
        assert_eq!(outcome.text(), "> file:///a,file:///b");
        assert!(!outcome.is_error() && outcome.error().is_none());
        let [question] = outcome.asked() else { panic!("{:?}", outcome.asked()) };
        assert_eq!((question.key(), question.method(), question.message()), ("roots", "roots/list", ""));
        assert_eq!((question.params(), question.schema(), question.url()), (&json!({}), None, None));
        let [log] = outcome.logs() else { panic!("{:?}", outcome.logs()) };
        assert_eq!((log.level, &log.data, log.logger.as_deref()), (Level::Debug, &json!("asking"), Some("folders")));
        let [report] = outcome.progress() else { panic!("{:?}", outcome.progress()) };
        assert_eq!((report.progress, report.total), (1.0, Some(1.0)));
        assert_eq!(report.message.is_some(), revision >= Revision::V2025_03_26);
        assert_eq!(outcome.rounds(), if revision.is_modern() { 2 } else { 1 });
    }
}

#[tokio::test]
async fn answers_come_in_order_or_by_key() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let ordered = client.call("thrice", ()).roots(["a"]).roots(["b"]).roots(["c"]).await;
        assert_eq!(ordered.text(), "a b c");
        let keys: Vec<_> = ordered.asked().iter().map(|question| question.key()).collect();
        assert_eq!(keys, ["roots", "roots#2", "roots#3"], "{revision}");

        let keyed = client.call("thrice", ()).reply_to("roots#2", Reply::roots(["b"])).roots(["a"]).roots(["c"]).await;
        assert_eq!(keyed.text(), "a b c");
    }
}

#[tokio::test]
async fn a_client_calls_in_one_session_and_says_who_it_is() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Caller {
        name: String,
        revision: String,
    }
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision).info("somebody", "1");
        for _ in 0..2 {
            let outcome = client.call("caller", ()).await;
            let expected = json!({ "name": "somebody", "revision": revision.as_str() });
            assert_eq!(serde_json::from_str::<Value>(&outcome.text()).unwrap(), expected);
            if revision >= Revision::V2025_06_18 {
                let caller = Caller { name: "somebody".into(), revision: revision.to_string() };
                assert_eq!(outcome.structured::<Caller>(), caller);
            }
            assert_eq!(outcome.structured_content().is_some(), revision >= Revision::V2025_06_18);
            assert_eq!(outcome.transcript().sent().len(), 1);
        }
        let shaken = client.transcript().sent().iter().filter(|message| message["method"] == "initialize").count();
        assert_eq!(shaken, usize::from(!revision.is_modern()));
        let names: Vec<_> = client.tools().await.iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, ["folders", "thrice", "caller", "sleep"]);
    }
}

#[tokio::test]
async fn what_the_client_cannot_do_is_not_asked() {
    let modern = Client::modern(&service()).capabilities(json!({})).call("folders", ()).await;
    let error = modern.error().unwrap();
    assert_eq!((error.code, &error.data), (-32021, &json!({ "requiredCapabilities": { "roots": {} } })));
    assert!(modern.is_error() && modern.asked().is_empty());

    let session = Client::legacy(&service(), Revision::V2025_06_18).capabilities(json!({})).call("folders", ()).await;
    assert!(session.is_error());
    assert_eq!(session.text(), "the client does not support roots");
}

#[tokio::test]
async fn the_log_level_is_the_clients() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision).log_level(Level::Info);
        assert_eq!(client.call("folders", ()).roots(["a"]).await.logs(), []);
    }
}

#[tokio::test]
async fn raw_answers_and_refusals_reach_the_tool() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let raw = client.call("folders", ()).answer(json!({ "roots": 7 })).await;
        assert!(raw.text().starts_with("the client's answer cannot be read: "), "{}", raw.text());
    }
    let mut client = Client::legacy(&service(), Revision::V2025_03_26);
    let refused = client.call("folders", ()).refuse(-32000, "no").await;
    assert_eq!(refused.text(), "the client refused: no (code -32000)");
}

#[tokio::test(start_paused = true)]
async fn an_answer_may_take_its_time() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let reply = Reply::roots(["a"]).after(Duration::from_secs(59));
        assert_eq!(client.call("folders", ()).reply(reply).await.text(), "a");
    }
    let mut client = Client::legacy(&service(), Revision::V2025_11_25);
    let reply = Reply::roots(["a"]).after(Duration::from_secs(61));
    assert_eq!(client.call("folders", ()).reply(reply).await.text(), "the client did not answer within 60s");
    // Nobody waits for that answer any more.
    assert_eq!(client.call("folders", ()).roots(["b"]).await.text(), "b");
}

#[tokio::test(start_paused = true)]
async fn time_that_is_paused_leaps_over_the_limit() {
    assert!(!Client::modern(&service()).call("sleep", json!({ "seconds": 3600 })).await.is_error());
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_a_client_that_works() {
    let mut client = Client::legacy(&service(), Revision::V2025_11_25);
    let call = client.call("sleep", json!({ "seconds": 3600 }));
    assert!(tokio::time::timeout(Duration::from_millis(10), call).await.is_err());
    assert_eq!(client.call("folders", ()).roots(["a"]).await.text(), "a");
}

#[tokio::test]
async fn the_transcript_has_every_message_of_the_call() {
    let mut client = Client::legacy(&service(), Revision::V2024_11_05);
    let outcome = client.call("folders", json!({ "prefix": "> " })).roots(["a"]).await;
    assert_eq!(
        outcome.transcript().to_string(),
        r#"→ {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"folders","arguments":{"prefix":"> "},"_meta":{"progressToken":3}}}
← {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"folders","data":"asking"}}
← {"jsonrpc":"2.0","id":"s-1","method":"roots/list","params":{}}
→ {"jsonrpc":"2.0","id":"s-1","result":{"roots":[{"uri":"a"}]}}
← {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1.0,"total":1.0}}
← {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"> a"}]}}
"#
    );
    let modern = Client::modern(&service()).call("folders", ()).roots(["a"]).await;
    let sent = modern.transcript().sent();
    let [first, second] = &sent[..] else { panic!("{sent:?}") };
    assert_ne!(first["id"], second["id"]);
    assert_eq!(second["params"]["inputResponses"], json!({ "roots": { "roots": [{ "uri": "a" }] } }));
    let asked = modern.transcript().received().swap_remove(1);
    assert_eq!(second["params"]["requestState"], asked["result"]["requestState"]);
}

/// The text of the panic of a script that does not fit.
async fn misfit(test: impl Future<Output = Outcome> + Send + 'static) -> String {
    let panic = tokio::spawn(test).await.unwrap_err().into_panic();
    *panic.downcast::<String>().expect("a panic has a text")
}

/// Both eras.
fn clients() -> [Client; 2] {
    [Client::modern(&service()), Client::legacy(&service(), Revision::V2025_11_25)]
}

#[tokio::test]
async fn a_question_without_an_answer_does_not_fit() {
    for mut client in clients() {
        let text = misfit(async move { client.call("thrice", ()).roots(["a"]).await }).await;
        assert!(
            text.starts_with("the script does not fit the call of `thrice` (mcp-runtime/tests/testing.rs:"),
            "{text}"
        );
        assert!(
            text.contains(": the question `roots#2` (roots/list) has no answer in the script; add `roots`"),
            "{text}"
        );
        let (_, said) = text.split_once("\n\nwhat was said:\n").unwrap();
        assert!(said.contains("→ {") && said.contains("← {") && said.contains(r#""method":"roots/list""#), "{said}");
    }
}

#[tokio::test]
async fn an_answer_without_a_question_does_not_fit() {
    for mut client in clients() {
        let line = line!() + 2;
        let text = misfit(async move {
            client.call("folders", ()).roots(["a"]).decline().reply_to("sure", Reply::cancel()).await
        });
        let text = text.await;
        assert!(
            text.contains(": nothing was asked that is answered by\n  `decline` (mcp-runtime/tests/testing.rs:"),
            "{text}"
        );
        assert!(text.contains(&format!("\n  `cancel` (mcp-runtime/tests/testing.rs:{line}:")), "{text}");
        assert!(text.contains(", for the question `sure`\n"), "{text}");
        assert!(text.contains(r#""text":"a""#), "the result is in the transcript: {text}");
    }
}

#[tokio::test]
async fn a_call_that_does_not_end_does_not_fit() {
    for client in clients() {
        let mut client = client.limit(Duration::from_millis(20));
        let text = misfit(async move { client.call("sleep", json!({ "seconds": 3600 })).await }).await;
        assert!(
            text.contains(": it did not end within 20ms; if it may take longer, say so with `Client::limit`"),
            "{text}"
        );
        assert!(text.contains(r#""seconds":3600"#), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_ends_does_not_fit_when_time_is_paused() {
    let mut client = Client::modern(&service());
    let text = misfit(async move { client.call("sleep", json!({ "seconds": 100_000_000 })).await }).await;
    assert!(text.contains(": it did not end within 10s"), "{text}");
}

#[tokio::test]
async fn an_answer_of_another_kind_does_not_fit() {
    for mut client in clients() {
        let text = misfit(async move { client.call("folders", ()).decline().await }).await;
        assert!(text.contains(": `decline` (mcp-runtime/tests/testing.rs:"), "{text}");
        assert!(
            text.contains(") does not answer the question `roots` (roots/list), which does not ask the user\n"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn since_2026_07_28_nobody_refuses_with_an_error() {
    let mut client = Client::modern(&service());
    let text = misfit(async move { client.call("folders", ()).refuse(-32000, "no").await }).await;
    assert!(
        text.contains(": an answer of 2026-07-28 has no place for an error; write `decline` or `cancel`"),
        "{text}"
    );
}

#[tokio::test]
async fn the_panic_is_at_the_line_that_awaits_the_call() {
    let seen = Arc::new(Mutex::new(None));
    let before = std::panic::take_hook();
    std::panic::set_hook({
        let seen = Arc::clone(&seen);
        Box::new(move |info| {
            if info.payload_as_str().is_some_and(|text| text.contains("`no such tool`")) {
                *seen.lock().unwrap() = info.location().map(|location| (location.file().to_owned(), location.line()));
            }
            before(info);
        })
    });
    let line = line!() + 2;
    let mut client = Client::modern(&service());
    let text = misfit(async move { client.call("no such tool", ()).decline().await }).await;
    assert!(text.contains("Unknown tool"), "{text}");
    assert_eq!(*seen.lock().unwrap(), Some((file!().to_owned(), line)));
}

#[test]
#[should_panic(expected = "the arguments of a call are an object, not [1]")]
fn arguments_are_an_object() {
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
#[should_panic(expected = "the call has no result, but the error -32602: Unknown tool: none")]
async fn an_error_has_no_text() {
    Client::modern(&service()).call("none", ()).await.text();
}

#[tokio::test]
#[should_panic(expected = "the call has no structured content")]
async fn a_text_is_not_structured() {
    Client::modern(&service()).call("folders", ()).roots(["a"]).await.structured::<Value>();
}
