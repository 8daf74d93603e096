//! Each fault, and what the ledger says.

use serde_json::json;

use super::{
    super::{api::fault::DevFault, error::SessionError},
    LEGACY, MODERN, Tried, finding, setup, types,
};

/// Plays a transfer in which the fault is armed while the question waits. Returns the finding, and the counts of the
/// record.
async fn transfer_with(fault: DevFault) -> (bool, String) {
    let tried = Tried::new();
    let (id, question) = tried.transfer(MODERN, None).await;
    tried.session.fault(&id, fault).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    tried.accept(&id, &question, &json!({ "confirmed": true }));
    let call = tried.ended(&id).await;
    assert!(types(&call).contains(&"fault".to_owned()), "{:?}", types(&call));
    let record = tried.session.record(&id).await.unwrap();
    let found = finding(&call, fault);
    if fault != DevFault::AnswerLate {
        let ledger = record.record.expect("the call has a record");
        assert_eq!((ledger.status, record.ran["`before`"]), ("done", 1), "{fault:?}");
        assert_eq!(record.ran["`after`"], 1, "{fault:?}");
    }
    found
}

#[tokio::test]
async fn a_reply_that_is_lost_comes_from_the_record() {
    let (ok, told) = transfer_with(DevFault::LoseReply).await;
    let expected = "The request was sent again, and the server answered with the recorded reply. `after` ran once, \
                    `before` ran once.";
    assert_eq!((ok, &*told), (true, expected));
}

#[tokio::test]
async fn a_request_that_arrives_twice_runs_once() {
    let (ok, told) = transfer_with(DevFault::SendTwice).await;
    assert!(ok && told.contains("answered both with the recorded reply"), "{told}");
}

#[tokio::test]
async fn a_connection_that_is_closed_loses_nothing() {
    let (ok, told) = transfer_with(DevFault::CloseConnection).await;
    assert!(ok && told.contains("The call continued. `after` ran once"), "{told}");
}

#[tokio::test]
async fn a_call_continues_after_its_process_was_killed() {
    let (ok, told) = transfer_with(DevFault::Kill).await;
    assert!(ok && told.contains("The call continued. `after` ran once, `before` ran once."), "{told}");
}

#[tokio::test]
async fn a_call_continues_in_the_other_instance() {
    let (ok, told) = transfer_with(DevFault::OtherInstance).await;
    assert!(ok && told.contains("The call continued. `after` ran once, `before` ran once."), "{told}");
}

#[tokio::test]
async fn the_first_answers_win() {
    let (ok, told) = transfer_with(DevFault::AnswerSpent).await;
    assert!(ok && told.contains("the first answers won. `after` ran once"), "{told}");
}

#[tokio::test]
async fn a_state_that_has_expired_is_refused() {
    let (ok, told) = transfer_with(DevFault::AnswerLate).await;
    assert!(ok && told.contains("too late") && told.ends_with("`before` ran once, `after` has not run."), "{told}");
}

#[tokio::test]
async fn a_wrong_answer_is_asked_again_with_its_reason() {
    let tried = Tried::new();
    let (id, _) = tried.transfer(MODERN, None).await;
    tried.session.fault(&id, DevFault::AnswerWrongly).unwrap();
    let call = tried.until(&id, "the question again", |call| call.rounds == 2 && !call.questions.is_empty()).await;
    let (ok, told) = finding(&call, DevFault::AnswerWrongly);
    assert!(ok && told.contains("asked again"), "{told}");
    tried.accept(&id, &call.questions[0], &json!({ "confirmed": true }));
    assert_eq!(tried.text(&id).await, "sent to Ada");
}

#[tokio::test]
async fn a_cancelled_call_does_not_run_its_effect() {
    let tried = Tried::new();
    let (id, _) = tried.transfer(MODERN, None).await;
    tried.session.fault(&id, DevFault::Cancel).unwrap();
    let (ok, told) = finding(&tried.ended(&id).await, DevFault::Cancel);
    assert!(ok && told.ends_with("`before` ran once, `after` has not run."), "{told}");
}

#[tokio::test]
async fn the_clock_goes_forward() {
    let tried = Tried::new();
    let (id, question) = tried.transfer(MODERN, None).await;
    tried.session.fault(&id, DevFault::ClockForward).unwrap();
    tried.until(&id, "the fault", |call| types(call).contains(&"fault".to_owned())).await;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(tried.session.state().status.server.clock, 3600);
    tried.accept(&id, &question, &json!({ "confirmed": true }));
    let (_, told) = finding(&tried.ended(&id).await, DevFault::ClockForward);
    assert!(told.contains("forward by an hour"), "{told}");
}

#[tokio::test]
async fn a_fault_is_taken_back_until_it_happens() {
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        let (id, question) = tried.transfer(revision, None).await;
        assert!(matches!(tried.session.disarm(&id), Err(SessionError::Conflict(_))), "nothing is armed");
        tried.session.fault(&id, DevFault::LoseReply).unwrap();
        tried.until(&id, "the armed fault", |call| call.armed.is_some()).await;
        tried.session.disarm(&id).unwrap();
        assert_eq!(tried.session.find(&id).unwrap().armed, None);
        tried.accept(&id, &question, &json!({ "confirmed": true }));
        let call = tried.ended(&id).await;
        assert!(!types(&call).contains(&"fault".to_owned()), "{revision}: {:?}", types(&call));
        assert!(matches!(tried.session.disarm(&id), Err(SessionError::Conflict(_))), "the call has ended");
    }
}

#[tokio::test]
async fn a_fault_can_happen_to_the_first_request() {
    for fault in [DevFault::LoseReply, DevFault::SendTwice, DevFault::CloseConnection] {
        let tried = Tried::new();
        let (id, question) = tried.transfer(MODERN, Some(fault)).await;
        let call = tried.session.find(&id).unwrap();
        let (ok, told) = finding(&call, fault);
        assert!(ok && told.contains("`before` ran once, `after` has not run."), "{fault:?}: {told}");
        tried.accept(&id, &question, &json!({ "confirmed": true }));
        let call = tried.ended(&id).await;
        assert_eq!(tried.session.record(&id).await.unwrap().ran["`before`"], 1);
        let (ok, told) = finding(&call, fault);
        assert!(ok && told.contains("`before` ran once"), "{fault:?}: {told}");
    }
}

#[tokio::test]
async fn a_tool_without_a_record_runs_again_and_the_page_says_so() {
    let tried = Tried::new();
    let id = tried.call(LEGACY, "count", &json!({}), Some(DevFault::LoseReply));
    assert_eq!(tried.text(&id).await, "2");
    let (ok, told) = finding(&tried.ended(&id).await, DevFault::LoseReply);
    assert!(!ok && told.contains("In a session this is a new call, so `count` ran again."), "{told}");
}

#[tokio::test]
async fn a_repeated_call_is_judged_by_its_record() {
    for (fault, tool) in
        [(DevFault::LoseReply, "count"), (DevFault::CloseConnection, "count"), (DevFault::LoseReply, "greet")]
    {
        let tried = Tried::new();
        tried.session.list(&setup(MODERN)).await.unwrap();
        let id = tried.call(MODERN, tool, &json!({ "name": "Ann" }), Some(fault));
        let (ok, told) = finding(&tried.ended(&id).await, fault);
        let is_recorded = tried.session.record(&id).await.unwrap().record.is_some();
        // What is read-only can run again.
        assert_eq!(ok, is_recorded || tool == "greet", "{told}");
        assert_eq!(told.contains("has no record of the call"), !is_recorded, "{fault:?} {tool}: {told}");
    }
}

#[tokio::test]
async fn another_client_makes_the_same_call() {
    let tried = Tried::new();
    let (id, _) = tried.transfer(MODERN, None).await;
    tried.session.fault(&id, DevFault::OtherRevision).unwrap();
    tried.session.fault(&id, DevFault::WithoutElicitation).unwrap();
    let [without, other, first] = &tried.session.calls()[..] else { panic!("three calls") };
    assert_eq!((&*first.id, &*other.setup.revision), (&*id, LEGACY));
    let question = tried.question(&other.id).await;
    tried.accept(&other.id, &question, &json!({ "confirmed": false }));
    let (ok, told) = finding(&tried.ended(&other.id).await, DevFault::OtherRevision);
    assert!(ok && told.starts_with("The client of another revision gets a result."), "{told}");
    let (ok, told) = finding(&tried.ended(&without.id).await, DevFault::WithoutElicitation);
    assert!(ok && told.starts_with("The client without elicitation is refused: "), "{told}");
}

#[tokio::test]
async fn faults_of_a_session_lose_its_call() {
    for (fault, lost) in [(DevFault::Kill, true), (DevFault::CloseConnection, false), (DevFault::SendTwice, false)] {
        let tried = Tried::new();
        let (id, question) = tried.transfer(LEGACY, None).await;
        tried.session.fault(&id, fault).unwrap();
        if !lost {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            tried.accept(&id, &question, &json!({ "confirmed": true }));
        }
        if fault == DevFault::CloseConnection {
            let again = tried.until(&id, "the new call's question", |call| {
                types(call).contains(&"fault".to_owned()) && !call.questions.is_empty()
            });
            let question = again.await.questions[0].clone();
            tried.accept(&id, &question, &json!({ "confirmed": true }));
        }
        let call = tried.ended(&id).await;
        let (ok, told) = finding(&call, fault);
        assert_eq!(ok, fault == DevFault::SendTwice, "{fault:?}: {told}");
    }
}

#[tokio::test]
async fn a_fault_that_cannot_happen_says_why() {
    let tried = Tried::new();
    let (id, _) = tried.transfer(LEGACY, None).await;
    for fault in [DevFault::AnswerLate, DevFault::AnswerSpent, DevFault::OtherInstance] {
        let refused = tried.session.fault(&id, fault).unwrap_err();
        assert!(matches!(&refused, SessionError::NotPossible(why) if why.contains(MODERN)), "{refused}");
    }
}

#[tokio::test]
async fn the_record_shows_the_state_and_the_journal() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "plan", &json!({}), None);
    let day = tried.question(&id).await;
    tried.accept(&id, &day, &json!({ "day": 3 }));
    tried.until(&id, "the second question", |call| call.rounds == 2 && !call.questions.is_empty()).await;
    let record = tried.session.record(&id).await.unwrap();
    let state = record.state.unwrap();
    assert_eq!((state.round, state.misses), (Some(2), Some(0)), "{state:?}");
    assert!(matches!(state.kind, "sealed" | "token") && state.expires_at.unwrap() > crate::base::clock::now());
    let journal = state.journal.unwrap();
    assert_eq!(journal["answers"][0]["answer"]["content"]["day"], 3);
    assert_eq!(journal["open"][0]["key"], "seat");
    let record = record.record.unwrap();
    assert_eq!((record.status, record.lease), ("open", None));
    assert_eq!(record.reply.unwrap()["result"]["resultType"], "input_required");
}
