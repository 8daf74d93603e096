#![allow(unused_imports, reason = "expansions import traits that only other crates need")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};
use tokio::{sync::Notify, task::yield_now};

use super::{
    AnswersQuestions, ClientProfile, ClientRequest, InputRequired, Question, RequestFailure, RoundInput, ServerMessage,
    ServerNotification, ServiceClient,
};
use crate::{Result, Server, Service, prelude::*};

#[elicits]
enum Menu {
    Dish { dish: String },
}

/// Orders a dish.
#[mcp_tool]
async fn order(ctx: &Ctx<Menu>, people: u32) -> Result<String> {
    ctx.log(Level::Info, "looking at the menu");
    match ctx.elicit::<Dish>("Which dish?").await? {
        Elicited::Accept(Dish { dish }) => Ok(format!("{dish} for {people}")),
        _ => Ok("nothing".to_owned()),
    }
}

/// Gives this answer to every question.
struct Guest {
    answer: Result<Option<Value>, &'static str>,
    asked: Vec<Question>,
    logs: usize,
}

impl Guest {
    fn new(answer: Result<Option<Value>, &'static str>) -> Self {
        Self { answer, asked: Vec::new(), logs: 0 }
    }
}

impl AnswersQuestions for Guest {
    type Stop = &'static str;

    async fn answer(&mut self, question: &Question) -> Result<Option<Value>, &'static str> {
        self.asked.push(question.clone());
        self.answer.clone()
    }

    fn notice(&mut self, notification: ServerNotification) {
        self.logs += usize::from(matches!(notification, ServerNotification::Log(_)));
    }
}

fn connect(service: &Service) -> Arc<ServiceClient> {
    let capabilities = json!({ "elicitation": { "form": {} } });
    Arc::new(ServiceClient::connect(service, &ClientProfile::newest("guest", capabilities, Some(Level::Info))))
}

fn call(tool: &str, arguments: &Value) -> ClientRequest {
    ClientRequest::Tool { name: tool.to_owned(), arguments: to_raw_value(arguments).ok() }
}

fn service() -> Service {
    Server::new("kitchen", "1").tools(tools![order]).build().unwrap()
}

#[tokio::test]
async fn answers_the_questions_of_a_call() {
    let mut guest = Guest::new(Ok(Some(json!({ "action": "accept", "content": { "dish": "soup" } }))));
    let client = connect(&service());
    for _ in 0..2 {
        let result = client.call(&call("order", &json!({ "people": 2 })), &mut guest).await;
        let result: Value = serde_json::from_str(result.unwrap().get()).unwrap();
        assert_eq!(result["content"][0]["text"], "soup for 2");
        assert_eq!(result["resultType"], "complete");
    }
    assert_eq!(guest.asked.iter().map(|asked| &asked.params["message"]).collect::<Vec<_>>(), ["Which dish?"; 2]);
    assert_eq!(guest.logs, 2);
}

#[tokio::test]
async fn an_answerer_can_end_a_call() {
    let mut guest = Guest::new(Err("the guest has left"));
    let ended = connect(&service()).call(&call("order", &json!({ "people": 2 })), &mut guest).await;
    assert!(matches!(ended, Err(RequestFailure::Stopped("the guest has left"))), "{ended:?}");
}

#[tokio::test]
async fn a_protocol_error_ends_a_call() {
    let ended = connect(&service()).call(&call("pay", &json!({})), &mut Guest::new(Ok(None))).await;
    let Err(RequestFailure::Refused(error)) = ended else { panic!("{ended:?}") };
    assert_eq!(error.code, -32602);
}

#[tokio::test]
async fn dropping_a_call_cancels_it() {
    struct Running(Arc<AtomicBool>);

    impl Drop for Running {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[derive(Clone, Default)]
    struct Watch(Arc<AtomicBool>, Arc<Notify>);

    /// Never ends.
    #[mcp_tool]
    async fn wait(watch: &Watch) {
        let _running = Running(Arc::clone(&watch.0));
        watch.1.notify_one();
        std::future::pending::<()>().await;
    }

    let watch = Watch::default();
    let service = Server::new("s", "1").state(watch.clone()).tools(tools![wait]).build().unwrap();
    let client = connect(&service);
    let request = call("wait", &json!({}));
    let mut guest = Guest::new(Ok(None));
    tokio::select! {
        ended = client.call(&request, &mut guest) => panic!("{ended:?}"),
        () = watch.1.notified() => {}
    }
    while !watch.0.load(Ordering::SeqCst) {
        yield_now().await;
    }
}

fn sent(input: &RoundInput) -> Value {
    let arguments = RawValue::from_string(r#"{"n":10000000000000000000000}"#.to_owned()).ok();
    let request = ClientRequest::Tool { name: "say \"it\"".to_owned(), arguments };
    let profile = ClientProfile::newest("guest", json!({ "roots": {} }), None);
    let message = serde_json::to_string(&profile.round(7, &request, input)).unwrap();
    assert!(message.contains(r#""arguments":{"n":10000000000000000000000}"#), "{message}");
    let message: Value = serde_json::from_str(&message).unwrap();
    assert_eq!(message["id"], message["params"]["_meta"]["progressToken"]);
    assert_eq!(message["params"]["name"], "say \"it\"");
    json!([message["params"]["inputResponses"], message["params"]["requestState"]])
}

#[test]
fn each_round_sends_the_answers_and_the_state() {
    assert_eq!(sent(&RoundInput::default()), json!([null, null]));
    let input_responses = json!({ "a": {} }).as_object().cloned();
    let second = RoundInput { input_responses, request_state: Some("s".to_owned()), ..RoundInput::default() };
    assert_eq!(sent(&second), json!([{ "a": {} }, "s"]));
}

#[test]
fn reads_the_questions_that_end_a_round() {
    let read = |result: Value| InputRequired::read(&result);
    let question = json!({ "method": "roots/list" });
    let asked = json!({ "resultType": "input_required", "inputRequests": { "a": question }, "requestState": "s" });
    let InputRequired { questions, state } = read(asked).unwrap().unwrap();
    assert_eq!(questions, [Question::new("a".into(), "roots/list".into(), Value::Null)]);
    assert_eq!(state.as_deref(), Some("s"));

    assert!(read(json!({ "resultType": "complete", "content": [] })).unwrap().is_none());
    assert!(read(json!({ "resultType": "input_required" })).unwrap().unwrap().questions.is_empty());
    assert!(read(json!({ "resultType": "input_required", "inputRequests": 7 })).is_err());
}

#[test]
fn rejects_a_response_without_result_and_error() {
    assert!(ServerMessage::read(br#"{"jsonrpc":"2.0","id":1}"#).is_err());
}

#[tokio::test]
async fn a_list_and_a_question_reach_the_caller_as_any_client_gets_them() {
    let client = connect(&service());
    let list = ClientRequest::List { method: "tools/list", cursor: Value::Null };
    let listed: Value =
        serde_json::from_str(client.call(&list, &mut Guest::new(Ok(None))).await.unwrap().get()).unwrap();
    assert_eq!(listed["tools"][0]["name"], "order");

    let mut guest = Guest::new(Ok(Some(json!({ "action": "decline" }))));
    client.call(&call("order", &json!({ "people": 2 })), &mut guest).await.unwrap();
    let [question] = &guest.asked[..] else { panic!("{:?}", guest.asked) };
    assert_eq!((&*question.key, &*question.method), ("dish", "elicitation/create"));
    assert_eq!(question.params["requestedSchema"]["properties"]["dish"]["type"], "string");
}
