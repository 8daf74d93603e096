//! Answers to the questions of a call.

use mcp_runtime::{
    Elicited, Result,
    plugin::{CallStatus, PluginError, PluginHost},
    prelude::*,
};
use serde_json::json;

use crate::plugin::support::{Kitchen, Pick, accept, events, host, order, question};

fn pick() -> Elicited<Pick> {
    Elicited::Accept(Pick { dish: "soup".into(), portions: 1 })
}

#[tokio::test]
async fn an_answer_that_does_not_fit_leaves_the_question_open() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    let call = host.call("order", json!({ "dishes": 2 })).await.unwrap();
    question(&call, 1).await;
    for (answer, field, told) in [
        (json!({ "dish": "fish", "portions": 1 }), Some("dish"), "fish"),
        (json!({ "dish": "soup", "portions": 10 }), Some("portions"), "9"),
        (json!({ "dish": "soup", "portions": "two" }), Some("portions"), "two"),
        (json!({ "portions": 1 }), Some("dish"), "missing"),
        (json!({ "dish": "soup", "salt": true }), Some("salt"), "no such field"),
    ] {
        let error = call.answer_json(1, accept(answer.clone())).await.unwrap_err();
        let PluginError::InvalidAnswer(problems) = &error else { panic!("{error:?}") };
        assert_eq!(problems.len(), 1, "{answer}: {problems:?}");
        assert_eq!(problems[0].field.as_deref(), field, "{answer}");
        assert!(problems[0].message.contains(told), "{answer}: {}", problems[0].message);
        assert_eq!(call.status(), CallStatus::InputRequired);
    }
    assert_eq!(order(&call).await, "ordered 2 × soup of 2");
}

#[tokio::test]
async fn an_empty_answer_leaves_out_an_optional_field() {
    #[elicits]
    enum Visit {
        Day {
            name: String,
            #[elicit(format = "date")]
            day: Option<String>,
            note: Option<String>,
            #[elicit(default = 2)]
            guests: u8,
        },
    }

    /// Asks for a day.
    #[mcp_tool]
    async fn plan(ctx: &Ctx<Visit>) -> Result<String> {
        let Day { name, day, note, guests } = ctx.elicit::<Day>("When?").strict().await?;
        Ok(format!("{name} {day:?} {note:?} {guests}"))
    }

    let host = PluginHost::builder(Server::new("kitchen", "1.0.0").tools(tools![plan])).start().await.unwrap();
    let call = host.call("plan", json!({})).await.unwrap();
    question(&call, 1).await;
    call.answer_json(1, accept(json!({ "name": "Ann", "day": "", "note": null, "guests": null }))).await.unwrap();
    assert_eq!(call.clone().outcome().await.text(), "Ann None None 2");
    let answered = events(call).await.into_iter().map(|event| json!(event)).find(|event| event["type"] == "answered");
    assert_eq!(answered.unwrap()["content"], json!({ "name": "Ann" }), "the timeline shows what the tool gets");
}

#[tokio::test]
async fn only_the_first_answer_counts() {
    let host = host(&Kitchen::default()).await;
    let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
    question(&call, 1).await;
    assert!(matches!(call.answer(2, pick()).await, Err(PluginError::AlreadyAnswered)));
    let answers = (0..8).map(|_| {
        let call = call.clone();
        tokio::spawn(async move { call.answer(1, pick()).await })
    });
    let mut taken = 0;
    for answer in answers.collect::<Vec<_>>() {
        match answer.await.unwrap() {
            Ok(()) => taken += 1,
            Err(error) => assert!(matches!(error, PluginError::AlreadyAnswered), "{error}"),
        }
    }
    assert_eq!(taken, 1);
    question(&call, 2).await;
    assert!(matches!(call.answer(1, pick()).await, Err(PluginError::AlreadyAnswered)));
}

#[tokio::test]
async fn a_question_can_be_declined_and_closed() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    for answer in [Elicited::<Pick>::Decline, Elicited::Cancel] {
        let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
        question(&call, 1).await;
        call.answer(1, answer).await.unwrap();
        assert_eq!(call.outcome().await.text(), "nothing ordered");
        assert!(matches!(call.answer(1, pick()).await, Err(PluginError::AlreadyAnswered)));
    }
    assert_eq!(kitchen.counts(), (2, 0));
}

/// The answer fits the schema, but not the type of the field.
#[tokio::test]
async fn a_question_that_is_asked_again_tells_why() {
    #[elicits]
    enum Contact {
        Address { email: mcp_runtime::elicit::Email },
    }

    /// Asks for an address.
    #[mcp_tool]
    async fn contact(ctx: &Ctx<Contact>) -> Result<String> {
        Ok(ctx.elicit::<Address>("Where to?").retry(2).key("where").strict().await?.email.to_string())
    }
    let server = Server::new("s", "1").tools(tools![contact]);
    let host = PluginHost::builder(server).start().await.unwrap();
    let call = host.call("contact", json!({})).await.unwrap();
    let first = question(&call, 1).await;
    assert_eq!((&*first.key, first.form.as_deref(), first.rejected), ("where", Some("address"), None));
    let refused = call.answer_json(1, accept(json!({ "email": "nobody" }))).await;
    assert!(matches!(refused, Err(PluginError::InvalidAnswer(_))), "{refused:?}");
    call.answer_json(1, accept(json!({ "email": "ann@example.com" }))).await.unwrap();
    assert_eq!(call.outcome().await.text(), "ann@example.com");
}

#[tokio::test]
async fn a_page_to_open_is_a_question_without_a_form() {
    /// Connects a calendar.
    #[mcp_tool(requires(elicitation_url))]
    async fn connect(ctx: &Ctx) -> Result<&'static str> {
        ctx.elicit_url("connect", "https://example.com/connect", "Connect your calendar").await?;
        Ok("connected")
    }
    let host = PluginHost::builder(Server::new("s", "1").tools(tools![connect])).start().await.unwrap();
    let call = host.call("connect", json!({})).await.unwrap();
    let asked = json!(question(&call, 1).await);
    assert_eq!(
        asked,
        json!({
            "seq": 1, "key": "connect", "mode": "url", "message": "Connect your calendar",
            "url": "https://example.com/connect",
        })
    );
    call.answer_json(1, accept(json!({ "ignored": 1 }))).await.unwrap();
    assert_eq!(call.outcome().await.text(), "connected");
}

#[tokio::test]
async fn a_second_question_at_once_is_an_error_that_says_so() {
    #[elicits]
    enum Both {
        One { yes: bool },
        Two { yes: bool },
    }

    /// Asks twice at once.
    #[mcp_tool]
    async fn twice(ctx: &Ctx<Both>) -> Result<&'static str> {
        let both = tokio::join!(ctx.elicit::<One>("One?"), ctx.elicit::<Two>("Two?"));
        both.1?.accepted();
        Ok("asked")
    }
    let host = PluginHost::builder(Server::new("s", "1").tools(tools![twice])).start().await.unwrap();
    let call = host.call("twice", json!({})).await.unwrap();
    assert_eq!(question(&call, 1).await.key, "one");
    call.answer_json(1, accept(json!({ "yes": true }))).await.unwrap();
    let outcome = call.outcome().await;
    assert!(outcome.is_error() && outcome.text().contains("one question of a call at a time"), "{outcome:?}");
    assert_eq!(json!(events(call).await).to_string().matches("\"type\":\"elicit\"").count(), 1);
}
