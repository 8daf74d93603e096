//! The members of objects, and those that a schema leaves out: a model cannot name them, or must not send them.

use serde_json::{Map, Value};

use super::{
    names,
    schema::{SchemaReader, Usage},
    text::{self, LONGEST_OF_ARGUMENT},
};

impl<'d> SchemaReader<'d> {
    /// Converts the schemas of the members.
    ///
    /// # Errors
    /// Fails if a schema of them cannot be converted, or if a request needs a member that models cannot name.
    pub(super) fn properties(
        &mut self,
        keywords: &'d Map<String, Value>,
        converted: &mut Map<String, Value>,
    ) -> Result<(), String> {
        for keyword in ["properties", "patternProperties", "dependentSchemas"] {
            let Some(Value::Object(schemas)) = keywords.get(keyword) else { continue };
            let mut kept = Map::new();
            for (name, schema) in schemas {
                if self.is_of_the_service(schema) {
                    self.left_out += 1;
                    drop_required(converted, name);
                    continue;
                }
                // What only a client may send need not be in a result.
                if self.usage == Usage::Result && schema["writeOnly"] == true {
                    drop_required(converted, name);
                }
                let can_be_named = match keyword {
                    "properties" if self.usage == Usage::Arguments && !names::is_portable_name(name) => {
                        check_optional(name, keywords)?;
                        false
                    }
                    "patternProperties" => self.document.is_pattern(name),
                    _ => true,
                };
                if !can_be_named {
                    self.left_out += 1;
                    // What it says of other members would hold for this one.
                    converted.shift_remove("additionalProperties");
                    continue;
                }
                kept.insert(name.clone(), self.convert(schema)?);
            }
            if keyword == "properties" || !kept.is_empty() {
                converted.insert(keyword.to_owned(), kept.into());
            }
        }
        Ok(())
    }

    /// Returns a sentence about the members of an object that are not among its properties, because the APIs of models do
    /// not take their names.
    pub(super) fn other_members(&self, schema: &Value) -> Option<String> {
        let properties = self.document.resolved(schema).ok()?["properties"].as_object()?;
        let others = properties
            .iter()
            .filter(|(name, schema)| !names::is_portable_name(name) && !self.is_of_the_service(schema));
        let others: Vec<_> = others.map(|(name, _)| format!("`{name}`")).collect();
        let sentence = format!("It can also have {}.", others.join(", "));
        (!others.is_empty()).then(|| text::shortened(&sentence, LONGEST_OF_ARGUMENT))
    }

    /// Returns whether a property is `readOnly`: the service sets it, so it is no argument.
    fn is_of_the_service(&self, schema: &Value) -> bool {
        let is_read_only = |schema: &Value| schema["readOnly"] == true;
        self.usage == Usage::Arguments
            && (is_read_only(schema) || self.document.resolved(schema).is_ok_and(is_read_only))
    }
}

/// Checks that an object can be without a property, whose name the APIs of models do not take.
///
/// # Errors
/// Fails if a request needs the property.
fn check_optional(name: &str, keywords: &Map<String, Value>) -> Result<(), String> {
    let required = keywords.get("required").and_then(Value::as_array);
    if required.is_none_or(|required| required.iter().all(|required| required != name)) {
        return Ok(());
    }
    Err(format!(
        "the property `{name}` of a schema is required, but the APIs of models take only names with 1 to 64 ASCII letters, \
         digits, `_`, `-` and `.`"
    ))
}

fn drop_required(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|required| required != name);
    }
}
