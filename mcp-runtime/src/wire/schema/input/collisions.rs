//! Detects enum variants that have the same name.

use serde_json::{Map, Value};

use crate::wire::schema::{
    example::{branch_name, names},
    keyword::{InnerSchema, inner},
};

/// Adds a message to `problems` for each enum in which two variants have the same name. `of_types` states whether the
/// schema was generated from Rust types. In a generated schema, variants differ only by their names.
pub(crate) fn find(schema: &Value, of_types: bool, problems: &mut Vec<String>) {
    Finder { of_types, problems }.schema(schema, "");
}

struct Finder<'p> {
    of_types: bool,
    problems: &'p mut Vec<String>,
}

impl Finder<'_> {
    fn schema(&mut self, schema: &Value, place: &str) {
        let Value::Object(keywords) = schema else { return };
        self.names(keywords, place);
        // The names of branches are reported with the union.
        let has_names = !names(keywords).is_empty();
        for InnerSchema { keyword, key, schema } in inner(keywords) {
            if keyword != "oneOf" || !has_names {
                let steps = [place, keyword, key.as_deref().unwrap_or_default()];
                self.schema(schema, &steps.into_iter().filter(|step| !step.is_empty()).collect::<Vec<_>>().join("."));
            }
        }
    }

    fn names(&mut self, keywords: &Map<String, Value>, place: &str) {
        let mut names = names(keywords);
        if self.of_types {
            let branches = keywords.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            names.extend(branches.filter_map(branch_name).map(|(_, name)| name));
        }
        let duplicate = names.iter().enumerate().find_map(|(at, name)| names[..at].contains(name).then_some(*name));
        if let Some(name) = duplicate {
            let place = if place.is_empty() { "the root".to_owned() } else { format!("`{place}`") };
            self.problems.push(format!(
                "{place}: two variants have the name `{name}`; rename one of them: `#[serde(rename = \"…\")]`"
            ));
        }
    }
}
