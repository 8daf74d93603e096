//! Values of several forms: optional values, enums, and types with alternatives.

use serde_json::{Map, Value};

use super::{PortableConverter, PortableForm, SchemaGapKind, merge::merge, note};
use crate::wire::{
    protocol::json::{get, set},
    schema::{
        keyword::{describes, for_each_inner, restricted_types},
        value::types::Types,
    },
};

const UNIONS: [&str; 2] = ["oneOf", "anyOf"];

/// Removes `null` from the allowed values. Returns whether it was allowed besides other values.
pub(super) fn take_null(exact: &mut Map<String, Value>) -> bool {
    let mut is_taken = false;
    let mut take = |values: &mut Vec<Value>, is_null: fn(&Value) -> bool| {
        let others = values.iter().filter(|value| !is_null(value)).count();
        if (1..values.len()).contains(&others) {
            values.retain(|value| !is_null(value));
            is_taken = true;
        }
    };
    if let Some(Value::Array(types)) = exact.get_mut("type") {
        take(types, |name| name == "null");
    }
    if let Some(Value::Array(values)) = exact.get_mut("enum") {
        take(values, Value::is_null);
    }
    for union in UNIONS {
        if let Some(Value::Array(branches)) = exact.get_mut(union) {
            let is_null = |branch: &Value| {
                branch.get("type").is_some_and(|name| name == "null") || branch.get("const").is_some_and(Value::is_null)
            };
            take(branches, is_null);
        }
    }
    if let Some(Value::Array(types)) = exact.get_mut("type")
        && let [only] = &mut types[..]
    {
        let only = only.take();
        set(exact, "type", only);
    }
    is_taken
}

/// If the schema has a union with one branch, merges this branch into the schema. Returns whether it did.
pub(super) fn unwrap_single(exact: &mut Map<String, Value>) -> bool {
    for union in UNIONS {
        if let Some(Value::Array(branches)) = get(exact, union)
            && let [Value::Object(only)] = &branches[..]
        {
            let only = only.clone();
            exact.shift_remove(union);
            *exact = merge(std::mem::take(exact), only.clone()).unwrap_or(only);
            return true;
        }
    }
    false
}

/// Takes the branches of a union out of the schema. Several names in `type` are a union too.
pub(super) fn take_branches(exact: &mut Map<String, Value>) -> Option<Vec<Value>> {
    if let Some(branches) = UNIONS.iter().find_map(|union| match exact.shift_remove(*union) {
        Some(Value::Array(branches)) => Some(branches),
        _ => None,
    }) {
        return Some(branches);
    }
    let names = match get(exact, "type") {
        Some(Value::Array(names)) if !names.is_empty() => names.clone(),
        _ => return None,
    };
    let rules: Map<_, _>;
    (*exact, rules) = std::mem::take(exact).into_iter().partition(|(keyword, _)| describes(keyword));
    // Every number is allowed, so every integer is.
    let has_numbers = names.iter().any(|name| name == "number");
    let names = names.iter().filter_map(Value::as_str).filter(|name| *name != "integer" || !has_numbers);
    let of_type = |name: &str| {
        let types = Types::named(name).unwrap_or_default();
        let mut branch = Map::new();
        set(&mut branch, "type", name.into());
        for (keyword, value) in &rules {
            match (keyword.as_str(), value) {
                ("type", _) => {}
                ("enum", Value::Array(values)) => {
                    let own: Vec<_> =
                        values.iter().filter(|value| types.holds(Types::of_json(value))).cloned().collect();
                    if own.is_empty() {
                        return None;
                    }
                    set(&mut branch, keyword, own.into());
                }
                _ if restricted_types(keyword).holds(types) => set(&mut branch, keyword, value.clone()),
                _ => {}
            }
        }
        Some(Value::Object(branch))
    };
    Some(names.filter_map(of_type).collect())
}

/// Returns whether all values of the schema are objects.
pub(super) fn is_object(keywords: &Map<String, Value>) -> bool {
    let of_branch = |branch: &Value| branch.as_object().is_some_and(is_object);
    match get(keywords, "type") {
        Some(name) => name == "object",
        None => UNIONS.iter().any(|union| {
            let branches = get(keywords, union).and_then(Value::as_array);
            branches.is_some_and(|branches| branches.iter().all(of_branch))
        }),
    }
}

/// The variants of an enum that are only names, with their docs.
#[derive(Default)]
pub(super) struct VariantNames {
    names: Vec<Value>,
    docs: Vec<String>,
}

impl VariantNames {
    /// Adds the names of a branch. Returns `false` if the branch allows other values too.
    pub(super) fn add(&mut self, branch: &Value) -> bool {
        const ALLOWED: [&str; 6] = ["type", "const", "enum", "title", "description", "deprecated"];
        let Some(keywords) = branch.as_object() else { return false };
        let names = match (get(keywords, "const"), get(keywords, "enum")) {
            (Some(name), None) => std::slice::from_ref(name),
            (None, Some(Value::Array(names))) => &names[..],
            _ => return false,
        };
        let is_plain = keywords.keys().all(|keyword| ALLOWED.contains(&keyword.as_str()));
        if !is_plain || names.is_empty() || !names.iter().all(Value::is_string) {
            return false;
        }
        let doc = ["description", "title"].iter().find_map(|key| get(keywords, key)?.as_str()).unwrap_or_default();
        let is_deprecated = get(keywords, "deprecated").is_some_and(|value| value == true);
        let doc = match (note::one_line(doc), is_deprecated) {
            (doc, false) => doc,
            (doc, true) if doc.is_empty() => "deprecated".to_owned(),
            (doc, true) => format!("{doc} (deprecated)"),
        };
        if let ([Value::String(name)], false) = (names, doc.is_empty()) {
            self.docs.push(format!("`{name}`: {doc}"));
        }
        self.names.extend(names.iter().cloned());
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Writes the names as `enum` and their docs into the description.
    pub(super) fn write(self, keywords: &mut Map<String, Value>) {
        set(keywords, "type", "string".into());
        set(keywords, "enum", self.names.into());
        if !self.docs.is_empty() {
            note::add(keywords, &self.docs.join("; "));
        }
    }
}

impl PortableConverter<'_> {
    /// Converts a union. `base` are the keywords beside it.
    pub(super) fn union(&mut self, mut base: Map<String, Value>, branches: Vec<Value>, at: &str) -> PortableForm {
        let mut names = VariantNames::default();
        let mut others: Vec<Value> = branches.into_iter().filter(|branch| !names.add(branch)).collect();
        if others.is_empty() {
            names.write(&mut base);
            return self.plain(&base, at);
        }
        if !names.is_empty() {
            let mut branch = Map::new();
            names.write(&mut branch);
            others.insert(0, Value::Object(branch));
        }
        let (mut form, rules): (Map<_, _>, Map<_, _>) = base.into_iter().partition(|(keyword, _)| describes(keyword));
        let (mut distinct, mut is_nullable) = (Vec::new(), false);
        for branch in others {
            let converted = match branch {
                Value::Object(branch) => {
                    // Keywords beside a union apply to each branch, and some hosts drop them there.
                    let merged = merge(branch.clone(), rules.clone()).unwrap_or(branch);
                    self.keywords(merged, at)
                }
                other => self.schema(&other, at),
            };
            is_nullable |= converted.is_nullable;
            let alternatives = match get(&converted.keywords, "anyOf") {
                Some(Value::Array(inner)) if converted.keywords.len() == 1 => inner.clone(),
                _ => vec![Value::Object(converted.keywords)],
            };
            for one in alternatives {
                if !distinct.contains(&one) {
                    distinct.push(one);
                }
            }
        }
        let is_scalar = |one: &Value| !matches!(one["type"].as_str(), None | Some("object" | "array"));
        if !distinct.iter().all(is_scalar) {
            self.gap(at, SchemaGapKind::Union);
        }
        match &mut distinct[..] {
            [Value::Object(only)] => {
                let only = std::mem::take(only);
                form = merge(form, only.clone()).unwrap_or(only);
            }
            _ => set(&mut form, "anyOf", distinct.into()),
        }
        PortableForm { keywords: form, is_nullable }
    }
}

/// Converts an output schema to its published form. It stays exact, because clients validate results against it: only
/// enums with documented variants become plain enums, and formats that JSON Schema does not define are removed.
pub(crate) fn plain_output(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    if let Some(Value::Array(branches)) = keywords.get("oneOf") {
        let mut names = VariantNames::default();
        if !branches.is_empty() && branches.iter().all(|branch| names.add(branch)) {
            keywords.shift_remove("oneOf");
            names.write(keywords);
        }
    }
    note::replace_format(keywords);
    for_each_inner(keywords, |_, inner| plain_output(inner));
}
