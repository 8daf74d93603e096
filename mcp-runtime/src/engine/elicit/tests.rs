//! Checks random forms: their published schemas match the protocol, and answers are checked against these schemas.

use std::{cell::Cell, collections::HashMap, fs};

use jsonschema::Validator;
use proptest::{
    collection::vec,
    option,
    prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof},
    sample::select,
    test_runner::TestRunner,
};
use serde_json::{Map, Value, json};

use super::{
    Elicited, FormField, Shape, TypeOfField,
    field::Field,
    leniency, reply,
    schema::{self, Changes, Offered},
    shape::{Bounds, ChoiceEntry, Format, Literal, ShapeKind},
};
use crate::wire::protocol::revision::Revision;

const REVISIONS: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

#[test]
fn publishes_forms_as_specified_and_checks_answers_as_published() {
    let official: HashMap<Revision, Validator> = REVISIONS.map(|revision| (revision, official(revision))).into();
    let (checked, fitting) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&(form(), vec(seeds(), 8)), |((fields, changes), answers)| {
        let checker = schema::checker(&fields, &changes);
        let mut published = Vec::new();
        for revision in REVISIONS {
            let schema: Value = serde_json::from_str(schema::published(&fields, &changes, revision).get()).unwrap();
            if revision.has_multi_select() || !fields.iter().any(Field::is_multi_select) {
                let mistakes: Vec<_> =
                    official[&revision].iter_errors(&schema).map(|error| error.to_string()).collect();
                prop_assert!(mistakes.is_empty(), "{revision}: {schema}\n{mistakes:?}");
            }
            let order: Vec<_> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            prop_assert_eq!(order, fields.iter().map(|field| field.name).collect::<Vec<_>>());
            published.push(oracle(&schema));
        }
        for seeds in &answers {
            let content = content(&fields, seeds);
            let answer = format!(r#"{{"action":"accept","content":{content}}}"#);
            let ours = reply::content(&answer, &checker, &fields, &changes);
            // The schema does not say that an empty answer leaves out an optional field.
            let mut value: Map<String, Value> = serde_json::from_str(&content).unwrap();
            leniency::normalize(&mut value, || schema::form(&fields, &changes));
            let value = Value::Object(value);
            for oracle in &published {
                let context = format!("{fields:#?}\n{content}\n{:?}", ours.as_ref().err());
                prop_assert_eq!(ours.is_ok(), oracle.is_valid(&value), "{}", context);
            }
            checked.set(checked.get() + 1);
            if let Ok(Elicited::Accept(values)) = ours {
                fitting.set(fitting.get() + 1);
                for (field, value) in fields.iter().zip(values) {
                    if let Some(value) = value {
                        prop_assert!(reads(field, value.clone()), "{field:?} does not read {value}");
                    }
                }
            }
        }
        Ok(())
    });
    assert!(ran.is_ok(), "{}", ran.unwrap_err());
    let share = f64::from(fitting.get()) / f64::from(checked.get());
    assert!((0.1..0.9).contains(&share), "{share} fit: a test whose answers all fit, or all fail, proves little");
}

/// Returns whether the type behind a field reads this value, which its schema accepts.
fn reads(field: &Field, value: Value) -> bool {
    match field.shape.0 {
        ShapeKind::Text { .. } | ShapeKind::One(_) => String::read(value).is_ok(),
        ShapeKind::Integer { min, .. } if min < 0 => i64::read(value.clone()).is_ok() || u64::read(value).is_ok(),
        ShapeKind::Integer { .. } => u64::read(value).is_ok(),
        ShapeKind::Number { .. } => f64::read(value.clone()).is_ok() && f32::read(value).is_ok_and(f32::is_finite),
        ShapeKind::Boolean => bool::read(value).is_ok(),
        ShapeKind::Several { .. } => value.is_array(),
    }
}

fn oracle(schema: &Value) -> Validator {
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true);
    options.build(schema).expect("the published schema is valid")
}

/// Returns the official `requestedSchema` of a revision without additional properties, so that members of other
/// revisions fail.
fn official(revision: Revision) -> Validator {
    let path = format!("{}/../tests/schemas/{revision}.json", env!("CARGO_MANIFEST_DIR"));
    let mut document: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let definitions = if document["$defs"].is_object() { "$defs" } else { "definitions" };
    for (name, definition) in document[definitions].as_object_mut().unwrap() {
        if name.ends_with("Schema") && definition["properties"].is_object() {
            definition["additionalProperties"] = json!(false);
        }
    }
    let params = match &document[definitions]["ElicitRequestFormParams"] {
        Value::Null => &document[definitions]["ElicitRequest"]["properties"]["params"],
        params => params,
    };
    let mut root = params["properties"]["requestedSchema"].clone();
    root["additionalProperties"] = json!(false);
    root[definitions] = document[definitions].clone();
    jsonschema::options().build(&root).expect("the official schema")
}

fn form() -> impl Strategy<Value = (Vec<Field>, Changes)> {
    const NAMES: [&str; 5] = ["zeta", "alpha", "e_mail", "type", "n-1"];
    let changes = option::weighted(0.3, vec(offered(), 1..4));
    (vec(field(), 1..=NAMES.len()), changes).prop_map(|(mut fields, choices)| {
        for (field, name) in fields.iter_mut().zip(NAMES) {
            field.name = name;
        }
        let choices = choices.map(|mut choices| {
            choices.sort_by(|one, other| one.name.cmp(&other.name));
            choices.dedup_by(|one, other| one.name == other.name);
            choices
        });
        let text = fields.iter().position(|field| matches!(field.shape.0, ShapeKind::Text { .. }));
        let choices = text.zip(choices).into_iter().collect();
        (fields, Changes { choices, defaults: Vec::new() })
    })
}

fn offered() -> impl Strategy<Value = Offered> {
    (word(), option::of(word())).prop_map(|(name, title)| Offered { name: name.into(), title: title.map(Into::into) })
}

fn field() -> impl Strategy<Value = Field> {
    (kind(), any::<[bool; 4]>(), option::of(word()), option::of(word())).prop_map(
        |(kind, [optional, with_default, enum_names, _], title, description)| {
            let mut field = Field::new("", TypeOfField { shape: Shape(kind), optional });
            field.title = title;
            field.description = description;
            field.enum_names = enum_names && matches!(kind, ShapeKind::One(_));
            field.default = default_of(kind).filter(|_| with_default);
            field
        },
    )
}

fn default_of(kind: ShapeKind) -> Option<Literal> {
    match kind {
        ShapeKind::Text { .. } => Some(Literal::Text("a \"default\"")),
        ShapeKind::Integer { max, .. } => Some(Literal::Integer(max)),
        ShapeKind::Number { .. } => Some(Literal::Float(0.5)),
        ShapeKind::Boolean => Some(Literal::Bool(true)),
        ShapeKind::One(choices) => Some(Literal::Text(choices[0].name())),
        ShapeKind::Several { .. } => Some(Literal::List(&[])),
    }
}

fn kind() -> impl Strategy<Value = ShapeKind> {
    let formats = [None, Some(Format::Email), Some(Format::Uri), Some(Format::Date), Some(Format::DateTime)];
    let whole = prop_oneof![Just(0), Just(-1), Just(10), Just(i128::from(i64::MIN)), Just(i128::from(u64::MAX))];
    let number = option::of(prop_oneof![(-9i128..9).prop_map(Literal::Integer), Just(Literal::Float(2.5))]);
    prop_oneof![
        (bounds(), select(formats.to_vec())).prop_map(|(length, format)| ShapeKind::Text { length, format }),
        (whole.clone(), whole).prop_map(|(one, other)| ShapeKind::Integer { min: one.min(other), max: one.max(other) }),
        (number.clone(), number).prop_map(|(min, max)| ShapeKind::Number { min, max }),
        Just(ShapeKind::Boolean),
        choices().prop_map(ShapeKind::One),
        (choices(), bounds()).prop_map(|(choices, count)| ShapeKind::Several { choices, count }),
    ]
}

fn bounds() -> impl Strategy<Value = Bounds> {
    (option::of(0..4u32), option::of(2..9u32)).prop_map(|(min, max)| Bounds { min, max })
}

fn choices() -> impl Strategy<Value = &'static [ChoiceEntry]> {
    vec((word(), option::of(word())), 1..4).prop_map(|choices| {
        let mut entries: Vec<_> = choices.into_iter().map(|(name, title)| ChoiceEntry::new(name, title)).collect();
        entries.sort_by_key(ChoiceEntry::name);
        entries.dedup_by_key(|entry| entry.name());
        &*entries.leak()
    })
}

const WORDS: [&str; 13] = [
    "",
    "a",
    "none",
    "größer",
    "a \"quoted\"\\ word",
    "\u{1f6eb}",
    "2026-07-28",
    "2026-02-30",
    "2026-07-28T09:30:00Z",
    "2026-07-28T24:30:00Z",
    "a@example.com",
    "https://example.com/a?b#c",
    "a much longer text than any bound",
];

fn word() -> impl Strategy<Value = &'static str> {
    select(WORDS.to_vec())
}

/// Generates the seeds of an answer: for each field a number that selects a variant, and any value.
fn seeds() -> impl Strategy<Value = Vec<(u8, String)>> {
    vec((any::<u8>(), value()), 6)
}

/// Generates the content of an answer as text: numbers in every notation.
fn content(fields: &[Field], seeds: &[(u8, String)]) -> String {
    let extra = seeds[5].0.is_multiple_of(4).then_some("\"extra\":[{}]".to_owned());
    let members = fields.iter().zip(seeds).filter(|(_, (seed, _))| *seed > 16).map(|(field, (seed, wild))| {
        let value = if *seed < 40 { wild.clone() } else { near(field, *seed) };
        format!("{}:{value}", json!(field.name))
    });
    format!("{{{}}}", members.chain(extra).collect::<Vec<_>>().join(","))
}

/// Generates a value of the field's type, which may violate its rules.
fn near(field: &Field, seed: u8) -> String {
    let pick = |values: &[&str]| values[usize::from(seed) % values.len()].to_owned();
    let name = |choices: &[ChoiceEntry]| json!(choices[usize::from(seed) % choices.len()].name()).to_string();
    match field.shape.0 {
        ShapeKind::Text { format: None, .. } => json!(WORDS[usize::from(seed) % 6]).to_string(),
        ShapeKind::Text { .. } => json!(WORDS[usize::from(seed) % WORDS.len()]).to_string(),
        ShapeKind::Integer { .. } | ShapeKind::Number { .. } => {
            pick(&["0", "3.0", "1e1", "-1", "7", "18446744073709551615"])
        }
        ShapeKind::Boolean => pick(&["true", "false"]),
        ShapeKind::One(choices) => name(choices),
        ShapeKind::Several { choices, .. } => format!("[{}]", vec![name(choices); usize::from(seed) % 4].join(",")),
    }
}

/// Generates any value.
fn value() -> impl Strategy<Value = String> {
    let numbers = ["18446744073709551616", "-9223372036854775809", "1e308", "-0.0", "2.5", "1E2", "0.1e1"];
    prop_oneof![
        word().prop_map(|word| json!(word).to_string()),
        select(numbers.to_vec()).prop_map(str::to_owned),
        select(vec!["null", "true", "{}", "[]", "[[]]", "[\"none\",7]"]).prop_map(str::to_owned),
    ]
}
