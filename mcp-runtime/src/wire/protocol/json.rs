//! Creates, changes and reads JSON objects with little machine code.
//!
//! The compiler copies `Map::insert` and `Map::get` to every place that calls them, and the macro `json!` expands to
//! many such calls. Where speed does not matter, these functions are used instead, which keeps small programs small.

use serde_json::{Map, Value, value::RawValue};

/// Returns an object with these members, in this order.
pub(crate) fn object<const N: usize>(mut members: [(&str, Value); N]) -> Value {
    take(&mut members)
}

#[inline(never)]
fn take(members: &mut [(&str, Value)]) -> Value {
    let mut object = Map::new();
    for (name, value) in members {
        set(&mut object, name, value.take());
    }
    Value::Object(object)
}

/// Returns an object with the members that have a value, in this order.
pub(crate) fn object_of_some<const N: usize>(mut members: [(&str, Option<Value>); N]) -> Value {
    take_some(&mut members)
}

#[inline(never)]
fn take_some(members: &mut [(&str, Option<Value>)]) -> Value {
    let mut object = Map::new();
    for (name, value) in members {
        if let Some(value) = value.take() {
            set(&mut object, name, value);
        }
    }
    Value::Object(object)
}

/// Sets a member of an object.
#[inline(never)]
pub(crate) fn set(object: &mut Map<String, Value>, name: &str, value: Value) {
    object.insert(name.to_owned(), value);
}

/// Returns a member of an object.
#[inline(never)]
pub(crate) fn get<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o Value> {
    // To compare a few names costs less than to hash one.
    const FEW: usize = 8;
    match object.len() {
        ..=FEW => object.iter().find(|(other, _)| *other == name).map(|(_, value)| value),
        _ => object.get(name),
    }
}

/// Returns text that is JSON. Returns `null` if it is not JSON.
pub(crate) fn json_of(text: &str) -> &RawValue {
    serde_json::from_str(text).unwrap_or(RawValue::NULL)
}
