//! Optional fields that a client sends as `null`, as an empty text or as an empty list.

use std::fmt::Debug;

use mcp_runtime::{
    Elicited, Result, Revision, Server,
    elicit::{FormField, MultiSelect, Shape},
    in_every_mode,
    prelude::*,
    testing::Client,
};
use serde_json::{Value, json};

use crate::asking::{Topic, service};

#[elicits]
#[derive(Clone, Debug, PartialEq)]
enum Trip {
    Details {
        name: String,
        #[elicit(format = "date")]
        day: Option<String>,
        at: Option<chrono::DateTime<chrono::Utc>>,
        #[elicit(format = "uri")]
        page: Option<String>,
        contact: Option<mcp_runtime::elicit::Email>,
        seats: Option<u8>,
        height: Option<f64>,
        insured: Option<bool>,
        topic: Option<Topic>,
        #[elicit(min_length = 2)]
        code: Option<String>,
        airport: Option<Airport>,
        note: Option<String>,
        #[elicit(default = 2)]
        bags: u8,
        #[elicit(default = "2026-01-31", format = "date")]
        back: String,
        #[elicit(default = "LIS")]
        home: Airport,
    },
    Interests {
        #[elicit(min_items = 1)]
        topics: Option<MultiSelect<Topic>>,
        any: Option<MultiSelect<Topic>>,
        #[elicit(max_items = 1)]
        most: MultiSelect<Topic>,
    },
}

/// A text whose type rejects what its shape accepts.
#[derive(Clone, Debug, PartialEq)]
struct Airport(String);

impl FormField for Airport {
    const SHAPE: Shape = String::SHAPE;

    fn read(answer: Value) -> std::result::Result<Self, String> {
        let text = String::read(answer)?;
        if text.len() == 3 { Ok(Self(text)) } else { Err("an airport has three letters".into()) }
    }

    fn write(self) -> Value {
        self.0.write()
    }
}

/// Asks for a trip, and asks once.
#[mcp_tool]
async fn plan(ctx: &Ctx<Trip>) -> Result<String> {
    told(ctx.elicit::<Details>("Where to?").retry(0).await?)
}

/// Asks for interests, and asks once.
#[mcp_tool]
async fn like(ctx: &Ctx<Trip>) -> Result<String> {
    told(ctx.elicit::<Interests>("What do you like?").retry(0).await?)
}

/// Asks for a seat that is free today.
#[mcp_tool]
async fn sit(ctx: &Ctx<Trip>) -> Result<String> {
    let ask = ctx.elicit::<Details>("Which?").choices(Details::NOTE, ["A1", "B1"]).default_for(Details::BAGS, 5);
    told(ask.retry(0).await?)
}

fn told<F: Debug>(answer: Elicited<F>) -> Result<String> {
    Ok(format!("{:?}", answer.accepted()))
}

fn left_out() -> Details {
    Details {
        name: "Ann".to_owned(),
        day: None,
        at: None,
        page: None,
        contact: None,
        seats: None,
        height: None,
        insured: None,
        topic: None,
        code: None,
        airport: None,
        note: None,
        bags: 2,
        back: "2026-01-31".to_owned(),
        home: Airport("LIS".to_owned()),
    }
}

/// An answer with this value in all fields but `name`.
fn everywhere(value: &Value) -> Value {
    let names = ["day", "at", "page", "contact", "seats", "height", "insured", "topic", "code", "airport", "note"];
    let names = names.into_iter().chain(["bags", "back", "home"]);
    let content = names.map(|name| (name.to_owned(), value.clone()));
    let content: Value = content.chain([("name".to_owned(), "Ann".into())]).collect();
    json!({ "action": "accept", "content": content })
}

fn accepted(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[tokio::test]
async fn null_leaves_out_an_optional_field_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("test", "1").tools(tools![plan]));
        let outcome = client.call("plan", ()).answer(everywhere(&Value::Null)).await;
        assert_eq!(outcome.text(), format!("{:?}", Some(left_out())));
    });
}

#[tokio::test]
async fn empty_text_leaves_out_an_optional_field_that_rejects_it() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("test", "1").tools(tools![plan]));
        let outcome = client.call("plan", ()).answer(everywhere(&"".into())).await;
        let note_is_kept = Details { note: Some(String::new()), ..left_out() };
        assert_eq!(outcome.text(), format!("{:?}", Some(note_is_kept)));
    });
}

#[tokio::test]
async fn empty_list_leaves_out_a_list_that_needs_a_choice() {
    let mut client = Client::new(&service(tools![like]), Revision::LATEST);
    let outcome = client.call("like", ()).answer(accepted(&json!({ "topics": [], "any": [], "most": [] }))).await;
    let kept = MultiSelect::from(Vec::new());
    let expected = Interests { topics: None, any: Some(kept.clone()), most: kept };
    assert_eq!(outcome.text(), format!("{:?}", Some(expected)));
}

#[tokio::test]
async fn repeated_choices_count_once() {
    let mut client = Client::new(&service(tools![like]), Revision::LATEST);
    let content = json!({ "any": ["offers", "news", "offers"], "most": ["news", "news"] });
    let outcome = client.call("like", ()).answer(accepted(&content)).await;
    let any = MultiSelect::from(vec![Topic::Offers, Topic::News]);
    let expected = Interests { topics: None, any: Some(any), most: vec![Topic::News].into() };
    assert_eq!(outcome.text(), format!("{:?}", Some(expected)));
}

#[tokio::test]
async fn empty_text_leaves_out_a_field_with_choices_of_this_question() {
    let mut client = Client::new(&service(tools![sit]), Revision::LATEST);
    let content = json!({ "name": "Ann", "note": "", "bags": null });
    let outcome = client.call("sit", ()).answer(accepted(&content)).await;
    assert_eq!(outcome.text(), format!("{:?}", Some(Details { bags: 5, ..left_out() })));
}

#[tokio::test]
async fn required_fields_are_never_left_out() {
    let mut client = Client::new(&service(tools![plan, like]), Revision::LATEST);
    let unnamed = client.call("plan", ()).answer(accepted(&json!({ "name": null }))).await;
    assert!(unnamed.text().contains("`name`: got null"), "{}", unnamed.text());
    let unliked = client.call("like", ()).answer(accepted(&json!({ "most": null }))).await;
    assert!(unliked.text().contains("`most`: got null"), "{}", unliked.text());
}
