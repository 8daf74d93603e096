//! Builds JSON objects.

use serde_json::{Map, Value};

/// Creates an object from the members that have a value, in this order.
pub(crate) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let members = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(members.collect::<Map<_, _>>())
}
