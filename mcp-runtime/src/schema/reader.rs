//! What the reader of the author's types takes, beside what their schema says.
//!
//! Both come from the same types, and still part: two fields may have one name, by `#[serde(rename)]` or
//! `#[serde(flatten)]`, and a variant may have other names, by `#[serde(alias)]` and `#[serde(other)]`, of which a schema
//! says nothing. When the server is built, the reader is asked with an [`Example`].

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::example::{Choice, Example, Role};
use crate::schema::parameter::Takes;

/// Whether there is more than plain values in one of the properties, so that its reader can part from it.
pub(crate) fn has_parts(schema: &Value) -> bool {
    const PARTS: [&str; 8] =
        ["enum", "oneOf", "anyOf", "$ref", "properties", "items", "prefixItems", "additionalProperties"];
    let mut properties = schema["properties"].as_object().into_iter().flat_map(Map::values);
    properties.any(|property| PARTS.iter().any(|keyword| property.get(keyword).is_some()))
}

/// A name that nobody gives to anything.
const NOBODYS: &str = "\u{1}no variant";

/// Returns the schema to check arguments with: the published one, and the names that the reader takes beside.
///
/// # Errors
/// The reader refuses everything that the schema allows, in a sentence for the person who builds the server.
pub(super) fn completed(schema: &Value, takes: Takes) -> Result<Option<Value>, String> {
    // The author's code, which may panic: of that nothing is learnt.
    let reads = |value: &Value| {
        // Not by `Display`, which brings a second serializer into small programs.
        let (text, takes) = (serde_json::to_string(value).unwrap_or_default(), AssertUnwindSafe(takes));
        let read = catch_unwind(move || takes.reads(&text));
        read.unwrap_or_else(|_| Err(String::new()))
    };
    let mut example = Example::whole(schema);
    if let Some(whole) = &example
        && let Err(error) = reads(&whole.value)
    {
        if let Some(problem) = twin(&error, &whole.value) {
            return Err(problem);
        }
        // What else the reader minds may be right: the example is made up.
        example = Example::sparse(schema).filter(|sparse| reads(&sparse.value).is_ok());
    }
    let Some(example) = example else { return Ok(None) };
    let mut completed = None;
    for choice in &example.choices {
        let more = More::of(choice, &example, &reads);
        if more.others || !more.names.is_empty() {
            let schema: &mut Value = completed.get_or_insert_with(|| schema.clone());
            schema.pointer_mut(&choice.schema).into_iter().for_each(|schema| more.add_to(schema, choice));
        }
    }
    Ok(completed)
}

/// That a field is missing, or there twice, in arguments that have it once.
fn twin(error: &str, example: &Value) -> Option<String> {
    let name = ["missing field `", "duplicate field `"].iter().find_map(|begin| error.strip_prefix(begin))?;
    let name = name.split_once('`')?.0;
    has_key(example, name).then(|| {
        format!(
            "`{name}`: two fields have this name, by `#[serde(flatten)]`, `#[serde(rename)]` or `#[serde(alias)]`, so \
             that no arguments can be read; give one of them another name"
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

/// What a reader takes beside the names that a schema lists.
struct More {
    /// By `#[serde(alias)]`.
    names: Vec<String>,
    /// Any other: there is a variant with `#[serde(other)]`.
    others: bool,
}

impl More {
    fn of(choice: &Choice, example: &Example, reads: &impl Fn(&Value) -> Result<(), String>) -> Self {
        let takes = |value: Value| reads(&example.with(&choice.at, value));
        let as_key = json!({ NOBODYS: null });
        let strange = if choice.role == Role::Key { takes(as_key.clone()) } else { takes(json!(NOBODYS)) };
        let Err(error) = strange else {
            // A `String` whose names its author listed takes any text as well, but not as a variant is written too: as a
            // key, or as a tag without the fields of the other variants.
            let is_variant = match &choice.role {
                Role::Value | Role::Key => takes(as_key).is_ok() && takes(json!(0)).is_err(),
                Role::Tag(key) => {
                    let object = choice.at.rsplit_once('/').map_or("", |(object, _)| object);
                    reads(&example.with(object, json!({ key: NOBODYS }))).is_ok()
                }
            };
            return Self { names: Vec::new(), others: is_variant };
        };
        // serde lists every name: "unknown variant `x`, expected one of `a`, `b`".
        let known = error.strip_prefix(&format!("unknown variant `{NOBODYS}`, expected ")).unwrap_or_default();
        let names = known.split('`').skip(1).step_by(2);
        let names = names.filter(|name| !choice.names.iter().any(|listed| listed == name));
        Self { names: names.map(str::to_owned).collect(), others: false }
    }

    /// Lets the schema allow them.
    fn add_to(&self, schema: &mut Value, choice: &Choice) {
        let name = match self.others {
            true => json!({ "type": "string", "not": { "enum": choice.names } }),
            false => json!({ "type": "string", "enum": self.names }),
        };
        if let Some(Value::Array(listed)) = schema.get_mut("enum") {
            if self.others {
                schema.as_object_mut().map(|keywords| keywords.shift_remove("enum"));
            } else {
                listed.extend(self.names.iter().map(|name| json!(name)));
            }
            return;
        }
        let Some(Value::Array(branches)) = schema.get_mut("oneOf") else { return };
        match &choice.role {
            Role::Value => branches.push(name),
            Role::Tag(key) => {
                branches.push(json!({ "type": "object", "properties": { key: name }, "required": [key] }));
            }
            Role::Key => {
                branches.push(json!({
                    "type": "object", "propertyNames": name, "minProperties": 1, "maxProperties": 1,
                }));
                branches.push(name);
            }
        }
    }
}
