//! Calls whose answers were prepared.

use serde_json::{Value, json};

use super::{
    super::{
        NewCall,
        api::{
            call::{DevAnswerer, DevCall, DevCallStatus},
            event::CallEventKind,
            fault::DevFault,
        },
        error::SessionError,
    },
    LEGACY, MODERN, Tried, finding, setup, text, tool_request,
};

fn begin(tried: &Tried, revision: &str, tool: &str, arguments: &Value, answers: Value) -> Result<String, SessionError> {
    begin_with(tried, revision, tool, arguments, answers, None)
}

fn begin_with(
    tried: &Tried,
    revision: &str,
    tool: &str,
    arguments: &Value,
    answers: Value,
    fault: Option<DevFault>,
) -> Result<String, SessionError> {
    let request = tool_request(tool, arguments);
    let answers = serde_json::from_value(answers).unwrap();
    Ok(tried.session.call(NewCall { request, setup: setup(revision), fault, answers })?.id)
}

fn answerers(call: &DevCall) -> Vec<DevAnswerer> {
    let by = call.events.iter().flatten().filter_map(|event| match &event.kind {
        CallEventKind::Answered { by, .. } => Some(*by),
        _ => None,
    });
    by.collect()
}

#[tokio::test]
async fn a_call_with_prepared_answers_needs_no_person() {
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        let answers = json!([
            { "action": "reply", "text": "of no use here" },
            { "kind": "form", "action": "accept", "content": { "day": 3 } },
            { "action": "accept", "content": { "seat": "12A" } },
        ]);
        let id = begin(&tried, revision, "plan", &json!({}), answers).unwrap();
        let call = tried.ended(&id).await;
        assert_eq!(text(&call), "day 3, seat 12A, Which seat?", "{revision}");
        assert_eq!(answerers(&call), [DevAnswerer::Prepared; 2]);
        let poem = json!([{ "kind": "sampling", "action": "reply", "text": "Roses are red." }]);
        let id = begin(&tried, revision, "poem", &json!({ "about": "roses" }), poem).unwrap();
        assert_eq!(tried.text(&id).await, "Roses are red.");
    }
}

#[tokio::test]
async fn an_answer_goes_to_the_question_that_it_names() {
    let tried = Tried::new();
    let answers = json!([
        { "key": "seat", "action": "accept", "content": { "seat": "1B" } },
        { "key": "day", "action": "accept", "content": { "day": 4 } },
    ]);
    let id = begin(&tried, MODERN, "plan", &json!({}), answers.clone()).unwrap();
    assert_eq!(tried.text(&id).await, "day 4, seat 1B, Which seat?");
    // The questions of a session have no keys.
    let id = begin(&tried, LEGACY, "plan", &json!({}), answers).unwrap();
    tried.question(&id).await;
}

#[tokio::test]
async fn a_question_for_which_nothing_is_prepared_waits_for_the_person() {
    let tried = Tried::new();
    let answers = json!([{ "key": "seat", "action": "accept", "content": { "seat": "1B" } }]);
    let id = begin(&tried, MODERN, "plan", &json!({}), answers).unwrap();
    let day = tried.question(&id).await;
    tried.accept(&id, &day, &json!({ "day": 5 }));
    let call = tried.ended(&id).await;
    assert_eq!(text(&call), "day 5, seat 1B, Which seat?");
    assert_eq!(answerers(&call), [DevAnswerer::Hand, DevAnswerer::Prepared]);
}

#[tokio::test]
async fn an_answer_that_is_refused_is_followed_by_the_person() {
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        let answers = json!([
            { "action": "accept", "content": { "day": "never" } },
            { "action": "accept", "content": { "seat": "2C" } },
        ]);
        let id = begin(&tried, revision, "plan", &json!({}), answers).unwrap();
        let again = tried.until(&id, "the question again", |call| call.rounds > 1 && !call.questions.is_empty()).await;
        assert_eq!(again.status, DevCallStatus::InputRequired, "{revision}");
        assert_eq!(answerers(&again), [DevAnswerer::Prepared]);
        tried.accept(&id, &again.questions[0], &json!({ "day": 6 }));
        assert_eq!(tried.text(&id).await, "day 6, seat 2C, Which seat?");
    }
}

#[tokio::test]
async fn faults_act_on_prepared_answers() {
    let answers = || json!([{ "action": "accept", "content": { "confirmed": true } }]);
    let to = json!({ "to": "Ada" });
    let tried = Tried::new();
    let late = begin_with(&tried, MODERN, "send_money", &to, answers(), Some(DevFault::AnswerLate)).unwrap();
    let late = tried.ended(&late).await;
    assert_eq!((late.status, finding(&late, DevFault::AnswerLate).0), (DevCallStatus::Failed, true));
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        let fault = Some(DevFault::AnswerWrongly);
        let id = begin_with(&tried, revision, "send_money", &to, answers(), fault).unwrap();
        let wrong = tried.ended(&id).await;
        assert_eq!(text(&wrong), "sent to Ada", "{revision}");
        assert_eq!(answerers(&wrong), [DevAnswerer::Script, DevAnswerer::Prepared]);
    }
}

#[tokio::test]
async fn a_session_that_begins_again_gets_the_same_answers_again() {
    let tried = Tried::new();
    let answers = json!([{ "action": "accept", "content": { "confirmed": true } }]);
    let fault = Some(DevFault::LoseReply);
    let id = begin_with(&tried, LEGACY, "send_money", &json!({ "to": "Ada" }), answers, fault).unwrap();
    let call = tried.ended(&id).await;
    assert_eq!((call.status, answerers(&call).len()), (DevCallStatus::Finished, 2));
}

#[tokio::test]
async fn answers_that_fit_no_question_are_refused() {
    let tried = Tried::new();
    let refused = |answers: Value| begin(&tried, MODERN, "plan", &json!({}), answers).unwrap_err().to_string();
    let accept = json!({ "action": "accept" });
    assert_eq!(
        refused(json!([accept, { "kind": "roots", "action": "decline" }])),
        "the prepared answer 2 is for a question of the kind \"roots\", which is answered with `roots`"
    );
    assert!(refused(json!([{ "action": "reply" }])).contains("fits no question"));
    assert!(refused(json!([{ "action": "model" }])).contains("MCP_MODEL"));
    assert!(refused(json!(vec![accept; 101])).contains("at most 100"));
    assert!(tried.session.calls().is_empty());
}
