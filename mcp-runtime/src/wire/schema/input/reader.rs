//! Tests which names the author's types accept in addition to the names in their schema.
//!
//! A reader and its schema come from the same types but can differ. `#[serde(rename)]` or `#[serde(flatten)]` can give
//! two fields the same name. `#[serde(alias)]` and `#[serde(other)]` let a variant accept names that the schema does
//! not contain. When the server is built, the reader is tested with an [`Example`].

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value};

use crate::wire::{
    protocol::json::{get, object},
    schema::{
        example::{Example, NameChoice, NameRole, names},
        parameter::Takes,
    },
};

/// Returns whether a property contains a struct, an enum, a list or a map. Only such properties need a test of the
/// names that deserialization accepts.
pub(crate) fn has_parts(schema: &Value) -> bool {
    const PARTS: [&str; 8] =
        ["enum", "oneOf", "anyOf", "$ref", "properties", "items", "prefixItems", "additionalProperties"];
    let mut properties = schema["properties"].as_object().into_iter().flat_map(Map::values);
    properties.any(|property| PARTS.iter().any(|keyword| property.get(keyword).is_some()))
}

/// A name that no variant has.
const UNKNOWN_NAME: &str = "\u{1}no variant";

/// What the test of a reader has found.
#[derive(Debug, Default)]
pub(crate) struct TestedReader {
    /// The schema for checking arguments: the published schema plus the unpublished names of variants that
    /// deserialization accepts. `None` if no such names were found.
    pub(crate) completed: Option<Value>,
    /// Whether deserialization rejects all names that the schema does not list, everywhere where the schema lists names.
    pub(crate) rejects_unknown_names: bool,
}

/// Tests a reader with the schema of its types.
///
/// # Errors
/// Fails if two fields have the same name, so that deserialization rejects all arguments that the schema allows. The
/// error is a message for the author.
pub(crate) fn tested(schema: &Value, takes: Takes) -> Result<TestedReader, String> {
    // This runs the author's code. A panic counts as a rejection without a reason.
    let reads = |value: &Value| {
        // Does not use `Display`, because that would add a second serializer to small programs.
        let (text, takes) = (serde_json::to_string(value).unwrap_or_default(), AssertUnwindSafe(takes));
        let read = catch_unwind(move || takes.reads(&text));
        read.unwrap_or_else(|_| Err(String::new()))
    };
    let mut example = Example::whole(schema);
    if let Some(whole) = &example
        && let Err(error) = reads(&whole.value)
    {
        if let Some(problem) = duplicate(&error, &whole.value) {
            return Err(problem);
        }
        // Other rejections can be correct, because the example is generated.
        example = Example::sparse(schema).filter(|sparse| reads(&sparse.value).is_ok());
    }
    let Some(example) = example else { return Ok(TestedReader::default()) };
    let (mut completed, mut closed) = (None, 0);
    for choice in &example.choices {
        let more = More::of(choice, &example, &reads);
        closed += usize::from(more.is_closed && choice.role == NameRole::Value);
        if more.others || !more.names.is_empty() {
            let schema: &mut Value = completed.get_or_insert_with(|| schema.clone());
            schema.pointer_mut(&choice.schema).into_iter().for_each(|schema| more.add_to(schema, choice));
        }
    }
    // The example does not reach every place of a schema.
    Ok(TestedReader { completed, rejects_unknown_names: closed == places_of_names(schema) })
}

/// Returns the number of places where a schema lists names.
fn places_of_names(schema: &Value) -> usize {
    match schema {
        Value::Object(keywords) if get(keywords, "const").is_some() || !names(keywords).is_empty() => 1,
        Value::Object(keywords) => keywords.values().map(places_of_names).sum(),
        Value::Array(schemas) => schemas.iter().map(places_of_names).sum(),
        _ => 0,
    }
}

/// Returns a message for the author if the reader reports a missing or repeated field that is present in the example.
fn duplicate(error: &str, example: &Value) -> Option<String> {
    let name = ["missing field `", "duplicate field `"].iter().find_map(|begin| error.strip_prefix(begin))?;
    let name = name.split_once('`')?.0;
    has_key(example, name).then(|| {
        format!(
            "`{name}`: two fields have this name, so no arguments can be read; rename one of them, or remove the \
             `#[serde(flatten)]`, `#[serde(rename)]` or `#[serde(alias)]` that gives it this name"
        )
    })
}

fn has_key(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| key == name || has_key(value, name)),
        Value::Array(items) => items.iter().any(|item| has_key(item, name)),
        _ => false,
    }
}

/// The names that a reader accepts in addition to the names in the schema.
struct More {
    /// The names from `#[serde(alias)]`.
    names: Vec<String>,
    /// Whether the reader accepts every other name, because a variant has `#[serde(other)]`.
    others: bool,
    /// Whether the reader has listed all names that it accepts.
    is_closed: bool,
}

impl More {
    fn of(choice: &NameChoice, example: &Example, reads: &dyn Fn(&Value) -> Result<(), String>) -> Self {
        let takes = |value: Value| reads(&example.with(&choice.at, value));
        let as_key = object([(UNKNOWN_NAME, Value::Null)]);
        let strange = if choice.role == NameRole::Key { takes(as_key.clone()) } else { takes(UNKNOWN_NAME.into()) };
        let Err(error) = strange else {
            // The value can also be a `String` with listed names, which accepts any text. Unlike an enum, such a
            // `String` rejects an object with a key. If the `String` is a tag, an object without the fields of the
            // other variants is rejected.
            let is_variant = match &choice.role {
                NameRole::Value | NameRole::Key => takes(as_key).is_ok() && takes(0.into()).is_err(),
                NameRole::Tag(key) => {
                    let parent = choice.at.rsplit_once('/').map_or("", |(parent, _)| parent);
                    reads(&example.with(parent, object([(key, UNKNOWN_NAME.into())]))).is_ok()
                }
            };
            return Self { names: Vec::new(), others: is_variant, is_closed: false };
        };
        // serde lists every name: "unknown variant `x`, expected one of `a`, `b`".
        let known = error.strip_prefix(&format!("unknown variant `{UNKNOWN_NAME}`, expected "));
        let names = known.unwrap_or_default().split('`').skip(1).step_by(2);
        let names = names.filter(|name| !choice.names.iter().any(|listed| listed == name));
        Self { names: names.map(str::to_owned).collect(), others: false, is_closed: known.is_some() }
    }

    /// Extends the schema so that it allows these names.
    fn add_to(&self, schema: &mut Value, choice: &NameChoice) {
        let name = match self.others {
            true => object([("type", "string".into()), ("not", object([("enum", choice.names.clone().into())]))]),
            false => object([("type", "string".into()), ("enum", self.names.clone().into())]),
        };
        if let Some(Value::Array(listed)) = schema.get_mut("enum") {
            if self.others {
                schema.as_object_mut().map(|keywords| keywords.shift_remove("enum"));
            } else {
                listed.extend(self.names.iter().map(|name| name.as_str().into()));
            }
            return;
        }
        let Some(Value::Array(branches)) = schema.get_mut("oneOf") else { return };
        match &choice.role {
            NameRole::Value => branches.push(name),
            NameRole::Tag(key) => {
                branches.push(object([
                    ("type", "object".into()),
                    ("properties", object([(key, name)])),
                    ("required", vec![key.as_str()].into()),
                ]));
            }
            NameRole::Key => {
                branches.push(object([
                    ("type", "object".into()),
                    ("propertyNames", name.clone()),
                    ("minProperties", 1.into()),
                    ("maxProperties", 1.into()),
                ]));
                branches.push(name);
            }
        }
    }
}
