//! The schemas that `#[elicits]`, `#[derive(Form)]` and `#[derive(Choice)]` publish, and the conversion of answers to
//! forms.

use mcp_runtime::{
    Choice as _, Json, Result, Revision, Server,
    elicit::{Email, MultiSelect},
    prelude::*,
    testing::Client,
};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, to_value};

#[elicits]
#[derive(Clone, Debug, PartialEq)]
enum Signup {
    /// Who are you?
    Person {
        /// As in
        /// the passport.
        #[elicit(title = "Name", min_length = 2, max_length = 40, default = "Ann")]
        name: String,
        #[elicit(rename = "e-mail", description = "Nobody else sees it.")]
        email: Option<Email>,
        #[elicit(format = "date", default = "2000-02-29")]
        born: Option<String>,
        #[elicit(min = 18, default = 30)]
        age: u8,
        #[elicit(max = 2.5, min = -1)]
        height: f64,
        #[elicit(default = true)]
        r#final: bool,
    },
    Wishes(Wishes),
}

#[derive(Form, Clone, Debug, PartialEq)]
struct Wishes {
    #[elicit(default = "anywhere")]
    seat: Seat,
    #[elicit(enum_names)]
    second_seat: Option<Seat>,
    color: Color,
    #[elicit(default = ["red"], min_items = 1, max_items = 2)]
    colors: MultiSelect<Color>,
}

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
enum Seat {
    Window,
    OverTheWing,
    #[choice(rename = "anywhere", title = "No preference")]
    None,
}

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
enum Color {
    Red,
    DarkBlue,
    HTMLTeal,
}

/// Asks for both.
#[mcp_tool]
async fn sign_up(ctx: &Ctx<Signup>, wishes: bool) -> Result<String> {
    let answer: Signup = match wishes {
        false => ctx.elicit::<Person>("Who?").strict().await?.into(),
        true => ctx.elicit::<Wishes>("What?").strict().await?.into(),
    };
    Ok(format!("{answer:?}"))
}

/// Calls the tool and answers with `content`. Returns the published schema, and the answer as the tool read it.
async fn ask(revision: Revision, wishes: bool, content: Value) -> (Value, String) {
    let service = Server::new("test", "1").tools(tools![sign_up]).build().unwrap();
    let mut client = Client::new(&service, revision);
    let answer = json!({ "action": "accept", "content": content });
    let outcome = client.call("sign_up", json!({ "wishes": wishes })).answer(answer).await;
    assert_eq!(outcome.asked()[0].key(), if wishes { "wishes" } else { "person" });
    (outcome.asked()[0].schema().unwrap().clone(), outcome.text())
}

#[tokio::test]
async fn publishes_a_form_as_declared() {
    let (schema, read) = ask(Revision::V2026_07_28, false, json!({ "height": 1.75 })).await;
    let expected = json!({
        "type": "object",
        "properties": {
            "name": {
                "type": "string", "title": "Name", "description": "As in the passport.",
                "minLength": 2, "maxLength": 40, "default": "Ann"
            },
            "e-mail": { "type": "string", "description": "Nobody else sees it.", "format": "email" },
            "born": { "type": "string", "format": "date", "default": "2000-02-29" },
            "age": { "type": "integer", "minimum": 18, "maximum": 255, "default": 30 },
            "height": { "type": "number", "minimum": -1, "maximum": 2.5 },
            "final": { "type": "boolean", "default": true }
        },
        "required": ["height"]
    });
    // Compared as text, because the order of the fields matters.
    assert_eq!(schema.to_string(), expected.to_string());
    let person = Person { name: "Ann".into(), email: None, born: None, age: 30, height: 1.75, r#final: true };
    assert_eq!(read, format!("{:?}", Signup::Person(person)));
}

#[tokio::test]
async fn reads_an_answer_into_the_form() {
    let answer = json!({
        "name": "Bob", "e-mail": "bob@example.com", "born": "1999-12-31", "age": 99, "height": 2, "final": false
    });
    let (_, read) = ask(Revision::V2025_06_18, false, answer).await;
    let person = Person {
        name: "Bob".into(),
        email: "bob@example.com".parse().ok(),
        born: Some("1999-12-31".into()),
        age: 99,
        height: 2.0,
        r#final: false,
    };
    assert_eq!(read, format!("{:?}", Signup::Person(person)));
}

#[tokio::test]
async fn publishes_choices_with_or_without_titles() {
    let answer = json!({ "color": "html_teal", "second_seat": "over_the_wing", "colors": ["dark_blue", "red"] });
    let (schema, read) = ask(Revision::V2025_11_25, true, answer).await;
    let expected = json!({
        "seat": {
            "type": "string",
            "oneOf": [
                { "const": "window", "title": "Window" },
                { "const": "over_the_wing", "title": "Over the wing" },
                { "const": "anywhere", "title": "No preference" }
            ],
            "default": "anywhere"
        },
        "second_seat": {
            "type": "string",
            "enum": ["window", "over_the_wing", "anywhere"],
            "enumNames": ["Window", "Over the wing", "No preference"]
        },
        "color": { "type": "string", "enum": ["red", "dark_blue", "html_teal"] },
        "colors": {
            "type": "array", "minItems": 1, "maxItems": 2,
            "items": { "type": "string", "enum": ["red", "dark_blue", "html_teal"] },
            "default": ["red"]
        }
    });
    assert_eq!(schema["properties"].to_string(), expected.to_string());
    assert_eq!(schema["required"], json!(["color"]));
    let wishes = Wishes {
        seat: Seat::None,
        second_seat: Some(Seat::OverTheWing),
        color: Color::HTMLTeal,
        colors: vec![Color::DarkBlue, Color::Red].into(),
    };
    assert_eq!(read, format!("{:?}", Signup::Wishes(wishes)));
}

#[tokio::test]
async fn reads_what_it_has_written() {
    let service = Server::new("test", "1").tools(tools![sign_up]).build().unwrap();
    for seat in (0..).map_while(Seat::at) {
        for second_seat in [None, Some(seat)] {
            let wishes = Wishes { seat, second_seat, color: Color::Red, colors: vec![Color::DarkBlue].into() };
            let expected = format!("{:?}", Signup::from(wishes.clone()));
            let mut client = Client::modern(&service);
            assert_eq!(client.call("sign_up", json!({ "wishes": true })).accept(wishes).await.text(), expected);
        }
    }
}

/// Attributes of serde and schemars do not affect the form.
#[elicits]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Trip {
    #[serde(rename = "picked")]
    Pick {
        #[serde(rename = "number", alias = "id")]
        #[schemars(length(min = 3))]
        flight: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        direction: Option<Direction>,
    },
    TravelAlong(Party),
}

#[derive(Form, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Party {
    #[serde(rename = "mail")]
    leader: Email,
    #[schemars(length(max = 2))]
    all_ways: MultiSelect<Direction>,
}

#[derive(Choice, Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Direction {
    ThereAndBack,
    #[serde(rename = "hin")]
    #[choice(title = "Only there")]
    There,
}

/// Returns what was answered.
#[mcp_tool]
async fn travel(ctx: &Ctx<Trip>, along: bool) -> Result<Json<Trip>> {
    Ok(Json(match along {
        false => ctx.elicit::<Pick>("Which one?").strict().await?.into(),
        true => ctx.elicit::<Party>("Who?").strict().await?.into(),
    }))
}

#[tokio::test]
async fn answers_are_returned_as_serde_writes_them() {
    let service = Server::new("test", "1").tools(tools![travel]).build().unwrap();
    let mut client = Client::modern(&service);
    let direction = Some(Direction::ThereAndBack);
    let picked = client.call("travel", json!({ "along": false }));
    let picked = picked.accept(Pick { flight: "TP1".to_owned(), direction }).await;
    let fields: Vec<_> = picked.asked()[0].schema().unwrap()["properties"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["flight", "direction"]);
    let written = json!({ "kind": "picked", "number": "TP1", "direction": "THERE_AND_BACK" });
    assert_eq!(picked.structured_content(), Some(&written));

    let party = Party { leader: "ann@example.com".parse().unwrap(), all_ways: vec![Direction::There].into() };
    let along = client.call("travel", json!({ "along": true })).accept(party.clone()).await;
    let written = json!({ "kind": "travel-along", "mail": "ann@example.com", "allWays": ["hin"] });
    assert_eq!(along.structured_content(), Some(&written));
    assert_eq!(serde_json::from_value::<Trip>(written).unwrap(), party.into());
}

#[test]
fn an_email_and_a_list_of_choices_are_plain_data() {
    let email: Email = "ann@example.com".parse().unwrap();
    assert_eq!(to_value(&email).unwrap(), json!("ann@example.com"));
    assert_eq!(serde_json::from_value::<Email>(json!("ann@example.com")).unwrap(), email);
    let refused = serde_json::from_value::<Email>(json!("ann")).unwrap_err();
    assert_eq!(refused.to_string(), r#""ann" is not an e-mail address"#);
    assert_eq!(schema_for!(Email).as_value()["format"], "email");

    let ways = MultiSelect::from(vec![Direction::There, Direction::ThereAndBack]);
    assert_eq!(to_value(&ways).unwrap(), json!(["hin", "THERE_AND_BACK"]));
    assert_eq!(serde_json::from_value::<MultiSelect<Direction>>(json!(["hin"])).unwrap()[..], [Direction::There]);
    let properties = schema_for!(Party).as_value()["properties"].clone();
    assert_eq!(properties["mail"], json!({ "type": "string", "format": "email" }));
    assert_eq!((&properties["allWays"]["type"], &properties["allWays"]["maxItems"]), (&json!("array"), &json!(2)));
}
