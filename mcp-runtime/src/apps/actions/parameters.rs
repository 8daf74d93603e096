//! The parameters of an action or of an entry of a catalog.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::wire::schema::{InputSchema, Violation, Violations};

/// The parameters of an action or of an entry of a catalog.
#[derive(Debug)]
pub(super) struct ParameterSet {
    pub(super) schema: InputSchema,
    /// The published schema, from which descriptions and errors are made.
    pub(super) published: Value,
    pub(super) hints: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

impl ParameterSet {
    /// Returns the schemas of the parameters.
    pub(super) fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.published.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, schema)| (&**name, schema))
    }

    pub(super) fn property(&self, name: &str) -> Option<&Value> {
        self.published.get("properties")?.get(name)
    }

    pub(super) fn is_required(&self, name: &str) -> bool {
        let required = self.published.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|one| one == name))
    }

    pub(super) fn hint(&self, parameter: &str) -> Option<&str> {
        self.hints.iter().find(|(name, _)| name == parameter).map(|(_, hint)| &**hint)
    }

    /// Checks these values, and returns them in a form that the schema allows.
    ///
    /// # Errors
    /// Returns the values and what is wrong with them.
    pub(super) fn checked(
        &self,
        values: Map<String, Value>,
        reads_json_strings: bool,
    ) -> Result<Map<String, Value>, (Map<String, Value>, Violations)> {
        let text = Value::Object(values.clone()).to_string();
        match self.schema.checked_with(&text, reads_json_strings) {
            Ok(Cow::Borrowed(_)) => Ok(values),
            // The schema rewrites text.
            Ok(Cow::Owned(text)) => Ok(serde_json::from_str(&text).unwrap_or_default()),
            Err(violations) => Err((values, violations)),
        }
    }

    /// Returns the errors of these values. Missing parameters do not count as errors.
    pub(super) fn unfit(&self, sets: &[(&'static str, Value)]) -> Vec<String> {
        let values: Map<_, _> = sets.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let checked = self.schema.check(&Value::Object(values).to_string());
        let is_of = |violation: &&Violation| {
            let argument = violation.place.argument();
            argument.is_some_and(|(argument, _)| sets.iter().any(|(name, _)| *name == argument))
        };
        let violations = checked.as_ref().err();
        violations.into_iter().flat_map(Violations::iter).filter(is_of).map(Violation::to_string).collect()
    }
}
