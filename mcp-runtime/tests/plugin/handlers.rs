//! Handlers of the application.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use mcp_runtime::{
    Elicited, Result, Server,
    elicit::ElicitRequest,
    plugin::{CallStatus, Plugin, PluginHost, PluginOutcome},
    prelude::*,
};
use serde_json::json;

use crate::plugin::support::{Confirm, Kitchen, MenuHandler, Order, Pick, events, question, server, types};

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

/// A seat.
#[derive(Choice, Clone, Copy, Debug, PartialEq)]
enum Side {
    Window,
    #[choice(title = "At the aisle")]
    Aisle,
}

#[elicits]
enum Seating {
    Seat {
        #[elicit(enum_names)]
        listed: Side,
        titled: Side,
    },
}

struct Sit;

/// Asks for a seat.
#[handoff]
impl Sit {
    async fn before() {}

    async fn client(ctx: &Ctx<Seating>, (): &()) -> Result<Seat> {
        Ok(ctx.elicit::<Seat>("Where?").strict().await?)
    }

    async fn after((): (), seat: Seat) -> String {
        format!("{:?} and {:?}", seat.listed, seat.titled)
    }
}

/// Answers with the last choice of each field, and notes their titles.
#[derive(Clone, Default)]
struct Last(Arc<Mutex<Vec<String>>>);

impl SeatingHandler for Last {
    async fn seat(&self, request: ElicitRequest<'_, Seat>) -> Elicited<Seat> {
        for choices in [request.choices(Seat::LISTED), request.choices(Seat::TITLED)] {
            self.0
                .lock()
                .unwrap()
                .extend(choices.into_iter().map(|choice| format!("{}: {}", choice.value, choice.title)));
        }
        Elicited::Accept(Seat { listed: Side::Aisle, titled: Side::Aisle })
    }
}

#[tokio::test]
async fn a_handler_gets_the_titles_of_choices() {
    let last = Last::default();
    let plugin = Plugin::new(Sit).on_elicit(last.clone()).start(Server::new("seats", "1.0.0")).await.unwrap();
    let call = plugin.call(json!({})).await.unwrap();
    assert_eq!(call.outcome().await.text(), "Aisle and Aisle");
    let choices = ["window: Window", "aisle: At the aisle"];
    assert_eq!(*last.0.lock().unwrap(), [choices, choices].concat());
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
    assert!(
        told.starts_with("the application answered `pick` 3 times without success: the answer does not fit"),
        "{told}"
    );
    assert!(told.contains("got \"fish\""), "{told}");
}
