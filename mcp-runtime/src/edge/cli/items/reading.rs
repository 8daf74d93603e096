//! Converts typed text to JSON by a schema.

use std::fmt::{self, Display};

use serde_json::{Map, Value};

use crate::{edge::cli::terminal::one_line, wire::schema::Types};

/// The part of a schema that is needed to read and describe values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadingRules {
    pub(crate) kinds: Types,
    /// The allowed values, if the schema lists them.
    pub(crate) allowed: Vec<ListedValue>,
    /// If the schema describes a list, the part of the schema for its elements.
    pub(crate) items: Option<Box<Self>>,
}

/// An allowed value that a schema lists, and the title that forms show for the value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListedValue {
    pub(crate) value: Value,
    title: Option<String>,
}

/// The types that a schema without `type` accepts. `null` is not included, because the user omits the value instead.
const ANYTHING: Types = Types::STRING.or(Types::NUMBER).or(Types::BOOLEAN).or(Types::ARRAY).or(Types::OBJECT);

/// The maximum depth of references and alternatives that are followed.
const MAX_DEPTH: usize = 16;

impl ReadingRules {
    /// Reads `schema`. Its references point into `root`.
    pub(crate) fn of(schema: &Value, root: &Value) -> Self {
        Self::at(schema, root, 0)
    }

    fn at(schema: &Value, root: &Value, depth: usize) -> Self {
        let anything = Self { kinds: ANYTHING, allowed: Vec::new(), items: None };
        let Some(keywords) = schema.as_object().filter(|_| depth < MAX_DEPTH) else { return anything };
        let inner = |schema: &Value| Self::at(schema, root, depth + 1);
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            return target.strip_prefix('#').and_then(|path| root.pointer(path)).map_or(anything, inner);
        }
        if let Some(allowed) = literals(keywords) {
            let kinds = allowed.iter().fold(Types::NONE, |kinds, literal| kinds.or(Types::of_json(&literal.value)));
            return Self { kinds, allowed, items: None };
        }
        let items = keywords.get("items").map(|items| Box::new(inner(items)));
        if let Some(kinds) = keywords.get("type").and_then(named) {
            return Self { kinds, allowed: Vec::new(), items: items.filter(|_| kinds.holds(Types::ARRAY)) };
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = keywords.get(keyword).and_then(Value::as_array) {
                let branches = branches.iter().map(inner).filter(|branch| branch.kinds != Types::NONE);
                return branches.reduce(Self::or).unwrap_or(anything);
            }
        }
        let first = keywords.get("allOf").and_then(Value::as_array).and_then(|parts| parts.first());
        first.map_or(anything, inner)
    }

    /// Merges two alternatives of a schema, such as two schemas in `anyOf`.
    fn or(mut self, mut other: Self) -> Self {
        if self.allowed.is_empty() || other.allowed.is_empty() {
            self.allowed.clear();
        } else {
            self.allowed.append(&mut other.allowed);
        }
        self.kinds = self.kinds.or(other.kinds);
        self.items = self.items.or(other.items);
        self
    }

    /// Whether the schema accepts only lists. If so, the command-line option can be repeated.
    pub(crate) fn is_list(&self) -> bool {
        self.kinds == Types::ARRAY
    }

    /// Reads the value of one occurrence of a command-line option. If the schema describes a list, this value is one
    /// element, or a JSON array of several elements.
    pub(crate) fn read(&self, text: &str) -> Result<Vec<Value>, String> {
        if !self.is_list() {
            return self.read_one(text).map(|value| vec![value]);
        }
        let Some(items) = &self.items else { return Ok(vec![from_json(text).unwrap_or_else(|| text.into())]) };
        let of_lists = items.kinds.holds(Types::ARRAY);
        match from_json(text) {
            Some(Value::Array(whole)) if !of_lists || whole.iter().all(Value::is_array) => Ok(whole),
            _ => items.read_one(text).map(|element| vec![element]),
        }
    }

    fn read_one(&self, text: &str) -> Result<Value, String> {
        // A text parameter gets the text as typed, even `5` or `true`.
        let value = if self.kinds == Types::STRING {
            Some(text.into())
        } else {
            let value = from_json(text).filter(|value| self.kinds.holds(Types::of_json(value)));
            value.or_else(|| self.kinds.holds(Types::STRING).then(|| text.into()))
        };
        match value {
            Some(value) if self.allows(&value) => Ok(value),
            _ => Err(self.expected()),
        }
    }

    /// Checks the type of a JSON value, and whether it is one of the listed values.
    ///
    /// # Errors
    /// Returns a message that says what is expected instead.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        if !self.kinds.holds(Types::of_json(value)) || !self.allows(value) {
            return Err(self.expected());
        }
        match (&self.items, value) {
            (Some(items), Value::Array(values)) => values.iter().try_for_each(|value| items.check(value)),
            _ => Ok(()),
        }
    }

    fn allows(&self, value: &Value) -> bool {
        self.allowed.is_empty() || self.allowed.iter().any(|literal| literal.value == *value)
    }

    fn expected(&self) -> String {
        format!("expected {}", self.noun())
    }

    /// Returns the expected type with its article, such as `an integer`.
    fn noun(&self) -> String {
        if !self.allowed.is_empty() {
            let allowed: Vec<_> = self.allowed.iter().map(|literal| literal.beside_title("`")).collect();
            return format!("{}{}", if allowed.len() == 1 { "" } else { "one of " }, allowed.join(", "));
        }
        let nouns = self.kinds.each().map(|(name, _)| match name {
            "string" => "text",
            "integer" => "an integer",
            "number" => "a number",
            "boolean" => "`true` or `false`",
            "array" => "a JSON array",
            _ => "a JSON object",
        });
        nouns.collect::<Vec<_>>().join(" or ")
    }

    /// Returns the type, such as `integer` or `string or integer`. For a list, returns the type of the elements.
    pub(crate) fn label(&self) -> String {
        match &self.items {
            Some(items) if self.is_list() => items.label(),
            _ if self.kinds == ANYTHING => "JSON".to_owned(),
            _ => self.kinds.each().map(|(name, _)| name).collect::<Vec<_>>().join(" or "),
        }
    }
}

impl ListedValue {
    /// Returns a value with a title.
    pub(crate) fn titled(value: impl Into<Value>, title: &str) -> Self {
        Self { value: value.into(), title: Some(title.to_owned()) }
    }

    /// Returns the value as a user types it. A text has no quotes.
    pub(crate) fn word(&self) -> String {
        self.value.as_str().map_or_else(|| self.value.to_string(), ToOwned::to_owned)
    }

    /// Returns the value between `quotes`. If its title differs from the value, appends the title in parentheses.
    pub(crate) fn beside_title(&self, quotes: &str) -> String {
        let word = self.word();
        let title = self.title.as_ref().filter(|title| !title.eq_ignore_ascii_case(&word));
        let title = title.map(|title| format!(" ({title})")).unwrap_or_default();
        format!("{quotes}{word}{quotes}{title}")
    }
}

/// Shows the title of the value. If there is no title, shows the value as a user types it.
impl Display for ListedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title.clone().unwrap_or_else(|| one_line(&self.word())))
    }
}

/// Reads the value of the keyword `type`, which names one type or several.
fn named(keyword: &Value) -> Option<Types> {
    let mut names = keyword.as_array().map_or(std::slice::from_ref(keyword), Vec::as_slice).iter();
    let types = names.try_fold(Types::NONE, |types, name| Some(types.or(Types::named(name.as_str()?)?)))?;
    Some(types.and(ANYTHING))
}

/// Returns the listed values of a schema, with titles if there are any.
fn literals(keywords: &Map<String, Value>) -> Option<Vec<ListedValue>> {
    let literal = |value: &Value, title: Option<&Value>| ListedValue {
        value: value.clone(),
        title: title.and_then(Value::as_str).map(one_line),
    };
    let titled = || {
        let branches = ["oneOf", "anyOf"].iter().find_map(|keyword| keywords.get(*keyword)?.as_array())?;
        let listed = branches.iter().map(|branch| Some(literal(branch.get("const")?, branch.get("title"))));
        listed.collect::<Option<Vec<_>>>()
    };
    let listed: Vec<_> = match (keywords.get("const"), keywords.get("enum")) {
        (Some(value), _) => vec![literal(value, None)],
        (None, Some(Value::Array(values))) => {
            let titles = keywords.get("enumNames");
            values
                .iter()
                .enumerate()
                .map(|(at, value)| literal(value, titles.and_then(|titles| titles.get(at))))
                .collect()
        }
        _ => titled()?,
    };
    Some(listed.into_iter().filter(|literal| !literal.value.is_null()).collect())
}

fn from_json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(schema: &Value, text: &str) -> Result<Vec<Value>, String> {
        ReadingRules::of(schema, schema).read(text)
    }

    #[test]
    fn keeps_text_and_parses_other_types_as_json() {
        for kind in [json!("string"), json!(["string", "null"])] {
            assert_eq!(read(&json!({ "type": kind }), "5"), Ok(vec![json!("5")]));
        }
        assert_eq!(read(&json!({ "type": ["integer", "null"] }), "5"), Ok(vec![json!(5)]));
        assert_eq!(read(&json!({ "type": "number" }), "5"), Ok(vec![json!(5)]));
        assert_eq!(read(&json!({ "type": "object" }), r#"{"a":1}"#), Ok(vec![json!({ "a": 1 })]));
        assert_eq!(read(&json!({ "type": ["string", "integer"] }), "5"), Ok(vec![json!(5)]));
        assert_eq!(read(&json!({}), "x"), Ok(vec![json!("x")]));
    }

    #[test]
    fn explains_a_wrong_type() {
        let refused = |schema, text| read(&schema, text).unwrap_err();
        assert_eq!(refused(json!({ "type": "integer" }), "1.5"), "expected an integer");
        assert_eq!(refused(json!({ "type": ["number", "null"] }), "x"), "expected a number");
        assert_eq!(refused(json!({ "type": "boolean" }), "yes"), "expected `true` or `false`");
        assert_eq!(refused(json!({ "enum": ["a", "b", null] }), "c"), "expected one of `a`, `b`");
        assert_eq!(refused(json!({ "type": "array", "items": { "type": "integer" } }), "x"), "expected an integer");
    }

    #[test]
    fn reads_a_list_one_by_one_or_as_json() {
        let list = json!({ "type": ["array", "null"], "items": { "type": "string" } });
        assert_eq!(read(&list, "a,b"), Ok(vec![json!("a,b")]));
        assert_eq!(read(&list, r#"["a","b"]"#), Ok(vec![json!("a"), json!("b")]));
        let table = json!({ "type": "array", "items": { "type": "array", "items": { "type": "integer" } } });
        assert_eq!(read(&table, "[1,2]"), Ok(vec![json!([1, 2])]));
        assert_eq!(read(&table, "[[1],[2]]"), Ok(vec![json!([1]), json!([2])]));
    }

    fn words(reading: &ReadingRules) -> Vec<String> {
        reading.allowed.iter().map(|literal| literal.beside_title("")).collect()
    }

    #[test]
    fn follows_references_and_alternatives() {
        let root = json!({
            "$defs": { "sort": { "oneOf": [{ "const": "up", "description": "…" }, { "const": "down" }] } },
            "anyOf": [{ "$ref": "#/$defs/sort" }, { "type": "null" }],
        });
        let reading = ReadingRules::of(&root, &root);
        assert_eq!(words(&reading), ["up", "down"]);
        assert_eq!(reading.label(), "string");
        let titled = json!({ "type": "string", "oneOf": [{ "const": "up", "title": "Up" }, { "const": "down" }] });
        assert_eq!(words(&ReadingRules::of(&titled, &titled)), ["up", "down"]);
        let endless = json!({ "$defs": { "a": { "$ref": "#/$defs/a" } }, "$ref": "#/$defs/a" });
        assert_eq!(ReadingRules::of(&endless, &endless).label(), "JSON");
    }
}
