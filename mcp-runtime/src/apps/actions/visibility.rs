//! The fields that callers do not get: internal fields, and in lists the fields that are not part of a summary.
//!
//! The marks are part of the JSON schema of the result (`x-internal`, `x-summary-skip`). Their value is the name of the
//! field in Rust, which `{:?}` prints. The schema contains the names that `serde` writes, and the types inside lists,
//! maps, options and types of other crates. A trait of our own would have to repeat all of that, and would not notice a
//! marked field in a type that does not implement the trait. Marks do not change how a type is serialized elsewhere, so
//! a program can still store internal fields.
//!
//! If a schema has alternatives, callers get a field only if no alternative marks it, because it is not always certain
//! which alternative a value belongs to.

use memchr::memmem;
use serde_json::{Map, Value};

const INTERNAL: &str = "x-internal";
const SUMMARY_SKIP: &str = "x-summary-skip";

/// The marks (`x-internal`, `x-summary-skip`) of fields in the schema of a result.
#[derive(Debug, Default)]
pub(super) struct OutputMarks {
    /// The schema, if it has marks.
    schema: Option<Value>,
}

/// How much of a result the caller gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Everything that is not internal.
    Full,
    /// Everything that is not internal, without the fields that summaries skip.
    Summary,
}

impl OutputMarks {
    pub(super) fn of(schema: &Value) -> Self {
        let has_marks = !names(schema, INTERNAL).is_empty() || !names(schema, SUMMARY_SKIP).is_empty();
        Self { schema: has_marks.then(|| schema.clone()) }
    }

    /// Returns the names of the fields that are marked as internal.
    pub(super) fn internal_names(&self) -> Vec<String> {
        self.schema.as_ref().map_or_else(Vec::new, |schema| names(schema, INTERNAL))
    }

    /// Returns whether this result, a JSON text, can have fields that callers do not get.
    pub(super) fn may_remove(&self, result: &str) -> bool {
        let contains = |text| memmem::find(result.as_bytes(), text).is_some();
        // The second text: an escape that a name can have instead of its underscore.
        self.schema.is_some() || contains(b"\"_") || contains(b"\\u")
    }

    /// Removes the fields that callers do not get.
    pub(super) fn remove(&self, value: &mut Value, detail: Detail) {
        match &self.schema {
            Some(root) => Remover { root, detail }.value(value, &[root]),
            None => remove_underscored(value),
        }
    }
}

/// Removes each member whose name begins with `_`, from all objects in `value`.
pub(super) fn remove_underscored(value: &mut Value) {
    Remover { root: &Value::Null, detail: Detail::Full }.value(value, &[]);
}

/// Removes each member whose name begins with `_`, at every depth.
pub(super) fn remove_underscored_members(members: &mut Map<String, Value>) {
    members.retain(|name, _| !name.starts_with('_'));
    members.values_mut().for_each(remove_underscored);
}

/// Returns the names of the properties with this mark, and the names of their fields in Rust.
fn names(schema: &Value, mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let marked = properties.iter().filter(|(_, property)| is_marked(property, mark));
            found.extend(marked.flat_map(|(name, property)| {
                let own = property.get(mark).and_then(Value::as_str).map(str::to_owned);
                own.into_iter().filter(|own| own != name).chain([name.clone()]).collect::<Vec<_>>()
            }));
        }
        match schema {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    found
}

fn is_marked(schema: &Value, mark: &str) -> bool {
    schema.get(mark).is_some_and(|mark| mark.is_string())
}

struct Remover<'s> {
    root: &'s Value,
    detail: Detail,
}

impl<'s> Remover<'s> {
    /// Removes fields inside the value, which fits one of these schemas.
    fn value(&self, value: &mut Value, schemas: &[&'s Value]) {
        match value {
            Value::Array(items) => {
                let schemas = self.alternatives(schemas);
                for (at, item) in items.iter_mut().enumerate() {
                    let inside: Vec<_> = schemas.iter().flat_map(|schema| of_item(schema, at)).collect();
                    self.value(item, &inside);
                }
            }
            Value::Object(members) => {
                let schemas = self.alternatives(schemas);
                members.retain(|name, member| {
                    let inside: Vec<_> = schemas.iter().flat_map(|schema| of_member(schema, name)).collect();
                    let stays = !name.starts_with('_') && !inside.iter().any(|schema| self.leaves_out(schema));
                    if stays {
                        self.value(member, &inside);
                    }
                    stays
                });
            }
            _ => {}
        }
    }

    fn leaves_out(&self, schema: &Value) -> bool {
        is_marked(schema, INTERNAL) || (self.detail == Detail::Summary && is_marked(schema, SUMMARY_SKIP))
    }

    /// Returns these schemas, the schemas that they refer to, and the schemas that they are composed of.
    fn alternatives(&self, schemas: &[&'s Value]) -> Vec<&'s Value> {
        let mut all: Vec<&Value> = Vec::new();
        let mut open = schemas.to_vec();
        while let Some(schema) = open.pop() {
            if all.iter().any(|known| std::ptr::eq(*known, schema)) {
                continue;
            }
            all.push(schema);
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
            open.extend(target.and_then(|target| self.root.pointer(target)));
            for keyword in ["allOf", "anyOf", "oneOf"] {
                open.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
            }
            open.extend(["if", "then", "else"].iter().filter_map(|keyword| schema.get(keyword)));
        }
        all
    }
}

/// Returns the schemas that describe the item at this index.
fn of_item(schema: &Value, at: usize) -> impl Iterator<Item = &Value> {
    let prefix = schema.get("prefixItems").and_then(|items| items.get(at));
    prefix.or_else(|| schema.get("items")).into_iter()
}

/// Returns the schemas that describe the member with this name.
fn of_member<'s>(schema: &'s Value, name: &str) -> impl Iterator<Item = &'s Value> {
    let own = schema.get("properties").and_then(|properties| properties.get(name));
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    // Does not check which pattern a name fits: a mark in any pattern counts.
    let patterns = patterns.into_iter().flat_map(|patterns| patterns.values());
    let others = schema.get("additionalProperties").filter(|_| own.is_none());
    own.into_iter().chain(patterns).chain(others)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marks_hold_behind_references_alternatives_and_lists() {
        let schema = json!({
            "type": "object",
            "properties": { "runs": { "type": "array", "items": { "$ref": "#/$defs/Run" } } },
            "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/Run" }, { "type": "null" }] },
            "$defs": { "Run": { "type": "object", "properties": {
                "id": { "type": "integer" },
                "lease": { "type": "string", "x-internal": "lease_of_run" },
                "trace": { "type": "string", "x-summary-skip": "trace" },
                "parent": { "anyOf": [{ "$ref": "#/$defs/Run" }, { "type": "null" }] },
            } } },
        });
        let marks = OutputMarks::of(&schema);
        let run =
            |id: u32| json!({ "id": id, "lease": "L", "trace": "T", "parent": { "id": 9, "lease": "L", "_x": 1 } });
        let mut value = json!({ "runs": [run(1)], "other": run(2), "_all": 3 });
        marks.remove(&mut value, Detail::Full);
        let full = |id: u32| json!({ "id": id, "trace": "T", "parent": { "id": 9 } });
        assert_eq!(value, json!({ "runs": [full(1)], "other": full(2) }));
        marks.remove(&mut value, Detail::Summary);
        let summary = |id: u32| json!({ "id": id, "parent": { "id": 9 } });
        assert_eq!(value, json!({ "runs": [summary(1)], "other": summary(2) }));
        assert_eq!(marks.internal_names(), ["lease_of_run", "lease"]);
    }

    #[test]
    fn a_result_is_not_parsed_if_no_name_can_be_internal() {
        let marks = OutputMarks::of(&json!(true));
        assert!(!marks.may_remove(r#"{"a":{"b_c":"d_"}}"#));
        for result in [r#"{"_a":1}"#, r#"{"a":[{"_b":1}]}"#, r#"{"\u005fa":1}"#, r#"{"a":"_"}"#] {
            assert!(marks.may_remove(result), "{result}");
        }
        let mark = json!({ "properties": { "a": { "x-internal": "a" } } });
        assert!(OutputMarks::of(&mark).may_remove("{}"));
    }

    #[test]
    fn without_marks_only_underscored_names_are_removed() {
        let mut value = json!([{ "a": 1, "_b": { "c": 2 } }, { "d": [{ "_e": 3 }] }]);
        OutputMarks::of(&json!(true)).remove(&mut value, Detail::Summary);
        assert_eq!(value, json!([{ "a": 1 }, { "d": [{}] }]));
    }
}
