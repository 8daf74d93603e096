//! The states of a client's calls, and of the calls that an application runs itself.

#![allow(unused_imports, reason = "expansions import traits that only other crates need")]

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    MemoryClient, Result, Server, Service,
    base::mutex::Mutex,
    engine::call::{MessageSink, body::Body, message_sink::Application},
    prelude::*,
    serve::{
        client::{ClientProfile, ClientReply, ClientResult, ServiceClient},
        server::reply_to::TakesReply,
    },
    wire::protocol::{frame::Frame, params::Params, text::json_string},
};

#[elicits]
enum Wish {
    Sit { seat: String },
}

/// Asks for a seat.
#[mcp_tool]
async fn sit(ctx: &Ctx<Wish>) -> Result<String> {
    Ok(ctx.elicit::<Sit>("Which seat?").strict().await?.seat)
}

/// Asks for a seat, and can be rebuilt.
#[mcp_tool(replayable)]
async fn sit_again(ctx: &Ctx<Wish>) -> Result<String> {
    Ok(ctx.elicit::<Sit>("Which seat?").strict().await?.seat)
}

/// The tools of [`service`].
pub(super) const TOOLS: [&str; 2] = ["sit", "sit_again"];

pub(super) fn service() -> Service {
    Server::new("s", "1").tools(tools![sit, sit_again]).build().unwrap()
}

/// The answer to the question of both tools.
fn seat() -> Value {
    json!({ "sit": { "action": "accept", "content": { "seat": "12A" } } })
}

/// Runs calls as an application does.
pub(super) struct TestApplication(ServiceClient);

/// Keeps the reply to one request.
#[derive(Default)]
struct Reply(Mutex<Option<Body>>);

impl TestApplication {
    pub(super) fn new(service: &Service) -> Self {
        let profile = ClientProfile::newest("app", json!({ "elicitation": {} }), None);
        Self(ServiceClient::connect(service, &profile))
    }

    fn request(&self, tool: &str, answers: Option<&str>, state: Option<&str>) -> ClientReply {
        let (reply, state) = (Arc::<Reply>::default(), state.map(json_string));
        let params = Params {
            name: Some(&json_string(tool)),
            input_responses: answers,
            request_state: state.as_deref(),
            ..Params::default()
        };
        self.0.send(&reply, None, self.0.next_id(), "tools/call", &params);
        let body = reply.0.lock().take();
        ClientReply::of(body.expect("a ledger in memory answers at once")).unwrap()
    }

    /// Begins a call, and returns the state of its question.
    pub(super) fn ask(&self, tool: &str) -> String {
        match self.request(tool, None, None) {
            ClientReply::Asks(_, Some(state)) => state,
            _ => panic!("`{tool}` does not ask"),
        }
    }

    /// Answers the question with this state. Returns the result of the call.
    ///
    /// # Errors
    /// Returns the message of the protocol error.
    pub(super) fn answer(&self, tool: &str, state: &str) -> Result<String, String> {
        match self.request(tool, Some(&seat().to_string()), Some(state)) {
            ClientReply::Result(ClientResult::Value(completed)) => Ok(completed.result.first_text().to_owned()),
            ClientReply::Refused(error, _) => Err(error.message),
            _ => panic!("`{tool}` asks again"),
        }
    }
}

impl TakesReply for Reply {
    fn take(&self, body: Body) {
        *self.0.lock() = Some(body);
    }
}

impl MessageSink for Reply {
    fn send(&self, _: Frame) {}

    fn application(&self) -> Option<&dyn Application> {
        Some(self)
    }
}

impl Application for Reply {
    fn handed_off(&self, _: &str) {}

    fn begun(&self) {}

    fn sampled(&self, _: &str, _: Option<&str>) {}
}

/// Sends a request of an MCP client. Returns the response.
async fn call(client: &mut MemoryClient, tool: &str, more: Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    }});
    let Value::Object(more) = more else { panic!("{more}") };
    params.as_object_mut().unwrap().extend(more);
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    client.send(&request.to_string()).await;
    serde_json::from_str(&client.receive().await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_state_of_an_application_is_not_a_state_of_a_client() {
    let service = service();
    let (application, mut client) = (TestApplication::new(&service), service.memory());
    for tool in TOOLS {
        let kept = application.ask(tool);
        let asked = call(&mut client, tool, json!({})).await;
        let carried = asked["result"]["requestState"].as_str().unwrap();

        let answer = |state: &str| json!({ "inputResponses": seat(), "requestState": state });
        let refused = call(&mut client, tool, answer(&kept)).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("does not belong to this request"), "{tool}: {refused}");
        assert_eq!(application.answer(tool, carried).unwrap_err(), message, "{tool}");

        // Both calls still wait.
        assert_eq!(application.answer(tool, &kept).as_deref(), Ok("12A"), "{tool}");
        let answered = call(&mut client, tool, answer(carried)).await;
        assert_eq!(answered["result"]["content"][0]["text"], "12A", "{tool}: {answered}");
    }
}

#[cfg(feature = "seal")]
#[tokio::test]
async fn only_a_state_that_leaves_the_process_is_written_with_the_keys_of_the_server() {
    let service = service();
    let (application, mut client) = (TestApplication::new(&service), service.memory());
    let has_keys = |state: &str| state.starts_with("v1.") || state.starts_with("t1.");
    for tool in TOOLS {
        let asked = call(&mut client, tool, json!({})).await;
        assert!(has_keys(asked["result"]["requestState"].as_str().unwrap()), "{tool}: {asked}");
        assert!(!has_keys(&application.ask(tool)), "{tool}");
    }
}
