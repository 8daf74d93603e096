//! Lists that change while the server runs, and the notices about them.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    Revision, Service,
    prelude::*,
    tool::{DynamicTool, ToolList},
};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::protocol::{
    LEGACY,
    client::{Client, modern},
    wire::Wire,
};

mod subscriptions;

/// Longer than changes are gathered.
const SETTLED: Duration = Duration::from_millis(100);

#[derive(Form)]
struct Color {
    color: String,
}

#[elicits]
enum Questions {
    Color(Color),
}

/// Adds a tool.
#[mcp_tool]
async fn grow(tools: &ToolList, name: String) -> mcp_runtime::Result<String> {
    tools.add(echo(&name))?;
    Ok(format!("added {name}"))
}

struct Book;

/// Books a flight.
#[handoff(name = "book")]
impl Book {
    async fn before(&self, to: String) -> String {
        to
    }

    async fn client(ctx: &Ctx<Questions>, _: &String) -> mcp_runtime::Result<String> {
        Ok(ctx.elicit::<Color>("Which color?").strict().await?.color)
    }

    async fn after(&self, to: String, color: String) -> String {
        format!("{color} to {to}")
    }
}

/// The first page.
#[mcp_resource("test://page")]
async fn page() -> &'static str {
    "text"
}

/// Asks for a review.
#[mcp_prompt]
async fn review() -> &'static str {
    "Review this."
}

fn echo(name: &str) -> impl mcp_runtime::Tool + use<> {
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string", "maxLength": 5 } } });
    DynamicTool::from_schema(name.to_owned(), "Repeats a text.", schema, async |_: Ctx, arguments: Value| {
        arguments["text"].as_str().unwrap_or("nothing").to_owned()
    })
}

fn service() -> Service {
    server().build().unwrap()
}

fn server() -> Server {
    let server = Server::new("changing", "1").dynamic_tools().dynamic_prompts().dynamic_resources();
    server.tools(tools![grow]).prompts(prompts![review]).resources(resources![page])
}

fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_revision_sees_added_replaced_and_removed_tools() {
    for revision in Revision::ALL {
        let service = service();
        let mut client = Client::open(&service, revision).await;
        client.result("tools/list", json!({})).await;
        assert_eq!(client.call("grow", json!({ "name": "late" })).await["content"][0]["text"], "added late");
        assert_eq!(client.call("late", json!({ "text": "hi" })).await["content"][0]["text"], "hi");
        let refused = client.failed_call("late", json!({ "text": "too long" })).await;
        assert!(refused.contains("at most 5"), "{refused}");
        assert_eq!(names(&client.result("tools/list", json!({})).await), ["grow", "late"]);
        service.tools().add(echo("last")).unwrap();
        assert!(service.tools().replace(echo("late")).unwrap());
        assert_eq!(names(&client.result("tools/list", json!({})).await), ["grow", "late", "last"]);
        assert!(service.tools().remove("late"));
        assert_eq!(names(&client.result("tools/list", json!({})).await), ["grow", "last"]);
        let error = client.error("tools/call", json!({ "name": "late", "arguments": {} })).await;
        assert_eq!(error["message"], "Unknown tool: late");
    }
}

#[tokio::test]
async fn sessions_get_one_notification_for_many_changes() {
    for revision in LEGACY {
        let service = service();
        let mut client = Client::new(Wire::memory(&service), revision);
        let capabilities = client.initialize().await["capabilities"].take();
        assert_eq!(capabilities["tools"], json!({ "listChanged": true }));
        assert_eq!(capabilities["prompts"], json!({ "listChanged": true }));
        assert_eq!(capabilities["resources"], json!({ "listChanged": true, "subscribe": true }));
        client.notify("notifications/initialized", json!({})).await;
        client.result("ping", json!({})).await;
        (0..100).for_each(|index| service.tools().add(echo(&format!("tool_{index}"))).unwrap());
        assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
        service.prompts().remove("review");
        assert_eq!(client.next().await["method"], "notifications/prompts/list_changed");
        service.resources().notify();
        assert_eq!(client.next().await["method"], "notifications/resources/list_changed");
        sleep(SETTLED).await;
        client.works().await;
    }
}

#[tokio::test]
async fn sessions_subscribe_to_resources() {
    for revision in LEGACY {
        let service = service();
        let mut client = Client::open(&service, revision).await;
        client.result("resources/subscribe", json!({ "uri": "test://page" })).await;
        service.resources().updated("test://other");
        service.resources().updated("test://page");
        let updated = client.next().await;
        assert_eq!(updated["method"], "notifications/resources/updated");
        assert_eq!(updated["params"]["uri"], "test://page");
        client.result("resources/unsubscribe", json!({ "uri": "test://page" })).await;
        service.resources().updated("test://page");
        sleep(SETTLED).await;
        client.works().await;
    }
}

/// Does nothing at all.
#[mcp_tool]
async fn add_nothing() {}

#[test]
fn errors_name_the_item_and_leave_the_list_unchanged() {
    let service = service();
    let error = service.tools().add(echo("grow")).unwrap_err().to_string();
    assert!(error.starts_with("the list of tools cannot be built: tool `grow`: the service already has"), "{error}");
    let error = service.tools().add(echo("not a name")).unwrap_err().to_string();
    assert!(error.contains("tool `not a name`: a name can have only"), "{error}");
    let edited = service.tools().edit(|tools| {
        tools.remove("grow");
        tools.add(echo("new"));
        tools.add(echo("new"));
    });
    let error = edited.unwrap_err();
    assert!(error.to_string().contains("tool `new`"), "{error}");
    assert_eq!(service.tools().names(), ["grow"]);
    let edited = service.tools().edit(|tools| {
        tools.remove("grow");
        tools.add(echo("grow"));
        tools.add(echo("new"));
    });
    edited.unwrap();
    assert_eq!(service.tools().names(), ["grow", "new"]);
}

#[tokio::test]
async fn a_running_call_keeps_its_tool() {
    let service = service();
    let gate = Arc::new(tokio::sync::Notify::new());
    let waits = Arc::clone(&gate);
    let schema = json!({ "type": "object" });
    let slow = DynamicTool::from_schema("slow", "Waits.", schema, move |_: Ctx, _: Value| {
        let waits = Arc::clone(&waits);
        async move {
            waits.notified().await;
            "the old tool"
        }
    });
    service.tools().add(slow).unwrap();
    for revision in [Revision::LATEST_LEGACY, Revision::LATEST] {
        let mut client = Client::open(&service, revision).await;
        let id = client.begin_call("slow", json!({}), json!({})).await;
        service.tools().replace(echo("slow")).unwrap();
        gate.notify_one();
        assert_eq!(client.response(&id).await["result"]["content"][0]["text"], "the old tool");
        assert_eq!(client.call("slow", json!({})).await["content"][0]["text"], "nothing");
        let waits = Arc::clone(&gate);
        let slow = DynamicTool::from_schema("slow", "Waits.", json!({ "type": "object" }), move |_: Ctx, _: Value| {
            let waits = Arc::clone(&waits);
            async move {
                waits.notified().await;
                "the old tool"
            }
        });
        service.tools().replace(slow).unwrap();
    }
}

#[tokio::test]
async fn a_resumed_call_whose_tool_is_gone_gets_an_error_that_says_so() {
    let service = service();
    service.tools().add(Book).unwrap();
    let mut client = service.memory();
    let mut answer = async |params: Value| {
        let params = modern(params, &json!({ "elicitation": {} }));
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        client.send(&request.to_string()).await;
        serde_json::from_str::<Value>(&client.receive().await.unwrap()).unwrap()
    };
    let arguments = json!({ "to": "Oslo" });
    let asked = answer(json!({ "name": "book", "arguments": arguments })).await;
    let key = asked["result"]["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    let again = json!({
        "name": "book",
        "arguments": arguments,
        "requestState": asked["result"]["requestState"],
        "inputResponses": { key: { "action": "accept", "content": { "color": "red" } } },
    });
    service.tools().remove("book");
    assert_eq!(answer(again.clone()).await["error"]["message"], "Unknown tool: book");
    // The call is not lost: it continues when its tool is back.
    service.tools().add(Book).unwrap();
    assert_eq!(answer(again).await["result"]["content"][0]["text"], "red to Oslo");
}

#[tokio::test]
async fn a_long_list_keeps_its_order_over_its_pages() {
    let service = Server::new("long", "1").dynamic_tools().page_size(100).build().unwrap();
    service.tools().edit(|tools| (0..1000).for_each(|index| tools.add(echo(&format!("tool_{index}"))))).unwrap();
    service.tools().remove("tool_0");
    service.tools().replace(echo("tool_500")).unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        let (mut all, mut cursor) = (Vec::new(), json!({}));
        loop {
            let page = client.result("tools/list", cursor).await;
            all.extend(names(&page).into_iter().map(ToOwned::to_owned));
            match page.get("nextCursor") {
                Some(next) => cursor = json!({ "cursor": next }),
                None => break,
            }
        }
        let expected: Vec<_> = (1..1000).map(|index| format!("tool_{index}")).collect();
        assert_eq!(all, expected);
    }
}
