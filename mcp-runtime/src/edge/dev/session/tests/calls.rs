//! Calls in both eras.

use std::sync::Arc;

use serde_json::{Map, json};

use super::{
    super::{
        api::{
            call::{AnyAnswer, DevCallStatus, DevQuestion},
            event::CallEventKind,
        },
        error::SessionError,
        model::DevModel,
    },
    LEGACY, MODERN, Tried, options, text, types,
};
use crate::{
    edge::dev::target::Reported,
    engine::sample::{Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest},
};

#[tokio::test]
async fn a_call_is_one_lane_in_both_eras() {
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        let (id, question) = tried.transfer(revision, None).await;
        let DevQuestion::Form(form) = &question else { panic!("{question:?}") };
        assert_eq!(form.message, "Send money to Ada?");
        assert!(form.schema.as_ref().unwrap()["properties"]["confirmed"].is_object());
        tried.accept(&id, &question, &json!({ "confirmed": true }));
        let call = tried.ended(&id).await;
        assert_eq!((call.status, text(&call)), (DevCallStatus::Finished, "sent to Ada".to_owned()), "{revision}");
        let types = types(&call);
        let order: Vec<_> = ["started", "round", "asked", "answered", "finished"]
            .map(|it| types.iter().position(|found| found == it).unwrap())
            .into();
        assert!(order.is_sorted(), "{types:?}");
        assert!(types.contains(&"log".to_owned()) && types.contains(&"ran".to_owned()), "{types:?}");
        assert_eq!(call.rounds, 2);
        assert!(tried.session.answer(&id, question.seq(), AnyAnswer::Decline).is_err(), "the call has ended");
    }
}

#[tokio::test]
async fn ids_of_requests_differ_across_connections() {
    let tried = Tried::new();
    let mut ids = Vec::new();
    for revision in [MODERN, LEGACY, MODERN] {
        let id = tried.call(revision, "greet", &json!({ "name": "Ann" }), None);
        assert_eq!(tried.text(&id).await, "Hello, Ann!");
    }
    for message in tried.session.messages(&Default::default()).messages {
        if message.kind.contains('/') || message.kind == "initialize" {
            ids.extend(message.request);
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert!(count > 3 && ids.len() == count, "{ids:?}");
}

#[tokio::test]
async fn all_messages_of_a_call_are_logged_with_it() {
    let tried = Tried::new();
    let (id, question) = tried.transfer(MODERN, None).await;
    tried.accept(&id, &question, &json!({ "confirmed": true }));
    let call = tried.ended(&id).await;
    let page =
        tried.session.messages(&super::super::api::message::MessageQuery { call: Some(id), ..Default::default() });
    let kinds: Vec<_> = page.messages.iter().map(|message| (&*message.kind, message.round.unwrap())).collect();
    assert_eq!(
        kinds,
        [("tools/call", 1), ("notifications/message", 1), ("result", 1), ("tools/call", 2), ("result", 2)]
    );
    let last = call.events.unwrap().last().unwrap().wire.unwrap();
    assert!(tried.session.message(last).unwrap().text.unwrap().contains("sent to Ada"));
}

#[tokio::test]
async fn an_open_call_continues_in_the_code_that_was_built_meanwhile() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "plan", &json!({}), None);
    let day = tried.question(&id).await;
    tried.target.change_code("Window or aisle?");
    tried.accept(&id, &day, &json!({ "day": 3 }));
    let seat = tried.question(&id).await;
    assert_eq!(seat.key(), "seat");
    tried.accept(&id, &seat, &json!({ "seat": "12A" }));
    assert_eq!(tried.text(&id).await, "day 3, seat 12A, Window or aisle?");
}

#[tokio::test]
async fn a_question_that_has_changed_is_shown_beside_the_one_before() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "plan", &json!({}), None);
    let day = tried.question(&id).await;
    tried.accept(&id, &day, &json!({ "day": 3 }));
    let seat = tried.until(&id, "the second question", |call| call.questions.iter().any(|it| it.key() == "seat")).await;
    tried.target.change_code("Window or aisle?");
    tried.accept(&id, &seat.questions[0], &json!({ "seat": "12A" }));
    let call = tried.until(&id, "the question again", |call| call.rounds == 3 && !call.questions.is_empty()).await;
    let changed = call.events.iter().flatten().find_map(|event| match &event.kind {
        CallEventKind::Changed { key, before: DevQuestion::Form(before), after: DevQuestion::Form(after) } => {
            Some((&**key, &*before.message, &*after.message))
        }
        _ => None,
    });
    assert_eq!(changed, Some(("seat", "Which seat?", "Window or aisle?")), "{:?}", types(&call));
    tried.accept(&id, &call.questions[0], &json!({ "seat": "1B" }));
    assert_eq!(tried.text(&id).await, "day 3, seat 1B, Window or aisle?");
}

#[tokio::test]
async fn a_session_does_not_survive_its_process() {
    let tried = Tried::new();
    let (id, _) = tried.transfer(LEGACY, None).await;
    tried.target.change_code("?");
    let call = tried.ended(&id).await;
    let Some(CallEventKind::Failed { told, .. }) = call.events.unwrap().pop().map(|event| event.kind) else {
        panic!("{:?}", call.status)
    };
    assert!(told.contains("the process of the server has ended"), "{told}");
}

/// Repeats the prompt.
struct Echo;

impl SamplingProvider for Echo {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        let said = request.messages.last().map(|message| message.text()).unwrap_or_default();
        Box::pin(async move { Ok(Sampled::new(vec![SamplingContent::Text(format!("{said}!"))], "echo")) })
    }
}

#[tokio::test]
async fn a_model_is_answered_by_hand_by_a_result_or_by_the_model_of_the_environment() {
    for revision in [MODERN, LEGACY] {
        let model = Some(DevModel { name: "echo".to_owned(), provider: Arc::new(Echo) });
        let tried = Tried::with(super::super::SessionOptions { model, ..options() });
        let result = json!({ "role": "assistant", "content": { "type": "text", "text": "raw" }, "model": "m" });
        for (answer, expected) in [
            (AnyAnswer::Reply { text: Some("Roses.".to_owned()), result: None }, "Roses."),
            (AnyAnswer::Reply { text: None, result: result.as_object().cloned() }, "raw"),
            (AnyAnswer::Model, "A poem about cats!"),
        ] {
            let id = tried.call(revision, "poem", &json!({ "about": "cats" }), None);
            let question = tried.question(&id).await;
            assert!(matches!(&question, DevQuestion::Sampling { params, .. } if params["maxTokens"] == 50));
            assert!(matches!(
                tried.session.answer(&id, question.seq(), AnyAnswer::Decline),
                Err(SessionError::Invalid(_))
            ));
            tried.session.answer(&id, question.seq(), answer).unwrap();
            assert_eq!(tried.text(&id).await, expected, "{revision}");
        }
    }
}

#[tokio::test]
async fn without_a_model_the_environment_is_named() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "poem", &json!({ "about": "cats" }), None);
    let question = tried.question(&id).await;
    let refused = tried.session.answer(&id, question.seq(), AnyAnswer::Model).unwrap_err();
    assert!(refused.to_string().contains("MCP_MODEL"), "{refused}");
    assert!(tried.session.state().abilities.model.is_none());
}

#[tokio::test]
async fn a_call_in_flight_is_cancelled_at_the_server_too() {
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        let id = tried.call(revision, "wait", &json!({}), None);
        tried.until(&id, "the request", |call| types(call).contains(&"round".to_owned())).await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        tried.session.cancel(&id).unwrap();
        assert_eq!(tried.ended(&id).await.status, DevCallStatus::Cancelled);
        let sent = tried.session.messages(&super::super::api::message::MessageQuery {
            method: Some("notifications/cancelled".to_owned()),
            ..Default::default()
        });
        assert_eq!(sent.matching, 1, "{revision}");
        assert!(tried.session.cancel(&id).is_err());
    }
}

#[tokio::test]
async fn a_call_that_the_server_refuses_fails_with_its_words() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "nothing", &json!({}), None);
    let call = tried.ended(&id).await;
    let last = call.events.unwrap().pop().unwrap().kind;
    assert!(
        matches!(&last, CallEventKind::Failed { code: Some(-32602), told, .. } if told.contains("nothing")),
        "{last:?}"
    );
}

#[tokio::test]
async fn reports_of_a_request_belong_to_its_call() {
    let tried = Tried::new();
    let (id, question) = tried.transfer(MODERN, None).await;
    let request = tried.session.messages(&Default::default()).messages;
    let request = request.iter().find(|message| message.kind == "tools/call").unwrap().request.clone();
    let fields = vec![("tool".to_owned(), "send_money".to_owned())];
    tried.target.report(Reported::Span { request: request.clone(), name: "mcp.call".to_owned(), took: 1.5, fields });
    tried.target.report(Reported::Metric { request, name: "calls".to_owned(), value: 1.0, labels: Vec::new() });
    tried.target.report(Reported::Output { line: "a line of stderr".to_owned() });
    let call = tried.until(&id, "the metric", |call| types(call).contains(&"metric".to_owned())).await;
    assert!(types(&call).contains(&"span".to_owned()));
    tried.session.answer(&id, question.seq(), AnyAnswer::Accept { content: Some(Map::new()) }).unwrap();
    let query = super::super::api::message::MessageQuery { method: Some("stderr".to_owned()), ..Default::default() };
    for _ in 0..100 {
        if tried.session.messages(&query).matching == 1 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the output is not logged");
}
