//! The keywords of JSON Schema. Some contain schemas, some constrain values, and some only describe values.

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::{
    KeywordRole::{Defines, Describes, Restricts, Rewritten},
    KeywordValue::{NamedSchemas, Other, Schema, Schemas},
};
use super::{nearest::nearest, value::types::Types};

/// The kind of value that a keyword has.
#[derive(Clone, Copy, PartialEq)]
enum KeywordValue {
    Schema,
    Schemas,
    NamedSchemas,
    Other,
}

/// What a keyword does.
#[derive(Clone, Copy)]
enum KeywordRole {
    /// It only describes values.
    Describes,
    /// It names the schema, or defines targets of references. Published schemas do not have it.
    Defines,
    /// It restricts values of these types. Published schemas have the keyword as it is.
    Restricts(Types),
    /// It restricts values of these types. Published schemas have it in another form, or do not have it.
    Rewritten(Types),
}

/// The keywords, with the most frequent ones first.
const KEYWORDS: [(&[&str], KeywordValue, KeywordRole); 20] = [
    (&["type", "$ref", "$dynamicRef", "const"], Other, Rewritten(Types::ANY)),
    (&["description", "title", "default", "examples", "example", "deprecated"], Other, Describes),
    (&["properties", "patternProperties", "dependentSchemas"], NamedSchemas, Rewritten(Types::OBJECT)),
    (&["required", "dependentRequired"], Other, Rewritten(Types::OBJECT)),
    (&["additionalProperties", "propertyNames", "unevaluatedProperties"], Schema, Rewritten(Types::OBJECT)),
    (&["minProperties", "maxProperties"], Other, Restricts(Types::OBJECT)),
    (&["enum"], Other, Restricts(Types::ANY)),
    (&["format", "minLength", "maxLength", "pattern"], Other, Restricts(Types::STRING)),
    (&["items", "contains", "unevaluatedItems"], Schema, Rewritten(Types::ARRAY)),
    (&["prefixItems"], Schemas, Rewritten(Types::ARRAY)),
    (&["minItems", "maxItems"], Other, Restricts(Types::ARRAY)),
    (&["uniqueItems", "minContains", "maxContains"], Other, Rewritten(Types::ARRAY)),
    (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], Other, Restricts(Types::NUMBER)),
    (&["multipleOf"], Other, Restricts(Types::NUMBER)),
    (&["anyOf", "oneOf", "allOf"], Schemas, Rewritten(Types::ANY)),
    (&["not", "if", "then", "else"], Schema, Rewritten(Types::ANY)),
    (&["$defs", "definitions"], NamedSchemas, Defines),
    (&["$schema", "$id", "$anchor", "$dynamicAnchor", "$comment"], Other, Defines),
    (&["readOnly", "writeOnly", "contentEncoding", "contentMediaType"], Other, Describes),
    (&["contentSchema"], Schema, Describes),
];

fn find(keyword: &str) -> Option<(KeywordValue, KeywordRole)> {
    KEYWORDS.iter().find(|(names, ..)| names.contains(&keyword)).map(|(_, value, role)| (*value, *role))
}

/// Returns the kind of value that a keyword has, if this value can contain schemas. Most keywords have a text or a number.
fn kind(keyword: &str, value: &Value) -> Option<KeywordValue> {
    let is_scalar = matches!(value, Value::Null | Value::Number(_) | Value::String(_));
    if is_scalar { None } else { find(keyword).map(|(kind, _)| kind) }
}

/// A schema directly inside another one.
pub(super) struct InnerSchema<'s> {
    pub(super) keyword: &'s str,
    /// The index or the name of the schema, if the keyword contains several schemas.
    pub(super) key: Option<Cow<'s, str>>,
    pub(super) schema: &'s Value,
}

/// Returns every schema directly inside this one.
pub(super) fn inner(schema: &Map<String, Value>) -> Vec<InnerSchema<'_>> {
    let mut inner = Vec::new();
    for (keyword, value) in schema {
        match (kind(keyword, value), value) {
            (Some(Schema), schema) => inner.push(InnerSchema { keyword, key: None, schema }),
            (Some(Schemas), Value::Array(schemas)) => {
                let keys = (0..).map(|index: usize| Some(Cow::Owned(index.to_string())));
                inner.extend(keys.zip(schemas).map(|(key, schema)| InnerSchema { keyword, key, schema }));
            }
            (Some(NamedSchemas), Value::Object(schemas)) => inner
                .extend(schemas.iter().map(|(name, schema)| InnerSchema { keyword, key: Some(name.into()), schema })),
            _ => {}
        }
    }
    inner
}

/// Calls `each` with every schema directly inside this one.
pub(super) fn for_each_inner(schema: &mut Map<String, Value>, mut each: impl FnMut(&str, &mut Value)) {
    for (keyword, value) in schema.iter_mut() {
        match (kind(keyword, value), value) {
            (Some(Schema), value) => each(keyword, value),
            (Some(Schemas), Value::Array(schemas)) => schemas.iter_mut().for_each(|schema| each(keyword, schema)),
            (Some(NamedSchemas), Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| each(keyword, schema));
            }
            _ => {}
        }
    }
}

/// Returns whether a keyword only describes values or defines targets of references. Such a keyword accepts every
/// value.
pub(super) fn describes(keyword: &str) -> bool {
    matches!(find(keyword), Some((_, Describes | Defines))) || keyword.starts_with("x-")
}

/// Returns whether published schemas have a keyword as it is.
pub(super) fn is_published(keyword: &str) -> bool {
    matches!(find(keyword), Some((_, Describes | Restricts(_)))) || keyword.starts_with("x-")
}

/// Returns the types whose values a keyword restricts.
pub(super) fn restricted_types(keyword: &str) -> Types {
    match find(keyword) {
        Some((_, Restricts(types) | Rewritten(types))) => types,
        _ => Types::ANY,
    }
}

/// Returns the error for an unknown keyword that looks like an outdated or misspelled constraint. Returns `None` for
/// other unknown keywords, because JSON Schema allows them.
pub(super) fn unknown(keyword: &str) -> Option<String> {
    let newer = match keyword {
        "additionalItems" => "`prefixItems` and `items`",
        "dependencies" => "`dependentRequired` or `dependentSchemas`",
        "divisibleBy" => "`multipleOf`",
        "$recursiveRef" => "`$ref`",
        _ => {
            let constraints = KEYWORDS.iter().filter(|(.., role)| matches!(role, Restricts(_) | Rewritten(_)));
            let names = constraints.flat_map(|(names, ..)| *names).copied().chain(["$defs"]);
            // These words are similar to names that authors give to their own keywords.
            let known = names.filter(|name| !["not", "if", "then", "else"].contains(name));
            // Short words are similar to too many keywords.
            let known = nearest(keyword, known).filter(|_| keyword.len() > 3 && !keyword.contains('-'))?;
            let near = known.len().abs_diff(keyword.len()) <= 2;
            return near.then(|| format!("not a keyword of JSON Schema; did you mean `{known}`?"));
        }
    };
    Some(format!("this keyword is from an older draft of JSON Schema; write {newer} instead"))
}
