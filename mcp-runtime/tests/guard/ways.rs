//! All ways to call a tool or method, with all kinds of requirements. A new way or a new kind must be added to each
//! `match` of this file, or it does not compile.

use std::time::Duration;

use mcp_runtime::{
    Revision,
    contract::{InvokeError, Invoker as _},
    http::HttpLimits,
    testing::Client,
};
use serde_json::{Value, json};

use crate::guard::support::{Fixture, Reply, authorization, modern, post, principal};

/// A way in which a call reaches a method or a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// `tools/call` of 2026-07-28 over HTTP.
    Request,
    /// `tools/call` in a session over HTTP.
    Session,
    /// `tools/call` that makes a task.
    Task,
    /// `tools/call` of `call_tool`, which names the tool.
    Search,
    Rest,
    JsonRpc,
    JsonRpcBatch,
    /// An endpoint of an author's own.
    Invoker,
    PluginRouter,
    PluginHost,
    /// A client in the process.
    InProcess,
}

const WAYS: [Way; 11] = [
    Way::Request,
    Way::Session,
    Way::Task,
    Way::Search,
    Way::Rest,
    Way::JsonRpc,
    Way::JsonRpcBatch,
    Way::Invoker,
    Way::PluginRouter,
    Way::PluginHost,
    Way::InProcess,
];

/// A kind of requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Requirement {
    Nothing,
    Scopes,
    Capabilities,
    Layer,
}

const REQUIREMENTS: [Requirement; 4] =
    [Requirement::Nothing, Requirement::Scopes, Requirement::Capabilities, Requirement::Layer];

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Nobody,
    User,
    Admin,
}

const CALLERS: [Caller; 3] = [Caller::Nobody, Caller::User, Caller::Admin];

impl Requirement {
    /// Returns the name of the method with this requirement.
    fn method(self) -> &'static str {
        match self {
            Self::Nothing => "plain",
            Self::Scopes => "open",
            Self::Capabilities => "asks",
            Self::Layer => "layered",
        }
    }

    /// Returns whether the call may run.
    fn admits(self, way: Way, caller: Caller) -> bool {
        // Callers without an identity are refused, except the application itself, which may do everything.
        if caller == Caller::Nobody && !way.trusts_nobody() {
            return self == Self::Nothing && way == Way::Invoker;
        }
        match self {
            Self::Nothing => true,
            Self::Scopes => caller != Caller::User,
            Self::Capabilities => way.can_answer(),
            Self::Layer => caller == Caller::Admin,
        }
    }
}

impl Caller {
    fn token(self) -> Option<&'static str> {
        match self {
            Self::Nobody => None,
            Self::User => Some("user"),
            Self::Admin => Some("admin"),
        }
    }
}

impl Way {
    /// Whether a caller without an identity is the application itself.
    fn trusts_nobody(self) -> bool {
        match self {
            Self::PluginHost | Self::InProcess => true,
            Self::Request
            | Self::Session
            | Self::Task
            | Self::Search
            | Self::Rest
            | Self::JsonRpc
            | Self::JsonRpcBatch
            | Self::Invoker
            | Self::PluginRouter => false,
        }
    }

    /// Whether the caller can answer questions.
    fn can_answer(self) -> bool {
        match self {
            Self::Request
            | Self::Session
            | Self::Task
            | Self::Search
            | Self::PluginRouter
            | Self::PluginHost
            | Self::InProcess => true,
            Self::Rest | Self::JsonRpc | Self::JsonRpcBatch | Self::Invoker => false,
        }
    }

    /// Calls a method, and returns what the caller gets.
    async fn call(self, fixture: &Fixture, method: &str, caller: Caller) -> String {
        let tool = format!("vault_{method}");
        let params = |tool: &str| json!({ "name": tool, "arguments": {} });
        let token = caller.token();
        match self {
            Self::Request => {
                fixture.send(modern(token, "tools/call", params(&tool), &json!({ "elicitation": {} }))).await.shown()
            }
            Self::Session => in_session(fixture, token, params(&tool)).await,
            Self::Task => {
                let tasks = json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } });
                let call = modern(token, "tools/call", params(&format!("task_{method}")), &tasks);
                let reply = fixture.send(call).await;
                if let Some(id) = task_of(&reply) {
                    for _ in 0..300 {
                        let params = json!({ "taskId": id, "name": id });
                        let task = fixture.send(modern(token, "tasks/get", params, &tasks)).await;
                        if !task.text.contains("working") {
                            return task.shown();
                        }
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                    panic!("the task does not end");
                }
                reply.shown()
            }
            Self::Search => {
                let params = json!({ "name": "call_tool", "arguments": params(&tool) });
                fixture.send(modern(token, "tools/call", params, &json!({ "elicitation": {} }))).await.shown()
            }
            Self::Rest => fixture.send(post(&format!("/vault/{method}"), token, &Value::Null)).await.shown(),
            Self::JsonRpc => fixture.send(post("/rpc", token, &rpc(method))).await.shown(),
            Self::JsonRpcBatch => fixture.send(post("/rpc", token, &json!([rpc(method)]))).await.shown(),
            Self::Invoker => {
                let mut input = fixture.contract.input("vault", method).unwrap();
                token.into_iter().for_each(|name| input.set_principal(principal(name)));
                match fixture.contract.call(input).await {
                    Ok(output) => output,
                    Err(InvokeError::Refused(refusal)) => format!("{} {refusal}", refusal.status()),
                    Err(other) => panic!("{other:?}"),
                }
            }
            Self::PluginRouter => {
                let body = json!({ "tool": tool, "arguments": {} });
                let reply = fixture.send(post("/plugins/calls", token, &body)).await;
                if let (201, Some(name)) = (reply.status, token) {
                    let id = reply.json()["id"].as_str().unwrap().to_owned();
                    let call = fixture.host.find_as(principal(name), &id).await.unwrap();
                    return call.outcome().await.text().to_owned();
                }
                reply.shown()
            }
            Self::PluginHost => {
                let call = match token {
                    Some(name) => fixture.host.call_as(principal(name), &tool, json!({})).await.unwrap(),
                    None => fixture.host.plugin(&tool).unwrap().call(json!({})).await.unwrap(),
                };
                call.outcome().await.text().to_owned()
            }
            Self::InProcess => {
                let mut client = Client::new(&fixture.service, Revision::LATEST);
                if let Some(name) = token {
                    client = client.principal(principal(name));
                }
                let reply = client.call(&tool, json!({})).await;
                reply.error().map_or_else(|| reply.text().to_owned(), |error| format!("{error:?}"))
            }
        }
    }
}

impl Reply {
    fn shown(&self) -> String {
        format!("{} {}", self.status, self.text)
    }
}

fn rpc(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": format!("vault.{method}") })
}

fn task_of(reply: &Reply) -> Option<String> {
    serde_json::from_str::<Value>(&reply.text).ok()?["result"]["taskId"].as_str().map(str::to_owned)
}

async fn in_session(fixture: &Fixture, token: Option<&str>, params: Value) -> String {
    let hello = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "c", "version": "1" },
        },
    });
    let begun = fixture.send(post("/mcp", token, &hello)).await;
    let Some(session) = begun.headers.get("mcp-session-id").cloned() else { return begun.shown() };
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut call = post("/mcp", token, &call);
    call.headers_mut().insert("mcp-session-id", session);
    fixture.send(call).await.shown()
}

#[tokio::test]
async fn every_requirement_is_checked_whichever_way_a_call_comes() {
    for way in WAYS {
        let fixture = Fixture::new().await;
        for requirement in REQUIREMENTS {
            for caller in CALLERS {
                let before = fixture.runs.count();
                let got = way.call(&fixture, requirement.method(), caller).await;
                let ran = fixture.runs.count() - before;
                let expected = usize::from(requirement.admits(way, caller));
                assert_eq!(ran, expected, "{requirement:?}, called by {caller:?} through {way:?}: {got}");
            }
        }
    }
}

#[tokio::test]
async fn a_refused_caller_learns_what_is_missing() {
    let fixture = Fixture::new().await;
    for way in WAYS {
        let got = way.call(&fixture, "open", Caller::User).await;
        assert!(got.contains("admin"), "{way:?}: {got}");
    }
}

/// Calls that wait take all slots of a server. Each way over HTTP that runs calls refuses one more, before it runs.
#[tokio::test]
async fn all_ways_over_http_share_the_slots_of_a_server() {
    let fixture = Fixture::with(|server| server.max_concurrent_calls(2)).await;
    let waiting = async { tokio::join!(Way::Rest.call(&fixture, "slow", Caller::User), occupied(&fixture)) };
    let (slow, ()) = waiting.await;
    assert!(slow.starts_with("200 "), "{slow}");
}

async fn occupied(fixture: &Fixture) {
    let other = Way::JsonRpc.call(fixture, "slow", Caller::User);
    let refused = async {
        tokio::task::yield_now().await;
        let before = fixture.runs.count();
        for way in [Way::Request, Way::Session, Way::Search, Way::Rest, Way::JsonRpc, Way::JsonRpcBatch] {
            let got = way.call(fixture, "plain", Caller::User).await;
            assert!(got.contains("limit of calls in flight"), "{way:?}: {got}");
        }
        assert_eq!(fixture.runs.count(), before);
        fixture.released.add_permits(2);
    };
    tokio::join!(other, refused);
}

#[tokio::test]
async fn all_ways_over_http_share_the_slots_of_a_client() {
    let limits = HttpLimits::default().max_calls_per_client(1);
    let fixture = Fixture::with(|server| server.authorization(authorization()).http_limits(limits)).await;
    let slow = Way::Rest.call(&fixture, "slow", Caller::User);
    let refused = async {
        tokio::task::yield_now().await;
        for way in [Way::Request, Way::Session, Way::Search, Way::Rest, Way::JsonRpc, Way::JsonRpcBatch] {
            let got = way.call(&fixture, "plain", Caller::User).await;
            assert!(got.contains("you have reached your limit of calls in flight"), "{way:?}: {got}");
            let got = way.call(&fixture, "plain", Caller::Admin).await;
            assert!(got.starts_with("200 "), "{way:?}: {got}");
        }
        fixture.released.add_permits(1);
    };
    let (slow, ()) = tokio::join!(slow, refused);
    assert!(slow.starts_with("200 "), "{slow}");
}

#[tokio::test]
async fn few_calls_of_a_batch_run_at_the_same_time() {
    let fixture = Fixture::with(|server| server.max_concurrent_calls(9)).await;
    let batch = Value::from(vec![rpc("slow"); 100]);
    let batch = fixture.send(post("/rpc", None, &batch));
    let others = async {
        tokio::task::yield_now().await;
        let got = Way::Rest.call(&fixture, "plain", Caller::Nobody).await;
        assert!(got.starts_with("200 "), "a ninth slot is free: {got}");
        fixture.released.add_permits(100);
    };
    let (batch, ()) = tokio::join!(batch, others);
    let results = batch.json().as_array().unwrap().iter().filter(|response| response["result"].is_u64()).count();
    assert_eq!(results, 100, "{}", batch.text);
}

#[tokio::test]
async fn a_server_that_shuts_down_begins_no_call() {
    let fixture = Fixture::new().await;
    fixture.service.shutdown(Duration::ZERO).await;
    for way in [Way::Request, Way::Search, Way::Rest, Way::JsonRpc, Way::JsonRpcBatch, Way::Invoker] {
        let got = way.call(&fixture, "plain", Caller::Admin).await;
        assert!(got.contains("shutting down"), "{way:?}: {got}");
    }
    assert_eq!(fixture.runs.count(), 0);
}
