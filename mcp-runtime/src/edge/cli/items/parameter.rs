//! Describes a tool's parameters.

use std::collections::HashSet;

use serde_json::Value;

use super::reading::{ListedValue, ReadingRules};
use crate::wire::schema::Types;

/// A parameter, from the tool's published schema.
#[derive(Debug)]
pub(crate) struct CliParameter<'a> {
    pub(crate) name: &'a str,
    pub(crate) required: bool,
    pub(crate) reading: ReadingRules,
    pub(crate) schema: &'a Value,
}

/// Options of the program. Each is available unless a parameter of the tool has the same name.
pub(crate) const OWN_OPTIONS: [&str; 4] = ["answer", "json", "log", "help"];

/// The help of the option `--detach`.
pub(crate) const DETACH_HELP: &str =
    "Begin a run in the background, and do not wait for its end. Its store must outlive this process";

impl<'a> CliParameter<'a> {
    /// Returns the properties of an object, in the order of its schema.
    pub(crate) fn of_object(root: &'a Value) -> Vec<Self> {
        let required: HashSet<&str> =
            root["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = root["properties"].as_object().into_iter().flatten();
        let parameter = |(name, schema): (&'a String, &'a Value)| Self {
            name,
            required: required.contains(name.as_str()),
            reading: ReadingRules::of(schema, root),
            schema,
        };
        properties.map(parameter).collect()
    }

    /// Whether the parameter can be a command-line option. A parameter with a name like `-x` can only be given as JSON.
    pub(crate) fn is_option(&self) -> bool {
        self.name.starts_with(|first: char| first.is_alphanumeric() || first == '_')
            && !self.name.contains(|char: char| char == '=' || char.is_whitespace())
    }

    /// Whether the parameter's option is a flag without a value.
    pub(crate) fn is_switch(&self) -> bool {
        self.reading.kinds == Types::BOOLEAN
    }

    /// Returns the option with its value, such as `--limit <integer>`.
    pub(crate) fn option(&self) -> String {
        let (name, label) = (self.name, self.reading.label());
        match self.is_option() {
            false => format!("{name} ({label})"),
            true if self.is_switch() => format!("--{name}"),
            true => format!("--{name} <{label}>{}", if self.reading.is_list() { "…" } else { "" }),
        }
    }

    /// Returns the type in one word, such as `integer`. For a list of strings, the word is `string…`.
    pub(crate) fn kind(&self) -> String {
        format!("{}{}", self.reading.label(), if self.reading.is_list() { "…" } else { "" })
    }

    /// Returns the option's other spelling, such as `--ignore-case` for `ignore_case` and `ignoreCase`.
    pub(crate) fn other_spelling(&self) -> Option<String> {
        let mut spelling = String::new();
        let mut before = '-';
        for char in self.name.chars() {
            if char.is_uppercase() && before.is_lowercase() {
                spelling.push('-');
            }
            spelling.extend(char.to_lowercase().map(|char| if char == '_' { '-' } else { char }));
            before = char;
        }
        (spelling != self.name && !spelling.starts_with('-')).then_some(spelling)
    }

    /// Returns the description, the accepted values and the default of an option.
    pub(crate) fn description(&self) -> String {
        self.details(self.reading.is_list().then_some("Can be repeated."))
    }

    /// Returns the description, the accepted values and the default. `more` is another sentence.
    pub(crate) fn details(&self, more: Option<&str>) -> String {
        let mut sentences = vec![self.meaning()];
        if self.required {
            sentences.insert(0, "Required.".to_owned());
        }
        sentences.extend(bounds(self.schema));
        if let Some((_, schema)) = self.element() {
            sentences.extend(bounds(schema));
        }
        sentences.extend(more.map(str::to_owned));
        sentences.extend(self.default());
        sentences.retain(|sentence| !sentence.is_empty());
        sentences.join(" ")
    }

    /// Returns the description and the listed values.
    pub(crate) fn meaning(&self) -> String {
        let text = self.schema["description"].as_str().unwrap_or_default().trim();
        let allowed: Vec<_> = self.choices().iter().map(|choice| choice.beside_title("")).collect();
        if allowed.is_empty() {
            return text.to_owned();
        }
        format!("{text} One of: {}.", allowed.join(", ")).trim_start().to_owned()
    }

    /// Returns the listed values. For a list, returns the listed values of its elements.
    pub(crate) fn choices(&self) -> &[ListedValue] {
        &self.element().map_or(&self.reading, |(reading, _)| reading).allowed
    }

    /// Returns the default as a sentence, unless it is `false` or an empty list.
    fn default(&self) -> Option<String> {
        match self.schema.get("default")? {
            Value::Null | Value::Bool(false) => None,
            Value::Array(values) if values.is_empty() => None,
            // With quotes, a default such as `.` can be told from the end of the sentence.
            Value::String(word) if !word.is_empty() && !word.contains(' ') && !word.ends_with('.') => {
                Some(format!("Default: {word}."))
            }
            value => Some(format!("Default: {value}.")),
        }
    }

    /// Returns the [`ReadingRules`] of a list's elements, and the schema of these elements.
    fn element(&self) -> Option<(&ReadingRules, &Value)> {
        let items = self.reading.items.as_deref().filter(|_| self.reading.is_list())?;
        Some((items, &self.schema["items"]))
    }
}

/// Whether `bound` is only the limit of an integer type, such as the largest `i32`. Such a bound is not shown to the
/// user.
fn is_end_of_a_type(bound: &Value) -> bool {
    let ends = [i64::from(i32::MIN), i64::from(i32::MAX), i64::from(u32::MAX), i64::MIN, i64::MAX];
    bound.as_u64() == Some(u64::MAX) || bound.as_i64().is_some_and(|bound| ends.contains(&bound))
}

/// Returns the limits, the pattern and the format of a schema, as sentences.
fn bounds(schema: &Value) -> Vec<String> {
    let mut sentences = limits(schema);
    sentences.extend(schema["pattern"].as_str().map(|pattern| format!("Matches `{pattern}`.")));
    sentences.extend(schema["format"].as_str().map(|format| format!("Format: {format}.")));
    sentences
}

/// Returns the schema's limits of size, length and count, as sentences.
pub(crate) fn limits(schema: &Value) -> Vec<String> {
    let counted = |count: &Value, unit: &str| match unit {
        "" => count.to_string(),
        unit if count == 1 => format!("{count} {unit}"),
        unit => format!("{count} {unit}s"),
    };
    let told = |keyword: &str| schema.get(keyword).filter(|bound| !is_end_of_a_type(bound));
    let range = |least: &str, most: &str, unit: &str| match (told(least), told(most)) {
        (Some(least), Some(most)) => Some(format!("From {least} to {}.", counted(most, unit))),
        (Some(least), None) => Some(format!("At least {}.", counted(least, unit))),
        (None, Some(most)) => Some(format!("At most {}.", counted(most, unit))),
        (None, None) => None,
    };
    let mut sentences = Vec::new();
    sentences.extend(range("minimum", "maximum", ""));
    sentences.extend(schema.get("exclusiveMinimum").map(|least| format!("More than {least}.")));
    sentences.extend(schema.get("exclusiveMaximum").map(|most| format!("Less than {most}.")));
    sentences.extend(range("minLength", "maxLength", "character"));
    sentences.extend(range("minItems", "maxItems", "value"));
    sentences
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn describes_a_parameter_with_its_limits_and_default() {
        let schema = json!({
            "properties": {
                "limit": { "type": "integer", "description": "How many.", "minimum": 1, "maximum": 50, "default": 10 },
                "price": { "type": "integer", "minimum": 1, "maximum": u32::MAX },
                "sort": { "enum": ["price", "duration"], "default": "price" },
                "tags": { "type": "array", "items": { "type": "string", "maxLength": 5 }, "minItems": 1 },
                "folder": { "type": "string", "default": "." },
                "ignoreCase": { "type": "boolean" },
                "-x": { "type": ["string", "null"] },
            },
            "required": ["tags"],
        });
        let told: Vec<_> = CliParameter::of_object(&schema).iter().map(|it| (it.option(), it.description())).collect();
        let expected = [
            ("--limit <integer>", "How many. From 1 to 50. Default: 10."),
            ("--price <integer>", "At least 1."),
            ("--sort <string>", "One of: price, duration. Default: price."),
            ("--tags <string>…", "Required. At least 1 value. At most 5 characters. Can be repeated."),
            ("--folder <string>", "Default: \".\"."),
            ("--ignoreCase", ""),
            ("-x (string)", ""),
        ];
        assert_eq!(told, expected.map(|(option, text)| (option.to_owned(), text.to_owned())));
    }

    #[test]
    fn accepts_options_with_hyphens() {
        let schema = json!({ "properties": { "ignore_case": {}, "maxResults": {}, "URL": {}, "path": {}, "_x": {} } });
        let spellings: Vec<_> = CliParameter::of_object(&schema).iter().map(CliParameter::other_spelling).collect();
        let expected = [Some("ignore-case"), Some("max-results"), Some("url"), None, None];
        assert_eq!(spellings, expected.map(|spelling| spelling.map(ToOwned::to_owned)));
    }
}
