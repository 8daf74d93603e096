//! Combines two schemas of one value into one.

use serde_json::{Map, Value};

use crate::wire::{
    protocol::json::{get, set},
    schema::{keyword::describes, value::types::Types},
};

/// Returns a schema that accepts what both schemas accept. Descriptions are those of `outer`, if it has any. Returns
/// `None` if no plain schema accepts this.
pub(super) fn merge(outer: Map<String, Value>, inner: Map<String, Value>) -> Option<Map<String, Value>> {
    let mut merged = outer;
    for (keyword, value) in inner {
        let both = match get(&merged, &keyword) {
            None => value,
            Some(outer) if describes(&keyword) || *outer == value => continue,
            Some(outer) => combine(&keyword, outer, &value)?,
        };
        set(&mut merged, &keyword, both);
    }
    Some(merged)
}

/// Combines two different values of a keyword.
fn combine(keyword: &str, outer: &Value, inner: &Value) -> Option<Value> {
    match keyword {
        "type" => match &Types::listed(outer).and(Types::listed(inner)).each().collect::<Vec<_>>()[..] {
            [] => None,
            [(only, _)] => Some((*only).into()),
            both => Some(both.iter().map(|(name, _)| *name).collect()),
        },
        "allOf" => Some(outer.as_array()?.iter().chain(inner.as_array()?).cloned().collect()),
        "enum" => {
            let listed = inner.as_array()?;
            let both: Vec<_> = outer.as_array()?.iter().filter(|value| listed.contains(value)).cloned().collect();
            (!both.is_empty()).then(|| both.into())
        }
        "required" => {
            let outer = outer.as_array()?;
            let more = inner.as_array()?.iter().filter(|name| !outer.contains(name));
            Some(outer.iter().chain(more).cloned().collect())
        }
        "properties" => {
            let mut properties = outer.as_object()?.clone();
            for (name, schema) in inner.as_object()? {
                let both = match (get(&properties, name), schema) {
                    (Some(Value::Object(outer)), Value::Object(inner)) => merge(outer.clone(), inner.clone())?.into(),
                    _ => schema.clone(),
                };
                set(&mut properties, name, both);
            }
            Some(properties.into())
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => tighter(outer, inner, true),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => tighter(outer, inner, false),
        "additionalProperties" => match (outer, inner) {
            (Value::Bool(true), other) | (other, Value::Bool(true)) => Some(other.clone()),
            (Value::Bool(false), _) | (_, Value::Bool(false)) => Some(false.into()),
            _ => None,
        },
        _ => None,
    }
}

fn tighter(outer: &Value, inner: &Value, is_low: bool) -> Option<Value> {
    let is_outer = (outer.as_f64()? >= inner.as_f64()?) == is_low;
    Some(if is_outer { outer.clone() } else { inner.clone() })
}
