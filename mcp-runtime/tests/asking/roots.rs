//! The folders a client works in.

use std::time::Duration;

use mcp_runtime::{
    Result, Revision,
    prelude::*,
    testing::{Client, Reply},
};
use serde_json::json;

use crate::asking::service;

/// Names the folders that are open.
#[mcp_tool(read_only)]
async fn folders(ctx: &Ctx) -> Result<String> {
    let roots = ctx.roots().await?;
    let named = roots.iter().map(|root| format!("{} {:?}", root.uri, root.name));
    Ok(named.collect::<Vec<_>>().join(", "))
}

/// Needs to know the folders.
#[mcp_tool(requires(roots))]
async fn needed(ctx: &Ctx) -> Result<Text<usize>> {
    Ok(Text(ctx.roots().await?.len()))
}

/// Asks under a name of its own, twice, and under the usual one.
#[mcp_tool(requires(roots))]
async fn named(ctx: &Ctx) -> Result<String> {
    let again = ctx.roots().key("client_roots");
    let (first, usual, again) = tokio::try_join!(ctx.roots().key(String::from("client_roots")), ctx.roots(), again)?;
    Ok(format!("{} {} {}", first.len(), usual.len(), again.len()))
}

fn client(revision: Revision) -> Client {
    Client::new(&service(tools![folders, needed, named]), revision)
}

#[tokio::test]
async fn asks_for_roots_in_every_revision() {
    for revision in Revision::ALL {
        let mut client = client(revision);
        let roots = json!({ "roots": [{ "uri": "file:///a", "name": "a" }, { "uri": "file:///b" }] });
        assert_eq!(client.call("folders", ()).answer(roots).await.text(), r#"file:///a Some("a"), file:///b None"#);
        assert_eq!(client.call("needed", ()).roots(["file:///a"]).await.text(), "1");
    }
}

#[tokio::test]
async fn roots_can_be_asked_for_with_another_key() {
    for revision in Revision::ALL {
        let mut client = client(revision);
        // Keys are assigned in the order in which the asks are created, not awaited.
        let call = client.call("named", ()).reply_to("client_roots", Reply::roots(["file:///a"]));
        let call = call.reply_to("client_roots#2", Reply::roots(["file:///a", "file:///b"]));
        let outcome = call.reply_to("roots", Reply::roots(["file:///a", "file:///b", "file:///c"])).await;
        let mut keys: Vec<_> = outcome.asked().iter().map(|question| question.key()).collect();
        keys.sort_unstable();
        assert_eq!((&*keys, outcome.text().as_str()), (&["client_roots", "client_roots#2", "roots"][..], "2 3 1"));
    }
}

#[tokio::test]
async fn rejects_an_answer_without_a_list_of_roots() {
    for revision in Revision::ALL {
        let mut client = client(revision);
        for answer in [json!({ "roots": 7 }), json!({}), json!({ "roots": [{ "name": "a" }] })] {
            let outcome = client.call("folders", ()).answer(answer).await;
            assert!(outcome.text().starts_with("the answer does not fit: "), "{}", outcome.text());
            assert_eq!(outcome.asked().len(), 1, "no person is there to mend it");
        }
    }
}

#[tokio::test]
async fn names_the_missing_capability_to_a_client_without_roots() {
    for revision in Revision::ALL {
        let mut client = client(revision).capabilities(json!({ "elicitation": {} }));
        for tool in ["folders", "needed"] {
            let outcome = client.call(tool, ()).await;
            match outcome.error() {
                Some(error) => {
                    let required = json!({ "requiredCapabilities": { "roots": {} } });
                    assert_eq!((error.code, &error.data), (-32021, &required));
                }
                None => {
                    assert!(outcome.text().ends_with("support roots") || outcome.text().ends_with("supports roots"));
                }
            }
            assert_eq!(outcome.error().is_some(), revision.is_modern());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn waits_one_minute_for_roots() {
    for revision in Revision::ALL {
        let mut client = client(revision);
        let reply = |seconds| Reply::roots(["file:///a"]).after(Duration::from_secs(seconds));
        assert_eq!(client.call("needed", ()).reply(reply(59)).await.text(), "1");
        let late = client.call("needed", ()).reply(reply(61)).await;
        if revision.is_modern() {
            // A client may answer late because it waited for the user's answer to another question.
            assert_eq!(late.text(), "1");
        } else {
            assert_eq!((late.text().as_str(), late.is_error()), ("no answer within 60s", true));
        }
    }
}
