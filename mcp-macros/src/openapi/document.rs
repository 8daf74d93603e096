//! The document as a JSON value, and the references in it.

use std::{cell::RefCell, collections::HashMap};

use serde_json::Value;

/// How many references can lead to each other. More than this are a circle.
const LONGEST_CHAIN: usize = 32;

pub(super) struct Document {
    root: Value,
    /// Whether the schemas are those of OpenAPI 3.0, which are not JSON Schema.
    pub(super) is_3_0: bool,
    /// Whether a server can compile each pattern that was asked for. To find that out can take a second.
    patterns: RefCell<HashMap<String, bool>>,
}

impl Document {
    /// Reads a document, as JSON or as YAML.
    ///
    /// # Errors
    /// Returns a message for the author, who has written the path as `written`.
    pub(super) fn read(text: &str, written: &str) -> Result<Self, String> {
        let is_json = text.trim_start().starts_with('{');
        let root: Value = if is_json {
            serde_json::from_str(text).map_err(|error| format!("`{written}` is not JSON: {error}; correct the file"))?
        } else {
            yaml_serde::from_str(text).map_err(|error| format!("`{written}` is not YAML: {error}; correct the file"))?
        };
        let version = match (&root["openapi"], &root["swagger"]) {
            (Value::String(version), _) => version.clone(),
            (Value::Number(version), _) => version.to_string(),
            (_, Value::Null) => {
                return Err(format!("`{written}` is not an OpenAPI document: it has no member `openapi`"));
            }
            (_, version) => version.as_str().unwrap_or("2.0").to_owned(),
        };
        let is_3_0 = version == "3.0" || version.starts_with("3.0.");
        if !is_3_0 && version != "3.1" && !version.starts_with("3.1.") {
            return Err(format!(
                "`{written}` is of OpenAPI {version}, and only 3.0 and 3.1 can be read; convert it, for example with \
                 `swagger2openapi` from 2.0"
            ));
        }
        Ok(Self { root, is_3_0, patterns: RefCell::default() })
    }

    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    /// Follows the reference that a value is, if it is one.
    ///
    /// # Errors
    /// Fails if the reference leads out of the document, to nothing, or in a circle.
    pub(super) fn resolved<'d>(&'d self, mut value: &'d Value) -> Result<&'d Value, String> {
        for _ in 0..LONGEST_CHAIN {
            match value.get("$ref") {
                Some(Value::String(reference)) => value = self.target(reference)?,
                _ => return Ok(value),
            }
        }
        Err("a `$ref` leads back to itself".to_owned())
    }

    /// Returns the target of a reference.
    ///
    /// # Errors
    /// Fails if the reference leads out of the document, or to nothing.
    pub(super) fn target(&self, reference: &str) -> Result<&Value, String> {
        let Some(pointer) = reference.strip_prefix('#') else {
            return Err(format!(
                "`$ref: {reference}` leads to another file; put all into one file, for example with `redocly bundle`"
            ));
        };
        let found = self.root.pointer(&percent_decoded(pointer));
        found.ok_or_else(|| format!("`$ref: {reference}` leads to nothing in the document"))
    }

    /// Returns whether a server can compile a pattern. Many services have patterns of other languages, such as `[\w-.]`, or
    /// patterns whose compiled form is too large, such as `^.{1,65535}$`.
    pub(super) fn is_pattern(&self, text: &str) -> bool {
        if let Some(is_pattern) = self.patterns.borrow().get(text) {
            return *is_pattern;
        }
        let is_pattern = jsonschema_regex::to_rust_regex(text).is_ok_and(|text| fancy_regex::Regex::new(&text).is_ok());
        self.patterns.borrow_mut().insert(text.to_owned(), is_pattern);
        is_pattern
    }
}

/// Returns the URL of a server, with the defaults of its variables. A relative URL is none: it needs a base, which only the
/// author knows.
pub(super) fn whole_url(server: &Value) -> Option<String> {
    let mut url = server["url"].as_str()?.to_owned();
    for (name, variable) in server["variables"].as_object().into_iter().flatten() {
        url = url.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
    }
    (url.starts_with("https://") || url.starts_with("http://")).then_some(url)
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let decoded = match (first, after.get(..2)) {
            (b'%', Some(hex)) => std::str::from_utf8(hex).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        bytes.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
