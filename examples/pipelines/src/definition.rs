//! The definition of a pipeline: its parameters and its steps, as its file has them.

use mcp_runtime::actions::{CatalogEntry, CatalogParam};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{PipelineError, steps::Step, table::text};

/// The content of a file in `pipelines`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name of the file, without `.json`.
    #[serde(skip)]
    pub name: String,
    /// What the pipeline is for.
    pub description: String,
    /// The parameters, by their names.
    #[serde(default)]
    params: Map<String, Value>,
    /// The steps. `"{name}"` stands for the value of a parameter, also inside of other text.
    steps: Vec<Value>,
}

/// A parameter: a JSON schema, and what only this format has.
#[derive(Clone, Debug, Deserialize)]
pub struct Parameter {
    /// Whether each run must set it.
    #[serde(default)]
    pub required: bool,
    /// An advice, which descriptions and errors show.
    #[serde(default)]
    pub hint: Option<String>,
    /// The schema, with the default.
    #[serde(flatten)]
    pub schema: Map<String, Value>,
}

impl Definition {
    /// Reads a definition.
    ///
    /// # Errors
    /// Fails if a step is not of a known kind, or names a parameter that does not exist.
    pub fn read(name: &str, text: &str) -> Result<Self, PipelineError> {
        let invalid = |reason: String| PipelineError::Definition { name: name.to_owned(), reason };
        let mut read: Self = serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
        name.clone_into(&mut read.name);
        read.parameters()?;
        for (number, step) in (1..).zip(&read.steps) {
            let kind = step.as_object().filter(|step| step.len() == 1).and_then(|step| step.keys().next());
            if !kind.is_some_and(|kind| Step::KINDS.contains(&&**kind)) {
                let kinds = Step::KINDS.join(", ");
                return Err(invalid(format!("step {number} must be an object with one of: {kinds} (got {step})")));
            }
            let mut names = Vec::new();
            references(step, &mut names);
            if let Some(unknown) = names.into_iter().find(|name| !read.params.contains_key(name)) {
                return Err(invalid(format!("step {number} uses the parameter `{unknown}`, which is not in `params`")));
            }
        }
        Ok(read)
    }

    /// Returns the entry of the catalog.
    ///
    /// # Errors
    /// Fails if a parameter is not valid.
    pub fn entry(&self) -> Result<CatalogEntry, PipelineError> {
        let mut entry = CatalogEntry::new(self.name.clone(), self.description.clone());
        for (name, parameter) in self.parameters()? {
            let mut param = CatalogParam::new(name, parameter.schema);
            if parameter.required {
                param = param.required();
            }
            if let Some(hint) = parameter.hint {
                param = param.hint(hint);
            }
            entry = entry.param(param);
        }
        Ok(entry)
    }

    /// Returns the names of the parameters.
    pub fn parameter_names(&self) -> impl Iterator<Item = &str> {
        self.params.keys().map(String::as_str)
    }

    /// Returns the steps with these values of the parameters. A parameter without a value is `null`.
    ///
    /// # Errors
    /// Fails if a step is not valid with these values.
    pub fn steps(&self, inputs: &Value) -> Result<Vec<Step>, PipelineError> {
        let step = |(number, step): (usize, &Value)| {
            serde_json::from_value(filled(step, inputs)).map_err(|error| PipelineError::Definition {
                name: self.name.clone(),
                reason: format!("step {number}: {error}"),
            })
        };
        (1..).zip(&self.steps).map(step).collect()
    }

    fn parameters(&self) -> Result<Vec<(String, Parameter)>, PipelineError> {
        let read = |(name, value): (&String, &Value)| {
            let parameter = Parameter::deserialize(value).map_err(|error| PipelineError::Definition {
                name: self.name.clone(),
                reason: format!("the parameter `{name}`: {error}"),
            })?;
            Ok((name.clone(), parameter))
        };
        self.params.iter().map(read).collect()
    }
}

/// Adds the names of the parameters that a value uses.
fn references(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            names.extend(text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())))
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        Value::Object(members) => members.values().for_each(|member| references(member, names)),
        _ => {}
    }
}

/// Returns a value with the inputs in place of their names.
fn filled(value: &Value, inputs: &Value) -> Value {
    match value {
        Value::String(template) => {
            // A value alone keeps its type.
            let whole = template.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            if let Some(name) = whole.filter(|name| !name.contains(['{', '}'])) {
                return inputs.get(name).cloned().unwrap_or_default();
            }
            let mut parts = template.split('{');
            let mut filled = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                match part.split_once('}') {
                    Some((name, rest)) => {
                        filled.push_str(&inputs.get(name).map(text).unwrap_or_default());
                        filled.push_str(rest);
                    }
                    None => filled.push_str(&format!("{{{part}")),
                }
            }
            filled.into()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, inputs)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), filled(member, inputs))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::steps::Filter;

    fn definition(steps: Value) -> Result<Definition, PipelineError> {
        let params =
            json!({ "month": { "type": "string" }, "least": { "type": "number", "default": 1, "hint": "Few." } });
        let text = json!({ "description": "Test.", "params": params, "steps": steps }).to_string();
        Definition::read("test", &text)
    }

    #[test]
    fn parameters_stand_in_steps_alone_and_inside_of_text() {
        let filter = json!({ "column": "n", "is": "at_least", "value": "{least}" });
        let definition = definition(json!([{ "read": "orders/{month}*.csv" }, { "filter": filter }])).unwrap();
        let steps = definition.steps(&json!({ "month": "2026-01", "least": 5 })).unwrap();
        assert_eq!(steps[0], Step::Read("orders/2026-01*.csv".to_owned()));
        assert!(matches!(&steps[1], Step::Filter(Filter { value, .. }) if *value == 5), "{steps:?}");
        // Missing values are `null` alone, and nothing inside of text.
        let steps = definition.steps(&json!({})).unwrap();
        assert_eq!(steps[0], Step::Read("orders/*.csv".to_owned()));
        assert!(matches!(&steps[1], Step::Filter(Filter { value, .. }) if value.is_null()), "{steps:?}");
    }

    #[test]
    fn mistakes_in_a_file_are_named() {
        let reason = |steps| definition(steps).unwrap_err().to_string();
        let kind = reason(json!([{ "reed": "x.csv" }]));
        assert!(kind.contains("step 1 must be an object with one of: read, filter"), "{kind}");
        let unknown = reason(json!([{ "read": "x.csv" }, { "write": "{mnth}.csv" }]));
        assert!(unknown.ends_with("step 2 uses the parameter `mnth`, which is not in `params`"), "{unknown}");
        let wrong = definition(json!([{ "sort": { "by": "n" } }])).unwrap().steps(&json!({})).unwrap_err().to_string();
        assert!(wrong.contains("`test` is not valid: step 1: invalid type"), "{wrong}");
    }
}
