//! Schemas of the document as JSON Schema 2020-12, and the definitions that they refer to.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::{
    document::Document,
    keyword::{Rule, is_fitting, rule},
    names,
    text::{self, LONGEST_OF_ARGUMENT},
    weaken::{drop_conditions, weaken},
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
    pub(super) usage: Usage,
    /// How many rules and members of the document the converted schemas do not have.
    pub(super) left_out: usize,
    definitions: Map<String, Value>,
    /// The name of the definition of each reference.
    names: HashMap<&'d str, String>,
    taken: HashSet<String>,
    /// The references whose definitions leave something out. One that is not converted yet may do so.
    incomplete: HashSet<&'d str>,
}

impl<'d> SchemaReader<'d> {
    pub(super) fn new(document: &'d Document, usage: Usage) -> Self {
        Self {
            document,
            usage,
            left_out: 0,
            definitions: Map::new(),
            names: HashMap::new(),
            taken: HashSet::new(),
            incomplete: HashSet::new(),
        }
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
        // The keywords whose schemas leave something out.
        let mut incomplete = Vec::new();
        for (keyword, value) in keywords {
            let left_out = self.left_out;
            let keyword_name = keyword.as_str();
            match rule(self.document, keyword_name, value, self.usage) {
                Rule::Kept(value) => _ = converted.insert(keyword.clone(), value),
                Rule::LeftOut => self.left_out += 1,
                // A schema without limits would meet a condition too often.
                Rule::Other if self.usage == Usage::Result && CONDITIONS.contains(&keyword_name) => {}
                Rule::Other if INNER.contains(&keyword_name) => {
                    converted.insert(keyword.clone(), self.convert(value)?);
                }
                Rule::Other if INNER_LISTS.contains(&keyword_name) => {
                    let schemas = value.as_array().ok_or_else(|| format!("`{keyword}` of a schema is not a list"))?;
                    let schemas: Vec<_> =
                        schemas.iter().map(|schema| self.convert(schema)).collect::<Result<_, _>>()?;
                    if schemas.is_empty() {
                        self.left_out += 1;
                    } else {
                        converted.insert(keyword.clone(), Value::Array(schemas));
                    }
                }
                Rule::Other => {}
            }
            if self.left_out > left_out {
                incomplete.push(keyword_name);
            }
        }
        self.limits(keywords, &mut converted);
        if self.usage == Usage::Arguments
            && let Some(default) = keywords.get("default").filter(|default| is_fitting(default, &converted))
        {
            converted.insert("default".to_owned(), default.clone());
        }
        self.properties(keywords, &mut converted)?;
        match self.usage {
            Usage::Arguments => drop_conditions(&mut converted, &incomplete),
            Usage::Result => weaken(&mut converted),
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

    fn types(&mut self, keywords: &Map<String, Value>, converted: &mut Map<String, Value>) -> Result<(), String> {
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
        match keywords.get("enum") {
            Some(Value::Array(values)) => {
                let mut seen = HashSet::new();
                let values: Vec<_> = values.iter().filter(|value| seen.insert(value.to_string())).cloned().collect();
                converted.insert("enum".to_owned(), values.into());
            }
            other => self.left_out += usize::from(other.is_some()),
        }
        if self.usage == Usage::Arguments {
            match keywords.get("format") {
                Some(format) if FORMATS.iter().any(|known| format == known) => {
                    converted.insert("format".to_owned(), format.clone());
                }
                other => self.left_out += usize::from(other.is_some()),
            }
        }
        Ok(())
    }

    /// The exclusive limits of OpenAPI 3.0 are flags.
    fn limits(&mut self, keywords: &Map<String, Value>, converted: &mut Map<String, Value>) {
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
                None | Some(Value::Bool(false)) => {}
                Some(_) => self.left_out += 1,
            }
        }
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
            self.left_out += usize::from(self.incomplete.contains(reference));
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
        let left_out = self.left_out;
        self.incomplete.insert(reference);
        let converted = self.convert(target)?;
        if self.left_out == left_out {
            self.incomplete.remove(reference);
        }
        self.definitions.insert(name.clone(), converted);
        Ok(format!("#/$defs/{name}"))
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
