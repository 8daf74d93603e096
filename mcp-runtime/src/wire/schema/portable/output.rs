//! The published form of an output schema. It stays exact, because clients validate results against it.

use serde_json::{Map, Value};

use super::{note, union::VariantNames};
use crate::wire::schema::keyword::for_each_inner;

/// Writes enums with documented variants as plain enums, and removes formats that JSON Schema does not define.
pub(crate) fn plain(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    write_names(keywords);
    note::replace_format(keywords);
    for_each_inner(keywords, |_, inner| plain(inner));
}

fn write_names(keywords: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = keywords.get("oneOf") else { return };
    let mut names = VariantNames::default();
    if !branches.is_empty() && branches.iter().all(|branch| names.add(branch)) {
        keywords.shift_remove("oneOf");
        names.write(keywords);
    }
}
