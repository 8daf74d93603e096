//! Schemas of the document as JSON Schema 2020-12, and the definitions that they refer to.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::{
    document::Document,
    keyword::{check_left_out, is_fitting, is_pattern, kept},
    names,
    text::{self, LONGEST_OF_ARGUMENT},
};

/// What a schema describes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Usage {
    /// What the model sends. The schema has no properties that only the service sets.
    Arguments,
    /// What the service answers. The schema says only what a program needs: no descriptions, and no limits of values.
    Result,
}

/// The formats of JSON Schema. Documents have others, which nothing can check.
const FORMATS: [&str; 10] =
    ["date-time", "date", "time", "duration", "email", "ipv4", "ipv6", "uri", "uri-reference", "uuid"];

const INNER: [&str; 8] = ["items", "additionalProperties", "not", "propertyNames", "contains", "if", "then", "else"];
/// The keywords whose effect depends on what a value does not match.
const CONDITIONS: [&str; 4] = ["not", "if", "then", "else"];
const INNER_LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Converts the schemas of one operation, and collects the definitions that they refer to.
pub(super) struct SchemaReader<'d> {
    pub(super) document: &'d Document,
    usage: Usage,
    definitions: Map<String, Value>,
    /// The name of the definition of each reference.
    names: HashMap<&'d str, String>,
    taken: HashSet<String>,
}

impl<'d> SchemaReader<'d> {
    pub(super) fn new(document: &'d Document, usage: Usage) -> Self {
        Self { document, usage, definitions: Map::new(), names: HashMap::new(), taken: HashSet::new() }
    }

    /// Adds the definitions to the schema that has references to them.
    pub(super) fn finish(self, mut schema: Value) -> Value {
        if let (Value::Object(keywords), false) = (&mut schema, self.definitions.is_empty()) {
            keywords.insert("$defs".to_owned(), Value::Object(self.definitions));
        }
        schema
    }

    /// Converts a schema.
    ///
    /// # Errors
    /// Returns what cannot be converted.
    pub(super) fn convert(&mut self, schema: &'d Value) -> Result<Value, String> {
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(_) => return Ok(schema.clone()),
            Value::Null => return Ok(Value::Bool(true)),
            other => return Err(format!("a schema is `{other}`, not an object")),
        };
        let mut converted = Map::new();
        if let Some(Value::String(reference)) = keywords.get("$ref") {
            converted.insert("$ref".to_owned(), self.definition(reference)?.into());
            // OpenAPI 3.0 has nothing beside a reference.
            if self.document.is_3_0 {
                return Ok(Value::Object(converted));
            }
        }
        self.describe(schema, &mut converted);
        self.types(keywords, &mut converted)?;
        for (keyword, value) in keywords {
            let keyword_name = keyword.as_str();
            if let Some(value) = kept(keyword_name, value, self.usage) {
                converted.insert(keyword.clone(), value);
            } else if self.usage == Usage::Result && CONDITIONS.contains(&keyword_name) {
                // A schema without limits would meet a condition too often.
            } else if INNER.contains(&keyword_name) {
                converted.insert(keyword.clone(), self.convert(value)?);
            } else if INNER_LISTS.contains(&keyword_name) {
                let schemas = value.as_array().ok_or_else(|| format!("`{keyword}` of a schema is not a list"))?;
                let schemas: Vec<_> = schemas.iter().map(|schema| self.convert(schema)).collect::<Result<_, _>>()?;
                if !schemas.is_empty() {
                    converted.insert(keyword.clone(), Value::Array(schemas));
                }
            }
        }
        self.limits(keywords, &mut converted);
        if self.usage == Usage::Arguments
            && let Some(default) = keywords.get("default").filter(|default| is_fitting(default, &converted))
        {
            converted.insert("default".to_owned(), default.clone());
        }
        self.properties(keywords, &mut converted)?;
        if self.usage == Usage::Result {
            weaken(&mut converted);
        }
        Ok(self.nullable(keywords, converted))
    }

    /// Returns whether a schema is an object, and nothing else.
    pub(super) fn is_object(&self, schema: &Value) -> bool {
        self.is_object_within(schema, 8)
    }

    fn is_object_within(&self, schema: &Value, depth: usize) -> bool {
        let (Ok(schema), Some(depth)) = (self.document.resolved(schema), depth.checked_sub(1)) else { return false };
        let schemas = |keyword: &str| schema[keyword].as_array().filter(|schemas| !schemas.is_empty());
        let is_object = |schema: &Value| self.is_object_within(schema, depth);
        if schema["nullable"] == true {
            return false;
        }
        match &schema["type"] {
            Value::Null => {
                schema["properties"].is_object()
                    || schemas("allOf").is_some_and(|all| all.iter().any(is_object))
                    || ["anyOf", "oneOf"].iter().any(|one| schemas(one).is_some_and(|one| one.iter().all(is_object)))
            }
            name => name == "object",
        }
    }

    fn describe(&self, schema: &Value, converted: &mut Map<String, Value>) {
        if self.usage == Usage::Result {
            return;
        }
        let description = schema["description"].as_str().filter(|text| !text.trim().is_empty());
        let example = schema.get("example").or(schema["examples"].get(0));
        let example = example.filter(|example| !example.is_object() && !example.is_array());
        let text = match (description.or(schema["title"].as_str()), example) {
            (Some(text), _) => Some(text::plain(text, LONGEST_OF_ARGUMENT)),
            (None, Some(example)) => Some(text::plain(&format!("Such as `{}`.", shown(example)), LONGEST_OF_ARGUMENT)),
            (None, None) => None,
        };
        // Without a text beside a reference, the description is that of its target.
        let others = if text.is_some() || schema.get("$ref").is_none() { self.other_members(schema) } else { None };
        let lines: Vec<_> = text.into_iter().chain(others).collect();
        if !lines.is_empty() {
            converted.insert("description".to_owned(), lines.join("\n").into());
        }
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

    fn types(&self, keywords: &Map<String, Value>, converted: &mut Map<String, Value>) -> Result<(), String> {
        const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", "null"];
        let types = keywords.get("type");
        let is_known = |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
        match types {
            None => {}
            Some(Value::Array(names)) if names.iter().all(is_known) => {
                converted.insert("type".to_owned(), names.clone().into());
            }
            Some(name) if is_known(name) => {
                converted.insert("type".to_owned(), name.clone());
            }
            Some(other) => return Err(format!("a schema has the type `{}`, which JSON has not", shown(other))),
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            let mut seen = HashSet::new();
            let values: Vec<_> = values.iter().filter(|value| seen.insert(value.to_string())).cloned().collect();
            converted.insert("enum".to_owned(), values.into());
        }
        if self.usage == Usage::Arguments {
            let format = keywords.get("format").filter(|format| FORMATS.iter().any(|known| format == known));
            if let Some(format) = format {
                converted.insert("format".to_owned(), format.clone());
            }
        }
        Ok(())
    }

    /// The exclusive limits of OpenAPI 3.0 are flags.
    fn limits(&self, keywords: &Map<String, Value>, converted: &mut Map<String, Value>) {
        if self.usage == Usage::Result {
            return;
        }
        for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            match keywords.get(exclusive) {
                Some(Value::Bool(true)) => {
                    if let Some(value) = converted.shift_remove(limit) {
                        converted.insert(exclusive.to_owned(), value);
                    }
                }
                Some(Value::Number(value)) => {
                    converted.insert(exclusive.to_owned(), value.clone().into());
                }
                _ => {}
            }
        }
    }

    fn properties(
        &mut self,
        keywords: &'d Map<String, Value>,
        converted: &mut Map<String, Value>,
    ) -> Result<(), String> {
        for keyword in ["properties", "patternProperties", "dependentSchemas"] {
            let Some(Value::Object(schemas)) = keywords.get(keyword) else { continue };
            let mut kept = Map::new();
            for (name, schema) in schemas {
                if self.is_of_the_service(schema) {
                    drop_required(converted, name);
                    continue;
                }
                // What only a client may send need not be in a result.
                if self.usage == Usage::Result && schema["writeOnly"] == true {
                    drop_required(converted, name);
                }
                if self.usage == Usage::Arguments && keyword == "properties" && !names::is_portable_name(name) {
                    check_left_out(name, keywords)?;
                    continue;
                }
                if self.usage == Usage::Arguments && keyword == "patternProperties" && !is_pattern(name) {
                    return Err(format!(
                        "`{name}` in `patternProperties` of a schema is not a regular expression of ECMA-262"
                    ));
                }
                kept.insert(name.clone(), self.convert(schema)?);
            }
            converted.insert(keyword.to_owned(), kept.into());
        }
        Ok(())
    }

    /// Returns whether only the service sets a property, which then is no argument.
    fn is_of_the_service(&self, schema: &Value) -> bool {
        let is_read_only = |schema: &Value| schema["readOnly"] == true;
        self.usage == Usage::Arguments
            && (is_read_only(schema) || self.document.resolved(schema).is_ok_and(is_read_only))
    }

    /// `nullable` of OpenAPI 3.0 allows `null` in addition to what the schema says.
    fn nullable(&self, keywords: &Map<String, Value>, mut converted: Map<String, Value>) -> Value {
        if !self.document.is_3_0 || keywords.get("nullable") != Some(&Value::Bool(true)) {
            return converted.into();
        }
        if let Some(Value::Array(values)) = converted.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
        let is_combined = INNER_LISTS.iter().any(|keyword| converted.contains_key(*keyword));
        match converted.get_mut("type") {
            Some(name) if !is_combined => *name = json!([name.take(), "null"]),
            None if !is_combined => {}
            _ => {
                let description = converted.shift_remove("description");
                converted = Map::from_iter([("anyOf".to_owned(), json!([converted, { "type": "null" }]))]);
                converted.extend(description.map(|text| ("description".to_owned(), text)));
            }
        }
        converted.into()
    }

    /// Returns the reference to a definition, which is converted when it is first referred to.
    fn definition(&mut self, reference: &'d str) -> Result<String, String> {
        if let Some(name) = self.names.get(reference) {
            return Ok(format!("#/$defs/{name}"));
        }
        let document = self.document;
        let target = document.target(reference)?;
        let name = reference.strip_prefix("#/components/schemas/").unwrap_or(reference.trim_start_matches('#'));
        let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'), "_");
        let name = names::unique(&name, &mut self.taken);
        // A schema can refer to itself.
        self.names.insert(reference, name.clone());
        self.definitions.insert(name.clone(), Value::Null);
        let converted = self.convert(target)?;
        self.definitions.insert(name.clone(), converted);
        Ok(format!("#/$defs/{name}"))
    }
}

/// Makes a schema of a result that has no limits as weak as they make it: a value can then match several alternatives.
/// Some documents require members that they do not describe, and services do not send these.
fn weaken(schema: &mut Map<String, Value>) {
    if let Some(alternatives) = schema.shift_remove("oneOf") {
        match schema.shift_remove("anyOf") {
            None => _ = schema.insert("anyOf".to_owned(), alternatives),
            Some(others) => {
                let all = schema.entry("allOf").or_insert_with(|| json!([]));
                if let Value::Array(all) = all {
                    all.extend([json!({ "anyOf": alternatives }), json!({ "anyOf": others })]);
                }
            }
        }
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let described: Vec<_> = properties.keys().cloned().collect();
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.retain(|name| name.as_str().is_some_and(|name| described.iter().any(|known| known == name)));
        }
    }
}

fn drop_required(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|required| required != name);
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
