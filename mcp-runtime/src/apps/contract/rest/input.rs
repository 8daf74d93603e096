//! Combines the path, the query and the body of a request into the JSON of an input.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};

use super::field::QueryField;
use crate::{
    apps::contract::{Descriptor, MethodDescriptor},
    wire::protocol::scan::Scanner,
};

/// The fields of a method's input: those that come from the path, and those that come from the query or the body.
#[derive(Debug)]
pub(super) struct InputReader {
    /// The parameters of the path, from left to right.
    path: Vec<(String, QueryField)>,
    /// The fields that come from the query or the body.
    rest: Vec<(String, QueryField)>,
    has_body: bool,
}

impl InputReader {
    pub(super) fn new(method: &MethodDescriptor, descriptor: &Descriptor) -> Self {
        let fields = descriptor.fields(method);
        let field = |name: &str| fields.and_then(|fields| fields.get(name));
        let path = method.http.parameters().map(|name| {
            let field = field(name).map_or(QueryField::Text, |schema| QueryField::of(schema, descriptor));
            (name.to_owned(), field)
        });
        let path: Vec<_> = path.collect();
        let rest = fields.into_iter().flatten().filter(|(name, _)| !path.iter().any(|(other, _)| other == *name));
        let rest = rest.map(|(name, schema)| (name.clone(), QueryField::of(schema, descriptor))).collect();
        Self { path, rest, has_body: has_body(&method.http.verb) }
    }

    /// Returns whether the fields that are not in the path come from the body. Otherwise they come from the query.
    pub(super) fn has_body(&self) -> bool {
        self.has_body
    }

    /// Returns the input with the values of the path, and the fields of the body. Returns a body that is not an object
    /// unchanged, because the check of the input reports it. A repeated name is kept for the same reason.
    pub(super) fn with_body<'a>(&self, path: &[String], body: &'a str) -> Cow<'a, str> {
        if self.path.is_empty() {
            return Cow::Borrowed(body);
        }
        let (mut json, mut scanner) = (self.begin(path), Scanner::new(body));
        let is_object = scanner.object(|scanner, name| {
            let value = scanner.value()?;
            if !self.path.iter().any(|(other, _)| *other == name) {
                key(&name, &mut json);
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
    pub(super) fn with_query(&self, path: &[String], query: &str) -> String {
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
        for (name, values) in given.iter().filter(|(name, _)| !self.path.iter().any(|(other, _)| other == name)) {
            key(name, &mut json);
            let field = self.rest.iter().find(|(other, _)| other == name);
            field.map_or(&QueryField::Text, |(_, field)| field).write(values, &mut json);
        }
        json.push('}');
        json
    }

    /// Returns the start of the input's JSON text, with the values of the path.
    fn begin(&self, path: &[String]) -> String {
        let mut json = String::from("{");
        for ((name, field), value) in self.path.iter().zip(path) {
            key(name, &mut json);
            field.write(&[value], &mut json);
        }
        json
    }

    pub(super) fn path_len(&self) -> usize {
        self.path.len()
    }
}

/// Returns whether requests with this verb have a body.
pub(super) fn has_body(verb: &str) -> bool {
    !matches!(verb, "GET" | "DELETE")
}

/// Appends the name of a member. If the member is not the first, appends a comma before the name.
fn key(name: &str, json: &mut String) {
    if json.len() > 1 {
        json.push(',');
    }
    json.push_str(&serde_json::Value::from(name).to_string());
    json.push(':');
}
