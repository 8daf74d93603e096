//! Combines the path, the query and the body of a request into the JSON of an input.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};

use serde::de::IgnoredAny;
use serde_json::{Number, Value};

use crate::{
    apps::contract::{Descriptor, MethodDescriptor},
    wire::protocol::{scan::Scanner, text::json_string},
};

/// The fields of a method's input: those that come from the path, and those that come from the query or the body.
#[derive(Debug)]
pub(super) struct InputReader {
    /// The parameters of the path, from left to right.
    pub(super) path: Vec<InputField>,
    /// The fields that come from the query or the body.
    rest: Vec<InputField>,
    /// Whether the fields that are not in the path come from the body. Otherwise they come from the query.
    pub(super) has_body: bool,
    /// Whether a field in the path or in the query can contain JSON text.
    pub(super) takes_json: bool,
}

/// A field of an input, as JSON text contains it.
#[derive(Debug)]
pub(super) struct InputField {
    name: String,
    /// The name as a JSON string.
    key: String,
    kind: QueryField,
}

impl InputReader {
    pub(super) fn new(method: &MethodDescriptor, descriptor: &Descriptor) -> Self {
        let fields = descriptor.fields(method);
        let field = |name: &str| {
            let schema = fields.and_then(|fields| fields.get(name));
            let kind = schema.map_or(QueryField::Text, |schema| QueryField::of(schema, descriptor));
            InputField { name: name.to_owned(), key: json_string(name), kind }
        };
        let path: Vec<_> = method.http.parameters().map(field).collect();
        let rest = fields.into_iter().flatten().map(|(name, _)| name).filter(|name| find(&path, name).is_none());
        let rest: Vec<_> = rest.map(|name| field(name)).collect();
        let takes_json = path.iter().chain(&rest).any(|field| field.kind.takes_json());
        Self { path, rest, has_body: has_body(&method.http.verb), takes_json }
    }

    /// Returns the input with the values of the path, and the fields of the body. Returns a body that is not an object
    /// unchanged, because the check of the input reports it. A repeated name is kept for the same reason.
    pub(super) fn with_body<'a, 'p>(&self, path: impl Iterator<Item = &'p str>, body: &'a str) -> Cow<'a, str> {
        if self.path.is_empty() {
            return Cow::Borrowed(body);
        }
        let (mut json, mut scanner) = (self.begin(path), Scanner::new(body));
        let is_object = scanner.object(|scanner, name| {
            let value = scanner.value()?;
            if find(&self.path, &name).is_none() {
                push_key(&json_string(&name), &mut json);
                json.push_str(value);
            }
            Ok(())
        });
        if !matches!((is_object, scanner.end()), (Ok(true), Ok(()))) {
            return Cow::Borrowed(body);
        }
        json.push('}');
        Cow::Owned(json)
    }

    /// Returns the input with the values of the path and the query.
    pub(super) fn with_query<'p>(&self, path: impl Iterator<Item = &'p str>, query: &str) -> String {
        let mut json = self.begin(path);
        let mut given: Vec<(Cow<'_, str>, Vec<Cow<'_, str>>)> = Vec::new();
        // The places in `given`. A client can send many thousand names.
        let mut places: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match places.entry(name) {
                Entry::Occupied(place) => given[*place.get()].1.push(value),
                Entry::Vacant(place) => {
                    given.push((place.key().clone(), vec![value]));
                    place.insert(given.len() - 1);
                }
            }
        }
        for (name, values) in given.iter().filter(|(name, _)| find(&self.path, name).is_none()) {
            match find(&self.rest, name) {
                Some(field) => field.write(values, &mut json),
                None => {
                    push_key(&json_string(name), &mut json);
                    QueryField::Text.write(values, &mut json);
                }
            }
        }
        json.push('}');
        json
    }

    /// Returns the start of the input's JSON text, with the values of the path.
    fn begin<'p>(&self, path: impl Iterator<Item = &'p str>) -> String {
        let mut json = String::with_capacity(64);
        json.push('{');
        self.path.iter().zip(path).for_each(|(field, value)| field.write(&[value], &mut json));
        json
    }
}

impl InputField {
    /// Appends the member of the field with these texts.
    fn write(&self, texts: &[impl AsRef<str>], json: &mut String) {
        push_key(&self.key, json);
        self.kind.write(texts, json);
    }
}

fn find<'f>(fields: &'f [InputField], name: &str) -> Option<&'f InputField> {
    fields.iter().find(|field| field.name == name)
}

/// Returns whether requests with this verb have a body.
pub(super) fn has_body(verb: &str) -> bool {
    !matches!(verb, "GET" | "DELETE")
}

/// Appends the name of a member, which is a JSON string. If the member is not the first, appends a comma before it.
fn push_key(key: &str, json: &mut String) {
    if json.len() > 1 {
        json.push(',');
    }
    json.push_str(key);
    json.push(':');
}

/// How the text of a field is converted to JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QueryField {
    Text,
    Number,
    Boolean,
    /// A repeated parameter.
    List(Box<Self>),
    /// JSON text.
    Json,
}

impl QueryField {
    /// Returns the conversion for a field with this schema.
    pub(super) fn of(schema: &Value, descriptor: &Descriptor) -> Self {
        Self::within(schema, descriptor, 0)
    }

    fn within(schema: &Value, descriptor: &Descriptor, depth: usize) -> Self {
        // A schema can contain itself, so the depth is limited.
        if depth > 8 {
            return Self::Json;
        }
        let schema = descriptor.resolve(schema);
        let within = |schema: &Value| Self::within(schema, descriptor, depth + 1);
        if let Some(ty) = only_type(schema) {
            return match (ty, &schema["items"]) {
                ("string", _) => Self::Text,
                ("integer" | "number", _) => Self::Number,
                ("boolean", _) => Self::Boolean,
                ("array", items @ (Value::Object(_) | Value::Bool(_))) => match within(items) {
                    // A list of lists or of objects is sent as one JSON text.
                    Self::List(_) | Self::Json => Self::Json,
                    item => Self::List(Box::new(item)),
                },
                _ => Self::Json,
            };
        }
        if let Some(values) = schema["enum"].as_array() {
            return if values.iter().all(Value::is_string) { Self::Text } else { Self::Json };
        }
        if schema["const"].is_string() {
            return Self::Text;
        }
        let branches = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| schema[*key].as_array());
        let branches = branches.into_iter().flatten().filter(|branch| branch["type"] != "null");
        let mut kinds = branches.map(within);
        match kinds.next() {
            Some(first) if kinds.all(|other| other == first) => first,
            _ => Self::Json,
        }
    }

    fn takes_json(&self) -> bool {
        match self {
            Self::Json => true,
            Self::List(item) => item.takes_json(),
            Self::Text | Self::Number | Self::Boolean => false,
        }
    }

    /// Converts these texts and appends the JSON. A text that does not match the schema becomes a JSON string. The
    /// later check of the input reports this text.
    pub(super) fn write(&self, texts: &[impl AsRef<str>], json: &mut String) {
        match (self, texts) {
            (Self::List(item), texts) => {
                json.push('[');
                for (index, text) in texts.iter().enumerate() {
                    if index > 0 {
                        json.push(',');
                    }
                    item.write_one(text.as_ref(), json);
                }
                json.push(']');
            }
            // A parameter that is given twice becomes a list, and the check of the input reports this.
            (_, [_, _, ..]) => Self::List(Box::new(Self::Text)).write(texts, json),
            (_, texts) => self.write_one(texts.first().map_or("", |text| text.as_ref()), json),
        }
    }

    fn write_one(&self, text: &str, json: &mut String) {
        let is_json = match self {
            Self::Text => false,
            Self::Number => !text.contains(char::is_whitespace) && serde_json::from_str::<Number>(text).is_ok(),
            Self::Boolean => ["true", "false"].contains(&text),
            Self::List(_) | Self::Json => serde_json::from_str::<IgnoredAny>(text).is_ok(),
        };
        if is_json { json.push_str(text) } else { json.push_str(&json_string(text)) }
    }
}

/// Returns the type of a schema that has exactly one type apart from `null`.
fn only_type(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::String(ty) => Some(ty),
        Value::Array(types) => {
            let mut types = types.iter().filter_map(Value::as_str).filter(|ty| *ty != "null");
            types.next().filter(|_| types.next().is_none())
        }
        _ => None,
    }
}
