//! Detects enum variants that have the same name.

use serde_json::{Map, Value};

use crate::wire::{
    protocol::json::get,
    schema::{
        example::{branch_name, names},
        keyword::{InnerSchema, inner},
    },
};

/// Adds a message to `problems` for each enum in which two variants have the same name. `of_types` states whether the
/// schema was generated from Rust types. In a generated schema, variants differ only by their names.
pub(crate) fn find(schema: &Value, of_types: bool, problems: &mut Vec<String>) {
    Finder { of_types, problems }.schema(schema, None);
}

struct Finder<'p> {
    of_types: bool,
    problems: &'p mut Vec<String>,
}

/// The path of a schema inside the root. Only a problem needs its text.
struct KeywordPath<'p> {
    outer: Option<&'p KeywordPath<'p>>,
    keyword: &'p str,
    key: Option<&'p str>,
}

impl Finder<'_> {
    fn schema(&mut self, schema: &Value, path: Option<&KeywordPath<'_>>) {
        let Value::Object(keywords) = schema else { return };
        let names = names(keywords);
        // The names of branches are reported with the union.
        let has_names = !names.is_empty();
        self.compare(names, keywords, path);
        for InnerSchema { keyword, key, schema } in inner(keywords) {
            if keyword != "oneOf" || !has_names {
                self.schema(schema, Some(&KeywordPath { outer: path, keyword, key: key.as_deref() }));
            }
        }
    }

    fn compare<'s>(
        &mut self,
        mut names: Vec<&'s str>,
        keywords: &'s Map<String, Value>,
        path: Option<&KeywordPath<'_>>,
    ) {
        if self.of_types {
            let branches = get(keywords, "oneOf").and_then(Value::as_array).into_iter().flatten();
            names.extend(branches.filter_map(branch_name).map(|(_, name)| name));
        }
        let duplicate = names.iter().enumerate().find_map(|(at, name)| names[..at].contains(name).then_some(*name));
        if let Some(name) = duplicate {
            let path = path.map_or_else(|| "the root".to_owned(), |path| format!("`{}`", path.text()));
            self.problems.push(format!(
                "{path}: two variants have the name `{name}`; rename one of them: `#[serde(rename = \"…\")]`"
            ));
        }
    }
}

impl KeywordPath<'_> {
    fn text(&self) -> String {
        let outer = self.outer.map(KeywordPath::text).unwrap_or_default();
        let steps = [&*outer, self.keyword, self.key.unwrap_or_default()];
        steps.into_iter().filter(|step| !step.is_empty()).collect::<Vec<_>>().join(".")
    }
}
