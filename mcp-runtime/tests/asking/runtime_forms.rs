//! Choices and defaults that are set at run time.

use mcp_runtime::{Result, Revision, prelude::*, testing::Client};
use serde_json::{Value, json};

use crate::asking::{ASKING, Dinner, Pick, Sure, Tip, pick, service};

/// Narrows a text to choices with titles.
#[mcp_tool]
async fn menu(ctx: &Ctx<Dinner>) -> Result<String> {
    let ask = ctx.elicit::<Pick>("Which dish?");
    let dishes = [("f", "Fish of the day"), ("s", "Soup"), ("f", "Fish again")];
    Ok(ask.choices(Pick::DISH, dishes).strict().await?.dish)
}

/// Narrows a text to values alone, one of them chosen beforehand.
#[mcp_tool]
async fn plain_menu(ctx: &Ctx<Dinner>, dishes: Vec<String>, default: Option<String>) -> Result<String> {
    let ask = ctx.elicit::<Pick>("Which dish?").choices(Pick::DISH, dishes);
    let ask = match default {
        Some(default) => ask.default_for(Pick::DISH, default),
        None => ask,
    };
    Ok(ask.strict().await?.dish)
}

/// Fills in what it knows.
#[mcp_tool]
async fn filled(ctx: &Ctx<Dinner>, percent: u8) -> Result<String> {
    let guests = ctx.elicit::<Pick>("Which dish?").default_for(Pick::GUESTS, 4).strict().await?.guests;
    let sure = ctx.elicit::<Sure>("Sure?").default_for(Sure::SURE, true).strict().await?.sure;
    let percent = ctx.elicit::<Tip>("Tip?").default_for(Tip::PERCENT, percent).strict().await?.percent;
    Ok(format!("{guests:?} {sure} {percent}"))
}

#[elicits]
enum Clothes {
    Size {
        #[elicit(default = "M")]
        size: String,
        #[elicit(default = "M")]
        spare: Option<String>,
        hat: String,
    },
}

/// Has defaults of its own, which may give way to others.
#[mcp_tool]
async fn clothe(ctx: &Ctx<Clothes>, default: Option<String>, sizes: Option<Vec<String>>) -> Result<String> {
    let mut ask = ctx.elicit::<Size>("Which size?").retry(0);
    if let Some(default) = default {
        ask =
            ask.default_for(Size::SIZE, &*default).default_for(Size::SPARE, &*default).default_for(Size::HAT, default);
    }
    if let Some(sizes) = sizes {
        ask = ask.choices(Size::SIZE, sizes);
    }
    let Size { size, spare, hat } = ask.strict().await?;
    Ok(format!("{size} {spare:?} {hat}"))
}

fn client(revision: Revision) -> Client {
    Client::new(&service(tools![menu, plain_menu, filled, clothe]), revision)
}

/// Returns the field `name` of each question.
fn fields(outcome: &mcp_runtime::testing::Outcome, name: &str) -> Vec<Value> {
    let questions = outcome.asked().iter().filter_map(|question| question.schema());
    questions.filter_map(|schema| schema["properties"].get(name).cloned()).collect()
}

#[tokio::test]
async fn publishes_choices_in_the_notation_of_the_revision() {
    for revision in ASKING {
        let mut client = client(revision);
        let outcome = client.call("menu", ()).accept(pick("s")).await;
        assert_eq!(outcome.text(), "s", "the shortest length is that of the choices");
        let titled = if revision == Revision::V2025_06_18 {
            json!({ "type": "string", "enum": ["f", "s"], "enumNames": ["Fish of the day", "Soup"] })
        } else {
            json!({ "type": "string", "oneOf": [
                { "const": "f", "title": "Fish of the day" }, { "const": "s", "title": "Soup" }
            ]})
        };
        assert_eq!(fields(&outcome, "dish"), [titled]);

        let plain = json!({ "dishes": ["fish", "soup"] });
        let outcome = client.call("plain_menu", plain).accept(pick("fish")).await;
        assert_eq!(fields(&outcome, "dish"), [json!({ "type": "string", "enum": ["fish", "soup"] })]);
    }
}

#[tokio::test]
async fn rejects_an_answer_outside_the_choices() {
    for revision in ASKING {
        let outcome = client(revision).call("menu", ()).accept(pick("rice")).accept(pick("f")).await;
        assert_eq!(outcome.text(), "f");
        let message = outcome.asked()[1].message();
        assert!(message.contains("dish") && message.contains("rice"), "{message}");
        assert_eq!(outcome.asked()[0].schema(), outcome.asked()[1].schema());
    }
}

#[tokio::test]
async fn publishes_defaults_if_the_revision_has_them() {
    for revision in ASKING {
        let outcome = client(revision)
            .call("filled", json!({ "percent": 10 }))
            .accept(Pick { guests: Some(2), ..pick("soup") })
            .accept(Sure { sure: false })
            .accept(Tip { percent: 5 })
            .await;
        assert_eq!(outcome.text(), "Some(2) false 5");
        let newer = revision >= Revision::V2025_11_25;
        assert_eq!(fields(&outcome, "guests")[0].get("default"), newer.then_some(&json!(4)));
        assert_eq!(fields(&outcome, "sure")[0].get("default"), Some(&json!(true)));
        assert_eq!(fields(&outcome, "percent")[0].get("default"), newer.then_some(&json!(10)));
    }
}

#[tokio::test]
async fn does_not_ask_an_invalid_question() {
    for revision in ASKING {
        let mut client = client(revision);
        let none = client.call("plain_menu", json!({ "dishes": [] })).await;
        assert_eq!(none.text(), "this question cannot be asked: the field `dish` has an empty list of choices");
        let foreign = client.call("plain_menu", json!({ "dishes": ["fish"], "default": "soup" })).await;
        assert!(
            foreign.text().starts_with("this question cannot be asked: the default does not fit"),
            "{}",
            foreign.text()
        );
        let call = client.call("filled", json!({ "percent": 21 }));
        let large = call.accept(pick("soup")).accept(Sure { sure: true }).await;
        assert!(large.text().contains("percent") && large.text().contains("20"), "{}", large.text());
        assert!(none.is_error() && foreign.is_error() && large.is_error());
    }
}

#[tokio::test]
async fn a_missing_field_gets_the_default_that_was_shown() {
    let hat = json!({ "action": "accept", "content": { "hat": "L" } });
    for revision in ASKING {
        let mut client = client(revision);
        let own = client.call("clothe", ()).answer(hat.clone()).await;
        assert_eq!(own.text(), "M None L", "the default of what may be left empty is only a suggestion");
        let late = client.call("clothe", json!({ "default": "S" })).answer(hat.clone()).await;
        assert_eq!(late.text(), "S None L");
        assert_eq!(late.asked()[0].schema().unwrap()["required"], json!(["hat"]));
        let empty = json!({ "action": "accept", "content": {} });
        let nothing = client.call("clothe", json!({ "default": "S" })).answer(empty).await;
        assert!(nothing.text().contains("hat"), "what must be answered stays so: {}", nothing.text());
    }
}

#[tokio::test]
async fn rejects_a_default_outside_the_choices() {
    let hat = json!({ "action": "accept", "content": { "hat": "L" } });
    for revision in ASKING {
        let mut client = client(revision);
        let beside = client.call("clothe", json!({ "sizes": ["S", "L"] })).await;
        assert!(
            beside.text().starts_with("this question cannot be asked: the default does not fit"),
            "{}",
            beside.text()
        );
        let among = client.call("clothe", json!({ "sizes": ["S", "M"] })).answer(hat.clone()).await;
        assert_eq!(among.text(), "M None L");
        let other = client.call("clothe", json!({ "sizes": ["S", "L"], "default": "L" })).answer(hat.clone()).await;
        assert_eq!(other.text(), "L None L");
    }
}
