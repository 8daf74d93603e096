//! Detects enum variants that have the same name.

use serde_json::{Map, Value};

use crate::wire::schema::{
    example::{branch_name, names},
    keyword::KeywordValue,
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
        for (keyword, value) in keywords {
            match (KeywordValue::of(keyword), value) {
                (KeywordValue::Schema, inner) => self.schema(inner, &inside(place, keyword)),
                (KeywordValue::Schemas, Value::Array(inner)) => {
                    // The names of these branches are reported with the union.
                    let inner = inner.iter().enumerate().filter(|_| keyword != "oneOf" || names(keywords).is_empty());
                    inner.for_each(|(at, inner)| self.schema(inner, &format!("{}.{at}", inside(place, keyword))));
                }
                (KeywordValue::NamedSchemas, Value::Object(inner)) => {
                    inner.iter().for_each(|(name, inner)| {
                        self.schema(inner, &format!("{}.{name}", inside(place, keyword)));
                    });
                }
                _ => {}
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

fn inside(place: &str, keyword: &str) -> String {
    if place.is_empty() { keyword.to_owned() } else { format!("{place}.{keyword}") }
}
