//! Tools that ask, for the server behind `tests/cli`.

use mcp_runtime::{
    __private::{
        Answers, ChoiceEntry, Content, Elicits, Field, FieldType, Form, FormEntry, FormOf, FormSchema, Format,
        Includes, Literal, Problem, Unfit,
    },
    Choice, Elicited, FormField, MultiSelect, Result, Shape,
    prelude::*,
};
use serde_json::{Map, Value, json};

const fn ok(field: Result<Field, Problem>) -> Field {
    match field {
        Ok(field) => field,
        Err(_) => panic!("the field is wrong"),
    }
}

macro_rules! form {
    ($set:ident, $form:ident, $key:literal, [$($name:literal: $field:expr),*]) => {
        pub(crate) struct $form(Map<String, Value>);

        impl Form for $form {
            fn schema() -> &'static FormSchema {
                static SCHEMA: FormSchema = FormSchema::new(&[$($field),*]);
                &SCHEMA
            }

            fn read(answers: &mut Answers) -> Result<Self, Unfit> {
                let names = [$($name),*].into_iter().enumerate();
                Ok(Self(names.filter_map(|(at, name)| Some((name.to_owned(), answers.take(at)?))).collect()))
            }

            fn write(self, _: &mut Content) {}
        }

        impl Includes<$form> for $set {
            const FORM: FormOf<$form> = FormOf::new($key);
        }
    };
}

pub(crate) struct Trip;

impl Elicits for Trip {
    const FORMS: &'static [FormEntry] = &[
        <Self as Includes<PickFlight>>::FORM.entry("Pick one of the flights."),
        <Self as Includes<Confirm>>::FORM.entry(""),
        <Self as Includes<Name>>::FORM.entry(""),
    ];
}

enum Seat {}

impl Choice for Seat {
    const CHOICES: &'static [ChoiceEntry] = &[
        ChoiceEntry::new("window", Some("Window")),
        ChoiceEntry::new("aisle", Some("Aisle")),
        ChoiceEntry::new("none", Some("No preference")),
    ];

    fn index(&self) -> usize {
        0
    }

    fn at(_: usize) -> Option<Self> {
        None
    }
}

struct AnySeat;

impl FormField for AnySeat {
    const SHAPE: Shape = Shape::one_of(Seat::CHOICES);
    fn read(_: Value) -> Result<Self, String> {
        Ok(Self)
    }
    fn write(self) -> Value {
        Value::Null
    }
}

form!(Trip, PickFlight, "pick_flight", [
    "flight_id": ok(Field::new("flight_id", String::TYPE).title("Flight").description("The flight's number.").min_length(3)),
    "seats": ok(ok(ok(Field::new("seats", u8::TYPE).min(Literal::Integer(1))).max(Literal::Integer(9))).default(Literal::Integer(2))),
    "day": ok(Field::new("day", String::TYPE).format(Format::Date)),
    "seat": ok(Field::new("seat", AnySeat::TYPE).default(Literal::Text("none"))),
    "extras": ok(ok(Field::new("extras", MultiSelect::<Seat>::TYPE).min_items(1)).max_items(2)),
    "newsletter": ok(Field::new("newsletter", bool::TYPE).default(Literal::Bool(false))),
    "note": Field::new("note", Option::<String>::TYPE)
]);
form!(Trip, Confirm, "confirm", ["sure": Field::new("sure", bool::TYPE).description("It cannot be undone.")]);
form!(Trip, Name, "name", ["name": ok(Field::new("name", String::TYPE).min_length(2))]);

/// Book a flight, asking for all there is to know.
#[mcp_tool]
pub(crate) async fn book(ctx: &Ctx<Trip>) -> Result<Json<Value>> {
    Ok(Json(match ctx.elicit::<PickFlight>("Found 2 flights:\nTP1 9:30, TP2 14:00").await? {
        Elicited::Accept(PickFlight(answers)) => answers.into(),
        Elicited::Decline => json!("declined"),
        Elicited::Cancel => json!("cancelled"),
    }))
}

/// Delete everything, if that is what you want.
#[mcp_tool]
pub(crate) async fn wipe(ctx: &Ctx<Trip>) -> Result<Json<Value>> {
    ctx.progress(0.5).total(1.0).message("thinking");
    let answer = ctx.elicit::<Confirm>("Delete everything?").await?;
    ctx.log(Level::Notice, "answered");
    Ok(Json(match answer {
        Elicited::Accept(Confirm(answers)) => answers.into(),
        Elicited::Decline => json!("declined"),
        Elicited::Cancel => json!("cancelled"),
    }))
}

/// Ask for two names at once, and then whether they are right.
#[mcp_tool]
pub(crate) async fn pair(ctx: &Ctx<Trip>) -> Result<Json<Value>> {
    let (first, second) = (ctx.elicit::<Name>("Who are you?"), ctx.elicit::<Name>("Who comes with you?"));
    let (Name(first), Name(second)) = tokio::try_join!(first.strict(), second.strict())?;
    let Confirm(sure) = ctx.elicit::<Confirm>("Is that right?").strict().await?;
    Ok(Json(json!([first["name"], second["name"], sure["sure"]])))
}

/// Connect a calendar.
#[mcp_tool(requires(elicitation_url))]
pub(crate) async fn connect(ctx: &Ctx) -> Result<&'static str> {
    ctx.visit("connect", "https://example.com/connect?id=1", "Connect your calendar.").await?;
    Ok("connected")
}
