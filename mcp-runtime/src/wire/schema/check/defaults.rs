//! Detects defaults that violate their own schema.

use serde_json::{Map, Value};

use crate::wire::schema::{
    check::Checker,
    compile::node::{Compiled, DefaultValue, Types},
    value::instance::Instance,
};

/// Returns a message for the author for each default that does not match its schema.
pub(crate) fn unfit(schema: &Compiled) -> impl Iterator<Item = String> {
    schema.defaults.iter().filter_map(|DefaultValue { node, place, value }| {
        const STEPS: u64 = 100_000;
        let report = Checker::errors(schema, *node, value, STEPS);
        let violation = report.violations.listed.first()?;
        let what = if violation.place.is_whole() { violation.what.clone() } else { violation.to_string() };
        let is_number = schema.types(*node).and(Types::NUMBER) != Types::NONE;
        let cause = match value {
            Instance::Null if is_number => "; JSON writes NaN and infinity as null",
            _ => "",
        };
        Some(format!("`{place}`: the default does not fit: {what}{cause}"))
    })
}

/// Removes each default that has another JSON type than its property. A property can have such a default if the
/// author's own deserializer reads the property. Clients cannot send such a default as it is.
pub(crate) fn drop_of_other_types(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let properties = properties.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut);
    for property in properties {
        let is_other = property
            .get("default")
            .zip(property.get("type"))
            .is_some_and(|(value, types)| !Types::listed(types).holds(Types::of_json(value)));
        if is_other {
            property.shift_remove("default");
        }
    }
}
