//! The capabilities that a client needs for questions.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::{Result, Revision, Server, elicit::MultiSelect, prelude::*, testing::Client};
use serde_json::{Value, json};

use crate::asking::{ASKING, Dinner, Letters, Pick, Topic, pick};

#[derive(Default)]
struct Begun(AtomicUsize);

/// Cannot do without its form.
#[mcp_tool]
async fn order(ctx: &Ctx<Dinner>, begun: &Begun) -> Result<String> {
    begun.0.fetch_add(1, Ordering::Relaxed);
    Ok(ctx.elicit::<Pick>("Which dish?").strict().await?.dish)
}

/// Asks where that is possible.
#[mcp_tool(optional(elicitation))]
async fn suggest(ctx: &Ctx<Dinner>) -> Result<String> {
    if !ctx.client().can_elicit() {
        return Ok("the dish of the day".to_owned());
    }
    Ok(ctx.elicit::<Pick>("Which dish?").strict().await?.dish)
}

/// Asks whether or not that is possible.
#[mcp_tool(optional(elicitation))]
async fn careless(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(ctx.elicit::<Pick>("Which dish?").strict().await?.dish)
}

/// Asks for several of some choices.
#[mcp_tool]
async fn subscribe(ctx: &Ctx<Dinner>) -> Result<String> {
    let topics = ctx.elicit::<Letters>("Which letters?").strict().await?.topics;
    Ok(format!("{:?}", topics.into_vec()))
}

/// How often `order` began.
#[mcp_tool]
async fn count(begun: &Begun) -> Text<usize> {
    Text(begun.0.load(Ordering::Relaxed))
}

fn client(revision: Revision) -> Client {
    let server = Server::new("test", "1").state(Begun::default());
    Client::new(&server.tools(tools![order, suggest, careless, subscribe, count]).build().unwrap(), revision)
}

async fn listed(client: &mut Client) -> Vec<Value> {
    client.tools().await.iter().map(|tool| tool["name"].clone()).collect()
}

/// Capabilities of clients that cannot show a form.
fn without_forms() -> [Value; 4] {
    [json!({}), json!({ "roots": {} }), json!({ "elicitation": { "url": {} } }), json!({ "elicitation": null })]
}

#[tokio::test]
async fn hides_tools_that_need_forms_from_a_session_without_forms() {
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
        for capabilities in without_forms() {
            let mut client = client(revision).capabilities(capabilities);
            assert_eq!(listed(&mut client).await, ["suggest", "careless", "count"]);
            let refused = client.call("order", ()).await;
            assert_eq!(refused.text(), "the tool `order` needs a client that supports form elicitation");
            assert!(refused.is_error());
            assert_eq!(client.call("count", ()).await.text(), "0");
        }
    }
}

#[tokio::test]
async fn ignores_elicitation_in_a_revision_without_it() {
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        let mut client = client(revision).capabilities(json!({ "elicitation": {} }));
        assert_eq!(listed(&mut client).await, ["suggest", "careless", "count"]);
        assert!(client.call("order", ()).await.is_error());
        assert_eq!(client.call("suggest", ()).await.text(), "the dish of the day");
    }
}

#[tokio::test]
async fn rejects_a_modern_request_without_forms_before_the_tool_runs() {
    for capabilities in without_forms() {
        let mut client = client(Revision::V2026_07_28).capabilities(capabilities);
        assert_eq!(listed(&mut client).await.len(), 5, "one list for everybody");
        let refused = client.call("order", ()).await;
        let error = refused.error().unwrap();
        assert_eq!(error.code, -32021);
        assert_eq!(error.data, json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
        assert_eq!(client.call("count", ()).await.text(), "0");
    }
}

#[tokio::test]
async fn an_empty_elicitation_capability_includes_forms() {
    for revision in ASKING {
        let mut client = client(revision).capabilities(json!({ "elicitation": {} }));
        assert_eq!(client.call("order", ()).accept(pick("soup")).await.text(), "soup");
        assert_eq!(listed(&mut client).await.len(), 5);
    }
}

#[tokio::test]
async fn a_tool_can_check_what_its_client_supports() {
    for revision in ASKING {
        assert_eq!(client(revision).call("suggest", ()).accept(pick("soup")).await.text(), "soup");
        let mut unable = client(revision).capabilities(json!({}));
        assert_eq!(unable.call("suggest", ()).await.text(), "the dish of the day");
    }
}

#[tokio::test]
async fn an_ask_fails_if_the_client_does_not_support_it() {
    for revision in Revision::ALL {
        let outcome = client(revision).capabilities(json!({})).call("careless", ()).await;
        match outcome.error() {
            Some(error) => assert_eq!(error.code, -32021),
            None => assert_eq!(outcome.text(), "the client does not support form elicitation"),
        }
        assert_eq!(outcome.error().is_some(), revision.is_modern());
    }
}

#[tokio::test]
async fn lists_of_choices_need_a_revision_that_has_them() {
    let both = || Letters { topics: MultiSelect::from(vec![Topic::Offers, Topic::News]) };
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = client(revision);
        let subscribed = client.call("subscribe", ()).accept(both()).await;
        assert_eq!(subscribed.text(), "[Offers, News]");
        let topics = &subscribed.asked()[0].schema().unwrap()["properties"]["topics"];
        let titled = json!({ "anyOf": [
            { "const": "news", "title": "News" }, { "const": "offers", "title": "Special offers" }
        ]});
        assert_eq!((&topics["type"], &topics["items"]), (&json!("array"), &titled));
        for wrong in [json!("news"), json!(["news", "sports"]), json!([1])] {
            let answer = json!({ "action": "accept", "content": { "topics": wrong } });
            let mended = client.call("subscribe", ()).answer(answer).accept(both()).await;
            assert_eq!((mended.text().as_str(), mended.asked().len()), ("[Offers, News]", 2));
        }
    }
    let older = client(Revision::V2025_06_18).call("subscribe", ()).await;
    assert!(older.is_error() && older.asked().is_empty());
    assert!(older.text().contains("2025-06-18") && older.text().contains("`topics`"), "{}", older.text());
}
