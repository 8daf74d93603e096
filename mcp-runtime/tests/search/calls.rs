//! Calls through `call_tool` are calls of the named tool.

use std::time::Duration;

use mcp_runtime::{
    CallToolResult, Level, Principal, Result, Revision, in_every_mode,
    layer::{self, CallInfo, Rejection},
    plugin::{ModelApi, PluginHost},
    prelude::*,
    remote::Remote,
    search::Search,
    testing::Client,
};
use serde_json::{Value, json};

use super::{found, names, of, office, searchable};
use crate::{
    support::remote_servers::{Kind, Started},
    tasks::wire::Wire,
};

#[elicits]
enum Order {
    Size { size: String },
    Confirm { confirmed: bool },
}

struct Tea;

/// Orders tea.
#[handoff]
impl Tea {
    async fn before(&self, cups: u32) -> u32 {
        cups
    }

    async fn client(ctx: &Ctx<Order>, cups: &u32) -> Result<String> {
        let Size { size } = ctx.elicit::<Size>(format!("Which size for {cups}?")).strict().await?;
        let confirmed = ctx.elicit::<Confirm>("Really?").strict().await?.confirmed;
        if confirmed { Ok(size) } else { Err("not confirmed".into()) }
    }

    async fn after(&self, cups: u32, size: String) -> String {
        format!("{cups} {size} cups")
    }
}

/// Counts and says so.
#[mcp_tool(read_only)]
async fn count(ctx: &Ctx) -> Json<Counted> {
    ctx.log(Level::Info, "counting");
    ctx.progress(1.0).total(2.0);
    ctx.progress(2.0).total(2.0);
    Json(Counted { number: 2 })
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Counted {
    number: u32,
}

/// Fails always.
#[mcp_tool]
async fn fail() -> Result<String> {
    Err("out of order".into())
}

/// Deletes a project with all of its issues.
#[mcp_tool(scopes("projects:admin"))]
async fn delete_project() -> String {
    "deleted".to_owned()
}

/// Paints slowly.
#[mcp_tool(task)]
async fn paint(millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "painted".to_owned()
}

fn server() -> Server {
    let tools = tools![count, fail, delete_project, paint];
    office().tool(Tea).tools(tools).searchable(Search::new())
}

#[tokio::test]
async fn questions_are_those_of_the_tool_in_every_mode() {
    in_every_mode!(async |mode| {
        let mut client = mode.client(server);
        let answered = client.call("call_tool", of("tea", json!({ "cups": 2 })));
        let answered = answered.accept(Size { size: "large".to_owned() }).accept(Confirm { confirmed: true }).await;
        assert_eq!(answered.text(), "2 large cups");
        let keys: Vec<_> = answered.asked().iter().map(|asked| asked.key().to_owned()).collect();
        assert_eq!(keys, ["size", "confirm"]);
        let declined = client.call("call_tool", of("tea", json!({ "cups": 1 }))).decline().await;
        assert!(declined.is_error());
    });
}

#[tokio::test]
async fn results_progress_and_logs_are_those_of_the_tool_in_every_revision() {
    let service = server().build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        let direct = client.call("count", json!({})).await;
        let called = client.call("call_tool", of("count", json!({}))).await;
        assert_eq!(called.result(), direct.result(), "{revision}");
        assert_eq!(called.progress().len(), 2, "{revision}");
        assert_eq!(called.logs().len(), direct.logs().len(), "{revision}");
        let without_arguments = client.call("call_tool", json!({ "name": "count" })).await;
        assert_eq!(without_arguments.result(), direct.result(), "{revision}");
    }
}

#[tokio::test]
async fn errors_are_those_of_the_tool() {
    let mut client = Client::modern(&server().build().unwrap());
    let failed = client.call("call_tool", of("fail", json!({}))).await;
    assert!(failed.is_error());
    assert_eq!(failed.text(), "out of order");
    let direct = client.call("tea", json!({ "cups": "two" })).await.text().to_owned();
    let invalid = client.call("call_tool", of("tea", json!({ "cups": "two" }))).await;
    assert!(invalid.is_error() && direct.contains("cups"), "{direct}");
    assert_eq!(invalid.text(), direct);
}

#[tokio::test]
async fn refuses_what_is_no_tool_to_call() {
    let mut client = Client::modern(&server().build().unwrap());
    let too_long = format!("this server has no tool `{} …`; find one with `search_tools`", "z".repeat(200));
    for (name, text) in [
        (
            "list_isues",
            "this server has no tool `list_isues`; did you mean `list_issues`? Find others with `search_tools`",
        ),
        ("zzzzzzzzzzzz", "this server has no tool `zzzzzzzzzzzz`; find one with `search_tools`"),
        (&*"z".repeat(5_000), &*too_long),
        ("call_tool", "`call_tool` calls the tools that `search_tools` finds; call `call_tool` directly"),
        ("search_tools", "`call_tool` calls the tools that `search_tools` finds; call `search_tools` directly"),
    ] {
        let refused = client.call("call_tool", of(name, json!({}))).await;
        assert!(refused.is_error());
        assert_eq!(refused.text(), text);
    }
    let nameless = client.call("call_tool", json!({ "arguments": {} })).await;
    assert!(nameless.is_error() && nameless.text().contains("`name`"), "{}", nameless.text());
}

#[tokio::test]
async fn arguments_in_a_string_are_read() {
    let mut client = Client::modern(&server().build().unwrap());
    let called = client.call("call_tool", of("count", json!("{}"))).await;
    assert_eq!(called.structured::<Value>(), json!({ "number": 2 }));
    let called = client.call("call_tool", of("list_issues", json!("{\"limit\": 0}"))).await;
    assert!(called.is_error() && called.text().contains("invalid arguments for `list_issues`"), "{}", called.text());
    let called = client.call("call_tool", of("list_issues", json!("{\"limit\": 1"))).await;
    assert!(called.is_error() && called.text().contains("`arguments`"), "{}", called.text());
    let mut strict = Client::modern(&server().json_strings(false).build().unwrap());
    let called = strict.call("call_tool", of("count", json!("{}"))).await;
    assert!(called.is_error() && called.text().contains("`arguments`"), "{}", called.text());
}

#[tokio::test]
async fn a_call_with_arguments_in_a_string_is_a_call_of_the_tool_in_every_mode() {
    in_every_mode!(async |mode| {
        let mut client = mode.client(server);
        let answered = client.call("call_tool", of("tea", json!(" {\"cups\": 2}")));
        let answered = answered.accept(Size { size: "large".to_owned() }).accept(Confirm { confirmed: true }).await;
        assert_eq!(answered.text(), "2 large cups");
        let keys: Vec<_> = answered.asked().iter().map(|asked| asked.key().to_owned()).collect();
        assert_eq!(keys, ["size", "confirm"]);
    });
}

#[tokio::test]
async fn the_guard_and_the_layers_see_the_tool() {
    async fn reject(call: CallInfo) -> Result<()> {
        if call.tool() == "fail" { Err(Rejection::forbidden("no failures here").into()) } else { Ok(()) }
    }
    let service = server().layer(layer::admit_fn(reject)).build().unwrap();
    let mut ann = Client::modern(&service).principal(Principal::new("ann"));
    let refused = ann.call("call_tool", of("delete_project", json!({}))).await;
    assert!(refused.error().unwrap().message.contains("projects:admin"), "{:?}", refused.error());
    let refused = ann.call("call_tool", of("fail", json!({}))).await;
    assert!(refused.error().unwrap().message.contains("no failures here"), "{:?}", refused.error());
    let mut admin = Client::modern(&service).principal(Principal::new("eve").scopes(["projects:admin"]));
    assert_eq!(admin.call("call_tool", of("delete_project", json!({}))).await.text(), "deleted");
}

#[tokio::test]
async fn a_task_of_the_tool_is_the_task_of_the_call() {
    let service = server().build().unwrap();
    let mut client = Wire::new(&service);
    for arguments in [json!({ "millis": 700 }), json!("{\"millis\":700}")] {
        let created = client.call("call_tool", of("paint", arguments)).await;
        assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")));
        let task = client.reaches(&created["taskId"], "completed").await;
        assert_eq!(task["result"]["content"][0]["text"], "painted");
    }
}

#[tokio::test]
async fn mounted_tools_are_found_and_called() {
    for kind in Kind::ALL {
        let shop = Started::of(kind, |_| Server::new("shop", "1").tool(Tea).tools(tools![count])).await;
        let service =
            Server::new("gateway", "1").mount("shop", &shop.remote).searchable(Search::new()).build().unwrap();
        let mut client = Client::modern(&service);
        assert_eq!(names(&mut client).await, ["search_tools", "call_tool"], "{kind:?}");
        assert_eq!(found(&mut client, "order some tea").await, ["shop_tea"], "{kind:?}");
        let answered = client.call("call_tool", of("shop_tea", json!({ "cups": 2 })));
        let answered = answered.accept(Size { size: "small".to_owned() }).accept(Confirm { confirmed: true }).await;
        assert_eq!(answered.text(), "2 small cups", "{kind:?}");
        let keys: Vec<_> = answered.asked().iter().map(|asked| asked.key().to_owned()).collect();
        // The questions of a session have no keys.
        let expected = if kind == Kind::Session { ["elicitation", "elicitation#2"] } else { ["size", "confirm"] };
        assert_eq!(keys, expected, "{kind:?}");
    }
}

#[tokio::test]
async fn a_gateway_offers_the_search_of_another_server() {
    let inner = server().build().unwrap();
    let service = Server::new("gateway", "1").mount("office", Remote::service(&inner)).build().unwrap();
    let mut client = Client::modern(&service);
    assert_eq!(names(&mut client).await, ["office_search_tools", "office_call_tool"]);
    let answered = client.call("office_call_tool", of("tea", json!({ "cups": 2 })));
    let answered = answered.accept(Size { size: "small".to_owned() }).accept(Confirm { confirmed: true }).await;
    assert_eq!(answered.text(), "2 small cups");
}

/// Calls a tool through `call_tool`.
#[mcp_tool(replayable)]
async fn indirect(ctx: &Ctx, name: String) -> Result<CallToolResult> {
    ctx.call("call_tool", of(&name, json!({}))).await
}

#[tokio::test]
async fn another_tool_can_use_the_search() {
    let service = server().tools(tools![indirect]).build().unwrap();
    let mut client = Client::modern(&service);
    let called = client.call("indirect", json!({ "name": "count" })).await;
    assert_eq!(called.structured::<Value>(), json!({ "number": 2 }));
    let refused = client.call("indirect", json!({ "name": "cuont" })).await;
    assert!(refused.text().contains("did you mean `count`?"), "{}", refused.text());
}

#[tokio::test]
async fn the_model_of_an_application_sees_the_search() {
    let host = PluginHost::builder(searchable()).start().await.unwrap();
    let tools = host.tools_for(ModelApi::Anthropic);
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search_tools", "call_tool", "current_user"]);
    assert_eq!(host.sampling_tools().len(), 3);
    let call = host.plugin("call_tool").unwrap().call(of("send_invoice", json!({}))).await.unwrap();
    assert_eq!(call.outcome().await.text(), "send_invoice");
}
