//! The JSON Schema of a form for each revision.

use serde_json::{
    Map, Number, Value, json,
    value::{RawValue, to_raw_value},
};

use super::{
    ChoiceEntry,
    field::Field,
    shape::{Bounds, Literal, ShapeKind},
};
use crate::wire::{protocol::revision::Revision, schema::InputSchema};

/// Choices and defaults that are set at run time. They replace the choices and defaults that the form declares.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// For each restricted text field, the index of the field and the choices.
    pub(crate) choices: Vec<(usize, Vec<Offered>)>,
    pub(crate) defaults: Vec<(usize, Value)>,
}

/// A choice that is known only at run time.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        self.choices.is_empty() && self.defaults.is_empty()
    }

    /// Sets missing values of an answer. A value is set if the form declares a default for its field, and another
    /// default is set at run time. The value is the default that is set at run time.
    pub(crate) fn fill(&self, fields: &[Field], values: &mut [Option<Value>]) {
        for (index, (field, value)) in fields.iter().zip(values).enumerate() {
            let may_be_left_out = !field.optional && !field.is_required();
            if value.is_none() && may_be_left_out {
                *value = self.default(index).cloned();
            }
        }
    }

    fn choices(&self, index: usize) -> Option<&[Offered]> {
        self.choices.iter().rev().find_map(|(of, choices)| (*of == index).then_some(&**choices))
    }

    fn default(&self, index: usize) -> Option<&Value> {
        self.defaults.iter().rev().find_map(|(of, default)| (*of == index).then_some(default))
    }
}

/// Returns the `requestedSchema` of a form.
pub(crate) fn published(fields: &[Field], changes: &Changes, revision: Revision) -> Box<RawValue> {
    // A tree of values always serializes.
    to_raw_value(&object(fields, changes, revision)).unwrap_or_default()
}

/// Returns the schema that checks answers. This schema is the same in every revision.
pub(crate) fn checker(fields: &[Field], changes: &Changes) -> InputSchema {
    InputSchema::of_form(&form(fields, changes))
}

/// Returns the schema behind [`checker`].
pub(crate) fn form(fields: &[Field], changes: &Changes) -> Value {
    object(fields, changes, Revision::V2025_06_18)
}

/// Returns why the user cannot be asked with these choices and defaults, or `None` if nothing is wrong.
pub(crate) fn problem(fields: &[Field], changes: &Changes) -> Option<String> {
    if let Some((index, _)) = changes.choices.iter().find(|(_, choices)| choices.is_empty()) {
        let name = fields.get(*index).map_or("?", |field| field.name);
        return Some(format!("the field `{name}` has an empty list of choices"));
    }
    let changed = changes.choices.iter().map(|(index, _)| index).chain(changes.defaults.iter().map(|(index, _)| index));
    changed.copied().find_map(|index| {
        let field = fields.get(index)?;
        let default = changes.default(index).cloned().or_else(|| field.default.map(literal))?;
        let alone = Field { optional: true, ..*field };
        let choices = changes.choices(index).map(|choices| (0, choices.to_vec()));
        let changes = Changes { choices: choices.into_iter().collect(), defaults: Vec::new() };
        let default = json!({ (field.name): default }).to_string();
        let violations = checker(&[alone], &changes).check(&default).err()?;
        Some(format!("the default does not fit its field:\n{violations}"))
    })
}

/// The name of a choice on the wire, and the choice's title.
pub(super) struct Titled<'c> {
    pub(super) name: &'c str,
    pub(super) title: Option<&'c str>,
}

/// Returns the choices of a field. Returns `None` if the field has no choices, or if none of its choices has a title.
pub(super) fn titled<'c>(field: &Field, index: usize, changes: &'c Changes) -> Option<Vec<Titled<'c>>> {
    choices(field, index, changes).filter(|choices| choices.iter().any(|choice| choice.title.is_some()))
}

/// Returns the choices of a field, which are either set at run time or declared by the field's type.
fn choices<'c>(field: &Field, index: usize, changes: &'c Changes) -> Option<Vec<Titled<'c>>> {
    match (field.shape.0, changes.choices(index)) {
        (ShapeKind::Text { .. }, Some(choices)) => {
            Some(choices.iter().map(|Offered { name, title }| Titled { name, title: title.as_deref() }).collect())
        }
        (ShapeKind::One(choices) | ShapeKind::Several { choices, .. }, _) => {
            Some(choices.iter().map(|&ChoiceEntry { name, title }| Titled { name, title }).collect())
        }
        _ => None,
    }
}

fn object(fields: &[Field], changes: &Changes, revision: Revision) -> Value {
    let properties: Map<_, _> = fields
        .iter()
        .enumerate()
        .map(|(index, field)| (field.name.to_owned(), Value::Object(property(field, index, changes, revision))))
        .collect();
    let required: Vec<_> = fields.iter().filter(|field| field.is_required()).map(|field| field.name).collect();
    let mut object = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

fn property(field: &Field, index: usize, changes: &Changes, revision: Revision) -> Map<String, Value> {
    let mut property = Map::new();
    property.insert("type".into(), type_name(field.shape.0).into());
    for (name, text) in [("title", field.title), ("description", field.description)] {
        if let Some(text) = text {
            property.insert(name.into(), text.into());
        }
    }
    // If false, the titles are a separate list, `enumNames`.
    let together = revision.has_titled_choices() && !field.enum_names;
    let members: SchemaMembers = match (field.shape.0, choices(field, index, changes)) {
        (ShapeKind::Several { count, .. }, Some(choices)) => {
            bounds(["minItems", "maxItems"], count).into_iter().chain([("items", several_of(&choices))]).collect()
        }
        (_, Some(choices)) => one_of(&choices, together),
        (ShapeKind::Text { length, format }, None) => {
            let format = format.map(|format| ("format", format.as_str().into()));
            bounds(["minLength", "maxLength"], length).into_iter().chain(format).collect()
        }
        (ShapeKind::Integer { min, max }, None) => vec![("minimum", whole(min)), ("maximum", whole(max))],
        (ShapeKind::Number { min, max }, None) => [("minimum", min), ("maximum", max)]
            .into_iter()
            .filter_map(|(name, bound)| bound.map(|bound| (name, literal(bound))))
            .collect(),
        (ShapeKind::Boolean | ShapeKind::One(_) | ShapeKind::Several { .. }, None) => Vec::new(),
    };
    property.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
    let default = changes.default(index).cloned().or_else(|| field.default.map(literal));
    let carries_default = revision.has_form_defaults() || matches!(field.shape.0, ShapeKind::Boolean);
    if let Some(default) = default.filter(|_| carries_default) {
        property.insert("default".into(), default);
    }
    property
}

type SchemaMembers = Vec<(&'static str, Value)>;

fn one_of(choices: &[Titled<'_>], together: bool) -> SchemaMembers {
    if choices.iter().all(|choice| choice.title.is_none()) {
        return vec![("enum", names(choices))];
    }
    if together {
        return vec![("oneOf", with_titles(choices))];
    }
    let titles = choices.iter().map(|choice| choice.title.unwrap_or(choice.name)).collect();
    vec![("enum", names(choices)), ("enumNames", titles)]
}

/// Returns the JSON Schema `items` of a field that is a list of choices.
fn several_of(choices: &[Titled<'_>]) -> Value {
    if choices.iter().all(|choice| choice.title.is_none()) {
        return json!({ "type": "string", "enum": names(choices) });
    }
    json!({ "anyOf": with_titles(choices) })
}

fn names(choices: &[Titled<'_>]) -> Value {
    choices.iter().map(|choice| choice.name).collect()
}

fn with_titles(choices: &[Titled<'_>]) -> Value {
    let title = |choice: &Titled<'_>| json!({ "const": choice.name, "title": choice.title.unwrap_or(choice.name) });
    choices.iter().map(title).collect()
}

fn bounds([min, max]: [&'static str; 2], bounds: Bounds) -> SchemaMembers {
    let bound = |name, bound: Option<u32>| bound.map(|bound| (name, bound.into()));
    bound(min, bounds.min).into_iter().chain(bound(max, bounds.max)).collect()
}

fn type_name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Text { .. } | ShapeKind::One(_) => "string",
        ShapeKind::Integer { .. } => "integer",
        ShapeKind::Number { .. } => "number",
        ShapeKind::Boolean => "boolean",
        ShapeKind::Several { .. } => "array",
    }
}

/// Converts a literal to JSON.
pub(crate) fn literal(literal: Literal) -> Value {
    match literal {
        Literal::Text(text) => text.into(),
        Literal::Bool(bool) => bool.into(),
        Literal::Integer(number) => whole(number),
        Literal::Float(number) => number.into(),
        Literal::List(texts) => texts.into(),
    }
}

/// Converts a whole number to JSON. Every integer field fits into 64 bits. A larger number becomes the nearest float.
fn whole(number: i128) -> Value {
    Number::from_i128(number).map_or_else(|| (number as f64).into(), Value::Number)
}
