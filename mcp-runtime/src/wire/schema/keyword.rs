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

const KEYWORDS: [(&str, KeywordValue, KeywordRole); 58] = [
    ("title", Other, Describes),
    ("description", Other, Describes),
    ("default", Other, Describes),
    ("examples", Other, Describes),
    ("example", Other, Describes),
    ("deprecated", Other, Describes),
    ("readOnly", Other, Describes),
    ("writeOnly", Other, Describes),
    ("contentEncoding", Other, Describes),
    ("contentMediaType", Other, Describes),
    ("contentSchema", Schema, Describes),
    ("$comment", Other, Defines),
    ("$schema", Other, Defines),
    ("$id", Other, Defines),
    ("$anchor", Other, Defines),
    ("$dynamicAnchor", Other, Defines),
    ("$defs", NamedSchemas, Defines),
    ("definitions", NamedSchemas, Defines),
    ("$ref", Other, Rewritten(Types::ANY)),
    ("type", Other, Rewritten(Types::ANY)),
    ("enum", Other, Restricts(Types::ANY)),
    ("const", Other, Rewritten(Types::ANY)),
    ("minimum", Other, Restricts(Types::NUMBER)),
    ("maximum", Other, Restricts(Types::NUMBER)),
    ("exclusiveMinimum", Other, Restricts(Types::NUMBER)),
    ("exclusiveMaximum", Other, Restricts(Types::NUMBER)),
    ("multipleOf", Other, Restricts(Types::NUMBER)),
    ("minLength", Other, Restricts(Types::STRING)),
    ("maxLength", Other, Restricts(Types::STRING)),
    ("pattern", Other, Restricts(Types::STRING)),
    ("format", Other, Restricts(Types::STRING)),
    ("items", Schema, Rewritten(Types::ARRAY)),
    ("prefixItems", Schemas, Rewritten(Types::ARRAY)),
    ("minItems", Other, Restricts(Types::ARRAY)),
    ("maxItems", Other, Restricts(Types::ARRAY)),
    ("uniqueItems", Other, Rewritten(Types::ARRAY)),
    ("contains", Schema, Rewritten(Types::ARRAY)),
    ("minContains", Other, Rewritten(Types::ARRAY)),
    ("maxContains", Other, Rewritten(Types::ARRAY)),
    ("unevaluatedItems", Schema, Rewritten(Types::ARRAY)),
    ("properties", NamedSchemas, Rewritten(Types::OBJECT)),
    ("required", Other, Rewritten(Types::OBJECT)),
    ("additionalProperties", Schema, Rewritten(Types::OBJECT)),
    ("patternProperties", NamedSchemas, Rewritten(Types::OBJECT)),
    ("minProperties", Other, Restricts(Types::OBJECT)),
    ("maxProperties", Other, Restricts(Types::OBJECT)),
    ("propertyNames", Schema, Rewritten(Types::OBJECT)),
    ("dependentRequired", Other, Rewritten(Types::OBJECT)),
    ("dependentSchemas", NamedSchemas, Rewritten(Types::OBJECT)),
    ("unevaluatedProperties", Schema, Rewritten(Types::OBJECT)),
    ("allOf", Schemas, Rewritten(Types::ANY)),
    ("anyOf", Schemas, Rewritten(Types::ANY)),
    ("oneOf", Schemas, Rewritten(Types::ANY)),
    ("not", Schema, Rewritten(Types::ANY)),
    ("if", Schema, Rewritten(Types::ANY)),
    ("then", Schema, Rewritten(Types::ANY)),
    ("else", Schema, Rewritten(Types::ANY)),
    ("$dynamicRef", Other, Rewritten(Types::ANY)),
];

fn find(keyword: &str) -> Option<(KeywordValue, KeywordRole)> {
    KEYWORDS.iter().find(|(name, ..)| *name == keyword).map(|(_, value, role)| (*value, *role))
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
        match (find(keyword).map(|(kind, _)| kind), value) {
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
        match (find(keyword).map(|(kind, _)| kind), value) {
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
            let is_meant = |(name, _, role): &(&str, _, KeywordRole)| match *name {
                // These words are similar to names that authors give to their own keywords.
                "not" | "if" | "then" | "else" => false,
                name => name == "$defs" || matches!(role, Restricts(_) | Rewritten(_)),
            };
            let known = KEYWORDS.iter().filter(|keyword| is_meant(keyword)).map(|(name, ..)| *name);
            // Short words are similar to too many keywords.
            let known = nearest(keyword, known).filter(|_| keyword.len() > 3 && !keyword.contains('-'))?;
            let near = known.len().abs_diff(keyword.len()) <= 2;
            return near.then(|| format!("not a keyword of JSON Schema; did you mean `{known}`?"));
        }
    };
    Some(format!("this keyword is from an older draft of JSON Schema; write {newer} instead"))
}
