//! The keys and examples of the answers on the command line (`--answer`).

use serde_json::{Map, Value};

use super::parameter::CliParameter;
use crate::{
    engine::tool::{FormEntry, registered::RegisteredTool},
    wire::{protocol::capability::Capability, schema::Types},
};

/// The `--answer` key for every question to a model. The tool chooses the real keys at run time.
pub(crate) const SAMPLE: &str = "sample";

/// The `--answer` key for every question that asks the user to open a page.
pub(crate) const ELICIT_URL: &str = "elicit_url";

/// A question that a tool may ask, according to its definition.
pub(crate) enum Askable {
    /// A form. `entry` is the form's entry in the tool's manifest.
    Form { key: String, entry: Value },
    /// A question to the client's model.
    Model,
    /// A page to open.
    Page,
}

impl Askable {
    /// Returns all questions that the tool may ask, its forms first.
    pub(crate) fn of(tool: &RegisteredTool) -> Vec<Self> {
        let form = |form: &FormEntry| Self::Form { key: form.key.to_owned(), entry: form.to_json() };
        let mut askable: Vec<_> = tool.definition.forms.iter().map(form).collect();
        let needs =
            |capability| tool.definition.requires.iter().chain(&tool.definition.optional).any(|it| *it == capability);
        if needs(Capability::Sampling) && !tool.done_by_server.has(Capability::Sampling) {
            askable.push(Self::Model);
        }
        if needs(Capability::ElicitationUrl) {
            askable.push(Self::Page);
        }
        askable
    }

    /// Returns the key that `--answer` uses for this question.
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Form { key, .. } => key,
            Self::Model => SAMPLE,
            Self::Page => ELICIT_URL,
        }
    }

    /// Returns the fields of a form, or an empty list for other questions.
    pub(crate) fn fields(&self) -> Vec<CliParameter<'_>> {
        match self {
            Self::Form { entry, .. } => CliParameter::of_object(&entry["requestedSchema"]),
            Self::Model | Self::Page => Vec::new(),
        }
    }

    /// Returns a description of the question, or an empty text.
    pub(crate) fn about(&self) -> &str {
        match self {
            Self::Form { entry, .. } => entry["description"].as_str().unwrap_or_default(),
            Self::Model => "Any question to a model, whatever its key is.",
            Self::Page => "Any page that the user is asked to open, whatever its key is.",
        }
    }

    /// Returns an example of an answer, as typed in a shell.
    pub(crate) fn example(&self) -> String {
        match self {
            Self::Form { key, .. } => form_answer(key, &self.fields()),
            Self::Model => model_answer(SAMPLE),
            Self::Page => page_answer(ELICIT_URL),
        }
    }
}

/// Returns an example `--answer` for the form with this key. The example has values for all required fields.
pub(crate) fn form_answer(key: &str, fields: &[CliParameter<'_>]) -> String {
    let value = match fields {
        // A single field can be given without an object.
        [field] => match example(field) {
            Value::String(text) => text,
            value => value.to_string(),
        },
        fields => {
            let required = fields.iter().filter(|field| field.required);
            let content: Map<_, _> = required.map(|field| (field.name.to_owned(), example(field))).collect();
            Value::Object(content).to_string()
        }
    };
    option(&format!("{key}={value}"))
}

/// Returns an example `--answer` with a model's reply to the question with this key.
pub(crate) fn model_answer(key: &str) -> String {
    option(&format!("{key}=TEXT"))
}

/// Returns an example `--answer` for a question that asks the user to open a page. The answer is `accept`.
pub(crate) fn page_answer(key: &str) -> String {
    option(&format!("{key}=accept"))
}

/// Returns `--answer` with this answer, quoted for a shell if necessary.
pub(crate) fn option(answer: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "=_-./…".contains(char);
    if answer.chars().all(is_plain) {
        return format!("--answer {answer}");
    }
    format!("--answer '{}'", answer.replace('\'', r"'\''"))
}

/// Returns a value that the field accepts.
fn example(field: &CliParameter<'_>) -> Value {
    let element = field.reading.items.as_deref().filter(|_| field.reading.is_list());
    let reading = element.unwrap_or(&field.reading);
    let value = match reading.kinds {
        _ if !reading.allowed.is_empty() => reading.allowed[0].value.clone(),
        Types::BOOLEAN => true.into(),
        Types::INTEGER | Types::NUMBER => {
            let least = field.schema.get("minimum").filter(|least| least.as_f64() > Some(1.0));
            least.cloned().unwrap_or(1.into())
        }
        _ => "…".into(),
    };
    if element.is_some() { vec![value].into() } else { value }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(properties: &Value) -> String {
        form_answer("ask", &CliParameter::of_object(&json!({ "properties": properties, "required": ["a", "b"] })))
    }

    #[test]
    fn quotes_an_example_for_a_shell() {
        assert_eq!(answer(&json!({ "a": { "type": "boolean" } })), "--answer ask=true");
        assert_eq!(answer(&json!({ "a": { "type": "string" } })), "--answer ask=…");
        assert_eq!(answer(&json!({ "a": { "type": "integer", "minimum": 2 } })), "--answer ask=2");
        assert_eq!(answer(&json!({ "a": { "enum": ["it's"] } })), r"--answer 'ask=it'\''s'");
        let list = json!({ "type": "array", "items": { "enum": ["bag"] } });
        assert_eq!(answer(&json!({ "a": list })), r#"--answer 'ask=["bag"]'"#);
        let several = json!({ "a": { "type": "string" }, "b": list, "c": { "type": "string" } });
        assert_eq!(answer(&several), r#"--answer 'ask={"a":"…","b":["bag"]}'"#);
        assert_eq!(answer(&json!({})), "--answer 'ask={}'");
    }
}
