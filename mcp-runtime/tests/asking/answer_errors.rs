//! Messages about invalid answers. The user sees the titles of the form, and a model sees the names on the wire.

use mcp_runtime::{
    Result, Revision,
    elicit::{Email, FormField, MultiSelect, Shape},
    prelude::*,
    testing::Client,
};
use serde_json::{Value, json};

use crate::asking::{ASKING, service};

#[elicits]
enum Tour {
    Book {
        #[elicit(title = "Name", min_length = 2)]
        name: String,
        guests: u8,
        #[elicit(title = "Boat")]
        boat: String,
        lunch: Lunch,
        #[elicit(title = "Card")]
        card: Option<Card>,
        #[elicit(title = "Pier")]
        pier: Option<Pier>,
        #[elicit(title = "Your mail", rename = "e.mail")]
        mail: Option<Email>,
    },
    Extras {
        #[elicit(title = "Extras", min_items = 1)]
        extras: MultiSelect<Lunch>,
    },
}

#[derive(Choice)]
enum Lunch {
    #[choice(title = "Soup and bread")]
    Soup,
    Fish,
}

#[derive(Choice)]
enum Card {
    Season,
    Family,
}

/// A letter.
struct Pier(char);

impl FormField for Pier {
    const SHAPE: Shape = String::SHAPE;

    fn read(answer: Value) -> Result<Self, String> {
        let text = String::read(answer)?;
        let letter: Option<char> = text.parse().ok().filter(char::is_ascii_uppercase);
        letter.map(Self).ok_or_else(|| format!("{text:?} is no pier"))
    }

    fn write(self) -> Value {
        self.0.to_string().into()
    }
}

/// Books a tour.
#[mcp_tool]
async fn book(ctx: &Ctx<Tour>, boats: u8) -> Result<String> {
    let boats = (1..=boats).map(|number| (format!("b{number}"), format!("The boat {number}")));
    let booked = ctx.elicit::<Book>("Which tour?").choices(Book::BOAT, boats).strict().await?;
    let _ = (booked.guests, booked.boat, booked.lunch, booked.card, booked.pier, booked.mail);
    Ok(booked.name)
}

/// Adds something.
#[mcp_tool]
async fn add(ctx: &Ctx<Tour>) -> Result<String> {
    Ok(ctx.elicit::<Extras>("What else?").strict().await?.extras.len().to_string())
}

/// Checks the reasons that the user and the model get for a wrong answer.
async fn check_reasons(revision: Revision, tool: &str, arguments: Value, content: Value, person: &str, model: &str) {
    let answer = json!({ "action": "accept", "content": content });
    let mut client = Client::new(&service(tools![book, add]), revision);
    let outcome = client.call(tool, arguments).answer(answer.clone()).answer(answer).await;
    let (_, reason) = outcome.asked()[1].message().split_once("\n\nThe last answer did not fit:\n").unwrap();
    assert_eq!(reason, person);
    assert_eq!(outcome.text(), format!("the answer does not fit:\n{model}"));
}

#[tokio::test]
async fn names_fields_and_choices_by_their_titles() {
    let content = json!({ "name": "A", "guests": 300, "boat": "b3", "lunch": 7, "card": "x", "e.mail": "`guests`: a" });
    let person = "\
- Name: got \"A\" (1 character), must have at least 2 characters
- `guests`: got 300, must be between 0 and 255
- Boat: got \"b3\", must be one of \"The boat 1\" (`b1`), \"The boat 2\" (`b2`)
- `lunch`: got 7, must be one of \"Soup and bread\" (`soup`), \"Fish\" (`fish`)
- Card: got \"x\", must be one of \"season\", \"family\"
- Your mail: got \"`guests`: a\", must be an email address";
    let model = "\
- `name`: got \"A\" (1 character), must have at least 2 characters
- `guests`: got 300, must be between 0 and 255
- `boat`: got \"b3\", must be one of \"b1\", \"b2\"; did you mean \"b1\"?
- `lunch`: got 7, must be one of \"soup\", \"fish\"
- `card`: got \"x\", must be one of \"season\", \"family\"
- `[\"e.mail\"]`: got \"`guests`: a\", must be an email address";
    for revision in ASKING {
        check_reasons(revision, "book", json!({ "boats": 2 }), content.clone(), person, model).await;
    }
}

#[tokio::test]
async fn names_a_missing_field_by_its_title() {
    let content = json!({ "name": "Ann", "guests": 1 });
    let person = "\
- Boat: missing; \"The boat 1\" (`b1`) is required
- `lunch`: missing; one of \"Soup and bread\" (`soup`), \"Fish\" (`fish`) is required";
    let model = "\
- `boat`: missing; \"b1\" is required
- `lunch`: missing; one of \"soup\", \"fish\" is required";
    for revision in ASKING {
        check_reasons(revision, "book", json!({ "boats": 1 }), content.clone(), person, model).await;
    }
}

#[tokio::test]
async fn lists_only_some_of_many_choices() {
    let content = json!({ "name": "Ann", "guests": 1, "lunch": "fish", "boat": "x" });
    let answer = json!({ "action": "accept", "content": content });
    for revision in ASKING {
        let mut client = Client::new(&service(tools![book]), revision);
        let outcome = client.call("book", json!({ "boats": 200 })).answer(answer.clone()).cancel().await;
        let message = outcome.asked()[1].message();
        assert!(message.ends_with("\"The boat 20\" (`b20`), or 180 others"), "{message}");
    }
}

#[tokio::test]
async fn names_a_field_that_its_type_rejects_by_its_title() {
    let content = json!({ "name": "Ann", "guests": 1, "boat": "b1", "lunch": "fish", "pier": "a" });
    let (person, model) = ("- Pier: \"a\" is no pier", "- `pier`: \"a\" is no pier");
    for revision in ASKING {
        check_reasons(revision, "book", json!({ "boats": 1 }), content.clone(), person, model).await;
    }
}

#[tokio::test]
async fn names_choices_in_a_list_by_their_titles() {
    // The first revision has no lists of choices.
    let content = json!({ "extras": ["soup", "fsh"] });
    let person = "- Extras: got \"fsh\", must be one of \"Soup and bread\" (`soup`), \"Fish\" (`fish`)";
    let model = "- `extras[1]`: got \"fsh\", must be one of \"soup\", \"fish\"; did you mean \"fish\"?";
    for revision in ASKING.into_iter().skip(1) {
        check_reasons(revision, "add", json!({}), content.clone(), person, model).await;
    }

    let content = json!({ "extras": [] });
    let reason = "got [] (0 items), must have at least 1 item";
    let (person, model) = (format!("- Extras: {reason}"), format!("- `extras`: {reason}"));
    for revision in ASKING.into_iter().skip(1) {
        check_reasons(revision, "add", json!({}), content.clone(), &person, &model).await;
    }
}
