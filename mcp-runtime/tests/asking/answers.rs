//! Every kind of answer to one form.

use mcp_runtime::{AskError, Elicited, Result, Revision, Service, elicit::OnDecline, prelude::*, testing::Client};
use serde_json::{Value, json};

use crate::asking::{ASKING, Dinner, Pick, pick, service};

/// Takes every answer as it comes.
#[mcp_tool]
async fn order(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(match ctx.elicit::<Pick>("Which dish?").await? {
        Elicited::Accept(Pick { dish, guests }) => format!("{dish} for {}", guests.unwrap_or(1)),
        Elicited::Decline => "declined".to_owned(),
        Elicited::Cancel => "cancelled".to_owned(),
    })
}

/// Takes nothing but a dish.
#[mcp_tool]
async fn strictly(ctx: &Ctx<Dinner>, retries: Option<u32>) -> Result<String> {
    let ask = ctx.elicit::<Pick>("Which dish?");
    let ask = match retries {
        Some(times) => ask.retry(times),
        None => ask,
    };
    Ok(ask.strict().await?.dish)
}

/// Does not take no for an answer at once.
#[mcp_tool]
async fn plead(ctx: &Ctx<Dinner>) -> Result<String> {
    let answer = ctx.elicit::<Pick>("Which dish?").retry(2).on_decline(OnDecline::Again).await?;
    Ok(format!("{:?}", answer.accepted().map(|pick| pick.dish)))
}

/// Fails if declined.
#[mcp_tool]
async fn fail(ctx: &Ctx<Dinner>) -> Result<String> {
    match ctx.elicit::<Pick>("Which dish?").on_decline(OnDecline::Error).await {
        Err(AskError::Declined) => Ok("an error".to_owned()),
        Ok(Elicited::Cancel) => Ok("cancelled".to_owned()),
        other => Ok(format!("{other:?}")),
    }
}

/// Swallows whatever goes wrong.
#[mcp_tool]
async fn swallow(ctx: &Ctx<Dinner>) -> String {
    let dish = ctx.elicit::<Pick>("Which dish?").strict().await.ok().map(|pick| pick.dish);
    let roots = ctx.roots().await.unwrap_or_default();
    let dish = dish.unwrap_or_default();
    format!("{dish:?} {}", roots.len())
}

fn dinner() -> Service {
    service(tools![order, strictly, plead, fail, swallow])
}

fn accepted(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// An invalid answer.
fn short() -> Value {
    accepted(&json!({ "dish": "x" }))
}

#[tokio::test]
async fn a_form_is_accepted_declined_or_cancelled() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        let four = Pick { guests: Some(4), ..pick("soup") };
        assert_eq!(client.call("order", ()).accept(four).await.text(), "soup for 4");
        assert_eq!(client.call("order", ()).accept(pick("soup")).await.text(), "soup for 1");
        assert_eq!(client.call("order", ()).decline().await.text(), "declined");
        assert_eq!(client.call("order", ()).cancel().await.text(), "cancelled");
    }
}

#[tokio::test]
async fn a_strict_ask_fails_when_it_is_not_accepted() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        assert_eq!(client.call("strictly", ()).accept(pick("soup")).await.text(), "soup");
        let declined = client.call("strictly", ()).decline().await;
        assert_eq!((declined.text().as_str(), declined.is_error()), ("the user declined", true));
        let cancelled = client.call("strictly", ()).cancel().await;
        assert_eq!((cancelled.text().as_str(), cancelled.is_error()), ("the user cancelled", true));
    }
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_once_with_the_reason() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        let mended = client.call("strictly", ()).answer(short()).accept(pick("soup")).await;
        assert_eq!(mended.text(), "soup");
        let [first, second] = mended.asked() else { panic!("{:?}", mended.asked()) };
        assert_eq!((first.key(), second.key()), ("pick", "pick"));
        assert_eq!((first.schema(), first.message()), (second.schema(), "Which dish?"));
        let reason = second.message().strip_prefix("Which dish?\n\nThe last answer did not fit:\n").unwrap();
        assert!(reason.contains("dish") && reason.contains('3'), "{reason}");
        assert_eq!(mended.rounds(), if revision.is_modern() { 3 } else { 1 });

        let failed = client.call("strictly", ()).answer(short()).answer(short()).await;
        assert_eq!((failed.is_error(), failed.asked().len()), (true, 2));
        assert_eq!(failed.text(), format!("the answer does not fit:\n{reason}"));
    }
}

#[tokio::test]
async fn the_author_sets_the_number_of_retries() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        let call = client.call("strictly", json!({ "retries": 3 }));
        let patient = call.answer(short()).answer(short()).answer(short()).accept(pick("soup")).await;
        assert_eq!((patient.text().as_str(), patient.asked().len()), ("soup", 4));
        // Reasons do not accumulate.
        assert_eq!(patient.asked()[1].message(), patient.asked()[3].message());

        let impatient = client.call("strictly", json!({ "retries": 0 })).answer(short()).await;
        assert!(impatient.text().starts_with("the answer does not fit:\n- `dish`: "), "{}", impatient.text());
    }
}

#[tokio::test]
async fn rejects_every_invalid_answer_and_names_the_reason() {
    let unfit = [
        (accepted(&json!({})), "dish"),
        (accepted(&json!({ "dish": 7 })), "dish"),
        (accepted(&json!({ "dish": null })), "dish"),
        (accepted(&json!({ "dish": ["soup"] })), "dish"),
        (accepted(&json!({ "dish": "soup", "guests": 256 })), "guests"),
        (accepted(&json!({ "dish": "soup", "guests": -1 })), "guests"),
        (accepted(&json!({ "dish": "soup", "guests": 1.5 })), "guests"),
        (accepted(&json!({ "dish": "soup", "guests": "1" })), "guests"),
        (accepted(&json!(["soup"])), "content"),
        (accepted(&json!("soup")), "content"),
        (json!({ "action": "accept" }), "dish"),
        (json!({ "action": "accept", "content": null }), "dish"),
        (json!({ "action": "ACCEPT", "content": { "dish": "soup" } }), "action"),
        (json!({ "content": { "dish": "soup" } }), "action"),
        (json!({ "action": 1 }), "not an `ElicitResult`"),
        (json!({ "roots": [] }), "action"),
    ];
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        for (answer, named) in &unfit {
            let outcome = client.call("strictly", json!({ "retries": 0 })).answer(answer.clone()).await;
            let text = outcome.text();
            assert!(text.starts_with("the answer does not fit:") && text.contains(named), "{answer}: {text}");
        }
    }
    // Since 2026-07-28 these are malformed requests.
    for answer in [json!(7), json!("accept"), json!([]), json!(true)] {
        let mut client = Client::legacy(&dinner(), Revision::V2025_11_25);
        let outcome = client.call("strictly", json!({ "retries": 0 })).answer(answer).await;
        assert!(
            outcome.text().starts_with("the answer does not fit: it is not an `ElicitResult`: "),
            "{}",
            outcome.text()
        );
    }
}

#[tokio::test]
async fn shortens_a_long_answer_in_the_error() {
    let long = "soup".repeat(100_000);
    for answer in [
        json!({ "action": long }),
        json!({ "action": "accept", "content": long }),
        accepted(&json!({ "dish": { "name": long } })),
        accepted(&json!({ "dish": "soup", "guests": long })),
    ] {
        for revision in ASKING {
            let mut client = Client::new(&dinner(), revision);
            let outcome = client.call("strictly", ()).answer(answer.clone()).decline().await;
            let message = outcome.asked()[1].message();
            assert!(message.contains("soup") && message.len() < 500, "{message}");
        }
    }
}

#[tokio::test]
async fn accepts_lenient_forms_of_a_valid_answer() {
    let fine = [
        json!({ "action": "accept", "content": { "dish": "soup", "guests": 2.0 } }),
        json!({ "content": { "guests": 2, "dish": "soup" }, "action": "accept", "_meta": { "more": true } }),
        json!({ "action": "accept", "content": { "dish": "soup", "guests": 2, "wine": ["red"] } }),
    ];
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        for answer in &fine {
            assert_eq!(client.call("order", ()).answer(answer.clone()).await.text(), "soup for 2", "{answer}");
        }
        let declined = json!({ "action": "decline", "content": { "dish": 7 } });
        assert_eq!(client.call("order", ()).answer(declined).await.text(), "declined");
    }
}

#[tokio::test]
async fn a_decline_is_asked_again_if_configured() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        let persuaded = client.call("plead", ()).decline().decline().accept(pick("soup")).await;
        assert_eq!(persuaded.text(), r#"Some("soup")"#);
        assert!(persuaded.asked().iter().all(|question| question.message() == "Which dish?"));
        let refused = client.call("plead", ()).decline().decline().decline().await;
        assert_eq!((refused.text().as_str(), refused.is_error()), ("None", false));
        assert_eq!(client.call("plead", ()).cancel().await.text(), "None", "cancelling is final");
    }
}

#[tokio::test]
async fn a_decline_is_an_error_if_configured() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        assert_eq!(client.call("fail", ()).decline().await.text(), "an error");
        assert_eq!(client.call("fail", ()).cancel().await.text(), "cancelled");
    }
}

#[tokio::test]
async fn a_question_is_asked_even_if_the_tool_ignores_errors() {
    for revision in ASKING {
        let mut client = Client::new(&dinner(), revision);
        let answered = client.call("swallow", ()).accept(pick("soup")).roots(["file:///a"]).await;
        assert_eq!(answered.text(), r#""soup" 1"#);
        assert_eq!(answered.rounds(), if revision.is_modern() { 3 } else { 1 });
        let declined = client.call("swallow", ()).decline().answer(json!({ "roots": 7 })).await;
        assert_eq!((declined.text().as_str(), declined.is_error()), (r#""" 0"#, false));
    }
}

#[tokio::test]
async fn a_client_of_a_session_can_answer_with_an_error() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let outcome = Client::legacy(&dinner(), revision).call("strictly", ()).refuse(-32602, "no forms today").await;
        assert_eq!(outcome.text(), "the client refused: no forms today (code -32602)");
    }
}
