//! Handlers of the application.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use mcp_runtime::{
    ElicitRequest, Elicited,
    plugin::{CallStatus, Plugin, PluginHost, PluginOutcome},
};
use serde_json::json;

use crate::support::{Confirm, Kitchen, MenuHandler, Order, Pick, events, question, server, types};

/// Answers as a user would, and notes what it was asked.
#[derive(Clone, Default)]
struct Ui {
    seen: Arc<Mutex<Vec<String>>>,
    first: Arc<AtomicBool>,
}

impl MenuHandler for Ui {
    async fn pick(&self, request: ElicitRequest<'_, Pick>) -> Elicited<Pick> {
        let choices: Vec<_> = request.choices(Pick::DISH).into_iter().map(|choice| choice.value).collect();
        self.seen.lock().unwrap().push(format!(
            "{} {} {} of {}: {choices:?}, {} {:?}",
            request.seq(),
            request.key(),
            request.tool_name(),
            request.arguments().get(),
            request.handoff().unwrap().get(),
            request.rejected(),
        ));
        assert_eq!(request.call_id().len(), 32);
        // The first answer does not fit.
        let portions = if self.first.swap(true, Ordering::SeqCst) { 3 } else { 12 };
        Elicited::Accept(Pick { dish: choices[0].clone(), portions })
    }

    async fn confirm(&self, request: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        self.seen.lock().unwrap().push(request.message().to_owned());
        Elicited::Accept(Confirm { confirmed: true })
    }
}

#[tokio::test]
async fn a_handler_answers_all_questions() {
    let (kitchen, ui) = (Kitchen::default(), Ui::default());
    let plugin = Plugin::new(Order).on_elicit(ui.clone()).start(server(&kitchen)).await.unwrap();
    let call = plugin.call(json!({ "dishes": 2 })).await.unwrap();
    assert_eq!(call.outcome().await.text(), "ordered 3 × soup of 2");
    assert_eq!(
        *ui.seen.lock().unwrap(),
        [
            r#"1 pick order of {"dishes":2}: ["soup", "pasta"], ["soup","pasta"] None"#,
            "1 pick order of {\"dishes\":2}: [\"soup\", \"pasta\"], [\"soup\",\"pasta\"] \
             Some(\"the answer does not fit:\\n- `portions`: got 12, must be between 1 and 9 (How many)\")",
            "Order 3 × soup?",
        ]
    );
    let expected = ["started", "log", "progress", "elicit", "answered", "elicit", "answered", "finished"];
    assert_eq!(types(&events(call).await), expected);
    assert_eq!(kitchen.counts(), (1, 1));
}

/// Never answers, or panics.
struct Silent {
    panics: bool,
}

impl MenuHandler for Silent {
    async fn pick(&self, _: ElicitRequest<'_, Pick>) -> Elicited<Pick> {
        assert!(!self.panics, "no user here");
        pending().await
    }

    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Accept(Confirm { confirmed: true })
    }
}

#[tokio::test]
async fn another_follower_can_answer_first() {
    let plugin = Plugin::new(Order).on_elicit(Silent { panics: false });
    let host = PluginHost::builder(server(&Kitchen::default())).plugin(plugin).start().await.unwrap();
    let call = host.plugin("order").unwrap().call(json!({ "dishes": 1 })).await.unwrap();
    question(&call, 1).await;
    call.answer(1, Elicited::Accept(Pick { dish: "soup".into(), portions: 1 })).await.unwrap();
    assert_eq!(call.outcome().await.text(), "ordered 1 × soup of 1");
}

#[tokio::test]
async fn a_handler_that_panics_ends_its_call() {
    let plugin = Plugin::new(Order).on_elicit(Silent { panics: true });
    let host = PluginHost::builder(server(&Kitchen::default())).plugin(plugin).start().await.unwrap();
    let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
    let outcome = call.outcome().await;
    assert_eq!(outcome, PluginOutcome::Failed("the application's handler panicked".to_owned()));
    assert_eq!(call.status(), CallStatus::Failed);
}

/// Gives answers that never fit.
struct Stubborn;

impl MenuHandler for Stubborn {
    async fn pick(&self, _: ElicitRequest<'_, Pick>) -> Elicited<Pick> {
        Elicited::Accept(Pick { dish: "fish".into(), portions: 1 })
    }

    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Decline
    }
}

#[tokio::test]
async fn a_handler_gets_three_tries() {
    let plugin = Plugin::new(Order).on_elicit(Stubborn).start(server(&Kitchen::default())).await.unwrap();
    let outcome = plugin.call(json!({ "dishes": 1 })).await.unwrap().outcome().await;
    let told = outcome.text();
    assert!(told.starts_with("the application gave 3 answers to `pick` that do not fit"), "{told}");
    assert!(told.contains("got \"fish\""), "{told}");
}
