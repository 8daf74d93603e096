//! Scripts that fit, and their outcomes.

use std::time::Duration;

use mcp_runtime::{
    Level, Revision,
    testing::{Client, Reply},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::testing::tools::{Confirm, PickFlight, Seat, service};

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

/// The revisions that can ask a user.
const ASKING: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

#[tokio::test]
async fn accepts_declines_and_cancels_forms() {
    let tap = || PickFlight { flight: "TP1".to_owned(), seat: Some(Seat::Aisle) };
    for revision in ASKING {
        let mut client = Client::new(&service(), revision);
        let lis = json!({ "to": "LIS" });
        let booked = client.call("book", &lis).accept(tap()).accept(Confirm { confirmed: true }).await;
        assert_eq!(booked.text(), "booked TP1 (Some(Aisle))");
        let [pick, sure] = booked.asked() else { panic!("{:?}", booked.asked()) };
        assert_eq!(
            (pick.key(), pick.method(), pick.message()),
            ("pick_flight", "elicitation/create", "Flights to LIS:")
        );
        assert_eq!(pick.schema().unwrap()["properties"]["seat"]["enum"], json!(["window", "aisle"]));
        assert_eq!((sure.key(), sure.message(), sure.url()), ("confirm", "Sure?", None));

        assert_eq!(client.call("book", &lis).accept(tap()).decline().await.text(), "declined");
        assert_eq!(client.call("book", &lis).accept(tap()).cancel().await.text(), "cancelled");
        assert_eq!(client.call("book", &lis).decline().await.text(), "no flight");
        let raw = json!({ "action": "accept", "content": { "flight": "TP2" } });
        let raw = client.call("book", &lis).answer(raw).accept(Confirm { confirmed: true }).await;
        assert_eq!(raw.text(), "booked TP2 (None)");
    }
}

#[tokio::test]
async fn answers_concurrent_forms_by_key() {
    for revision in ASKING {
        let quickly = Client::new(&service(), revision)
            .call("book_quickly", ())
            .reply_to("pick_flight", Reply::accept(PickFlight { flight: "TP1".to_owned(), seat: None }))
            .reply_to("confirm", Reply::accept(Confirm { confirmed: false }))
            .await;
        assert_eq!(quickly.text(), "TP1 false");
    }
}

#[tokio::test]
async fn visits_or_declines_pages() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service(), revision);
        let visited = client.call("connect", ()).accept_url().await;
        assert_eq!(visited.text(), "connected");
        assert_eq!(visited.asked()[0].url(), Some("https://example.com/connect"));
        assert_eq!(client.call("connect", ()).decline().await.text(), "the user declined");
    }
}

#[tokio::test]
async fn answers_in_order_or_by_key() {
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
            let caller = Caller { name: "somebody".into(), revision: revision.to_string() };
            assert_eq!(outcome.structured::<Caller>(), caller, "before 2025-06-18 of the text");
            assert_eq!(outcome.structured_content().is_some(), revision >= Revision::V2025_06_18);
            assert_eq!(outcome.transcript().sent().len(), 1);
        }
        let shaken = client.transcript().sent().iter().filter(|message| message["method"] == "initialize").count();
        assert_eq!(shaken, usize::from(!revision.is_modern()));
        let names: Vec<_> = client.tools().await.iter().map(|tool| tool["name"].clone()).collect();
        let mut expected = vec!["folders", "thrice", "caller", "sleep"];
        if revision >= Revision::V2025_06_18 {
            expected.extend(["book", "book_quickly"]);
        }
        if revision >= Revision::V2025_11_25 {
            expected.push("connect");
        }
        assert_eq!(names, expected);
    }
}

#[tokio::test]
async fn does_not_ask_what_the_client_does_not_support() {
    let modern = Client::modern(&service()).capabilities(json!({})).call("folders", ()).await;
    let error = modern.error().unwrap();
    assert_eq!((error.code, &error.data), (-32021, &json!({ "requiredCapabilities": { "roots": {} } })));
    assert!(modern.is_error() && modern.asked().is_empty());

    let session = Client::legacy(&service(), Revision::V2025_06_18).capabilities(json!({})).call("folders", ()).await;
    assert!(session.is_error());
    assert_eq!(session.text(), "the client does not support roots");
}

#[tokio::test]
async fn the_client_sets_the_log_level() {
    for revision in Revision::ALL {
        for level in [Some(Level::Info), None] {
            let mut client = Client::new(&service(), revision).log_level(level);
            assert_eq!(client.call("folders", ()).roots(["a"]).await.logs(), []);
        }
    }
}

#[tokio::test]
async fn raw_answers_and_refusals_reach_the_tool() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let raw = client.call("folders", ()).answer(json!({ "roots": 7 })).await;
        assert!(raw.text().starts_with("the answer does not fit: "), "{}", raw.text());
    }
    let mut client = Client::legacy(&service(), Revision::V2025_03_26);
    let refused = client.call("folders", ()).refuse(-32000, "no").await;
    assert_eq!(refused.text(), "the client refused: no (code -32000)");
}

#[tokio::test(start_paused = true)]
async fn delays_an_answer() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let reply = Reply::roots(["a"]).after(Duration::from_secs(59));
        assert_eq!(client.call("folders", ()).reply(reply).await.text(), "a");
    }
    let mut client = Client::legacy(&service(), Revision::V2025_11_25);
    let reply = Reply::roots(["a"]).after(Duration::from_secs(61));
    assert_eq!(client.call("folders", ()).reply(reply).await.text(), "no answer within 60s");
    // This answer is no longer awaited.
    assert_eq!(client.call("folders", ()).roots(["b"]).await.text(), "b");
}

#[tokio::test(start_paused = true)]
async fn a_paused_clock_does_not_exceed_the_limit() {
    assert!(!Client::modern(&service()).call("sleep", json!({ "seconds": 3600 })).await.is_error());
}

#[tokio::test]
async fn a_client_works_after_a_dropped_call() {
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
