//! The published form of an input schema: the part of JSON Schema that hosts can convert for the API of their model.
//!
//! The exact schema checks the arguments of calls. The published form tells a model what to send, and it uses only
//! keywords that hosts keep: no `null`, `oneOf`, `const`, `prefixItems` or `$ref`. What these keywords say becomes a
//! plain keyword if possible, or else a sentence of the description. So the published form of a Rust type accepts every
//! value that the exact schema accepts, except `null`.
//!
//! The module [`schemas`](crate::guide::schemas) describes this for authors.

mod array;
mod gap;
mod merge;
mod note;
mod object;
mod plain;
mod union;

use serde_json::{Map, Value};

pub(crate) use self::gap::SchemaGapKind;
pub(super) use self::{gap::SchemaGap, union::plain_output};
use super::{keyword::describes, refs};
use crate::wire::protocol::json::{get, set};

/// How the server publishes the input schemas of its tools. Set it with [`Server::schema_style`](crate::Server::schema_style).
///
/// Both styles use the same plain keywords, and arguments are checked in the same way. See the module
/// [`schemas`](crate::guide::schemas).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaStyle {
    /// Without `additionalProperties: false`, which some hosts refuse. Unknown arguments are rejected nevertheless.
    #[default]
    Portable,
    /// With `additionalProperties: false` in each object whose properties are listed. Use this style only if a host
    /// demands closed objects.
    Strict,
}

/// The published form of a schema, and what this form cannot say.
pub(super) struct PortableSchema {
    pub(super) schema: Value,
    pub(super) gaps: Vec<SchemaGap>,
}

/// Returns the published form of an input schema.
pub(super) fn published(exact: &Value, style: SchemaStyle) -> PortableSchema {
    let mut converter =
        PortableConverter { root: exact, style, references: Vec::new(), left: LARGEST, gaps: Vec::new() };
    let form = converter.schema(exact, "");
    PortableSchema { schema: Value::Object(form.keywords), gaps: converter.gaps }
}

/// Returns what some hosts cannot convert in a schema that is published as its author wrote it.
pub(super) fn gaps_of_verbatim(schema: &Value) -> Vec<SchemaGap> {
    let mut gaps = published(schema, SchemaStyle::Portable).gaps;
    let has_definitions = ["$defs", "definitions"].iter().any(|keyword| schema.get(*keyword).is_some());
    let at_root = ["allOf", "anyOf", "oneOf"].into_iter().filter(|keyword| schema.get(*keyword).is_some());
    for keyword in at_root.chain(has_definitions.then_some("$ref")) {
        let gap = SchemaGap { at: String::new(), kind: SchemaGapKind::Rule(keyword) };
        if !gaps.contains(&gap) {
            gaps.push(gap);
        }
    }
    gaps
}

/// The maximum number of schemas in a published form. When it is reached, recursive types are written out no further.
const LARGEST: usize = 2_000;

/// The maximum number of references that are written out inside of each other. The limit prevents a stack overflow.
const DEEPEST: usize = 16;

struct PortableConverter<'s> {
    root: &'s Value,
    style: SchemaStyle,
    /// The references that the current schema is inside of, each with the place where it was written out.
    references: Vec<(String, String)>,
    /// How many more schemas can be written.
    left: usize,
    gaps: Vec<SchemaGap>,
}

/// The published form of one schema.
struct PortableForm {
    keywords: Map<String, Value>,
    /// Whether the exact schema accepts `null` besides these values.
    is_nullable: bool,
}

impl PortableForm {
    fn new(keywords: Map<String, Value>) -> Self {
        Self { keywords, is_nullable: false }
    }

    /// Returns the form as a schema. If `null` is allowed, the description says so.
    fn with_null(mut self) -> Value {
        if self.is_nullable {
            note::add(&mut self.keywords, "`null` is allowed.");
        }
        Value::Object(self.keywords)
    }
}

impl PortableConverter<'_> {
    /// Converts the schema of the value at the place `at`.
    fn schema(&mut self, exact: &Value, at: &str) -> PortableForm {
        match exact {
            Value::Object(keywords) => self.keywords(keywords.clone(), at),
            Value::Bool(false) => PortableForm::new(Map::from_iter([("not".to_owned(), Value::Object(Map::new()))])),
            _ => self.keywords(Map::new(), at),
        }
    }

    fn keywords(&mut self, mut exact: Map<String, Value>, at: &str) -> PortableForm {
        self.left = self.left.saturating_sub(1);
        let mut is_nullable = false;
        // Each round removes one level of nesting.
        let form = loop {
            if let Some(reference) = reference(&exact) {
                break self.reference(exact, &reference, at);
            }
            if self.merge_all_of(&mut exact, at) {
                continue;
            }
            is_nullable |= union::take_null(&mut exact);
            if union::unwrap_single(&mut exact) {
                continue;
            }
            break match union::take_branches(&mut exact) {
                Some(branches) => self.union(exact, branches, at),
                None => self.plain(&exact, at),
            };
        };
        PortableForm { is_nullable: form.is_nullable || is_nullable, ..form }
    }

    /// Writes out the target of a reference. All references of an exact schema are recursive, so each one is written out
    /// only once on a path.
    fn reference(&mut self, mut beside: Map<String, Value>, reference: &str, at: &str) -> PortableForm {
        beside.shift_remove("$ref");
        let target = refs::resolve(self.root, reference).and_then(Value::as_object);
        let outer = self.references.iter().find(|(open, _)| open == reference);
        if outer.is_none() && self.left > 0 && self.references.len() < DEEPEST {
            let target = target.cloned().unwrap_or_default();
            let merged = merge::merge(beside, target.clone()).unwrap_or(target);
            self.references.push((reference.to_owned(), at.to_owned()));
            let form = self.keywords(merged, at);
            self.references.pop();
            return form;
        }
        let place = outer.map(|(_, place)| place.clone());
        self.gap(place.as_deref().unwrap_or(at), SchemaGapKind::Recursion);
        let mut cut: Map<_, _> = beside.into_iter().filter(|(keyword, _)| describes(keyword)).collect();
        if target.is_some_and(union::is_object) {
            set(&mut cut, "type", "object".into());
            set(&mut cut, "properties", Value::Object(Map::new()));
        }
        if let Some(place) = place {
            let outer = if place.is_empty() { "the arguments".to_owned() } else { format!("`{place}`") };
            note::add(&mut cut, &format!("Has the same form as {outer}."));
        }
        PortableForm::new(cut)
    }

    /// Merges the schemas of `allOf` into the schema beside them. Returns whether there were any.
    fn merge_all_of(&mut self, exact: &mut Map<String, Value>, at: &str) -> bool {
        let Some(Value::Array(schemas)) = exact.shift_remove("allOf") else { return false };
        for schema in schemas {
            let Value::Object(more) = schema else { continue };
            match merge::merge(exact.clone(), more) {
                Some(merged) => *exact = merged,
                None => self.gap(at, SchemaGapKind::Rule("allOf")),
            }
        }
        true
    }

    /// Records which of these rules a schema has, because the published form does not say them.
    fn gaps_of(&mut self, rules: &[&'static str], exact: &Map<String, Value>, at: &str) {
        for rule in rules.iter().filter(|rule| get(exact, rule).is_some()) {
            self.gap(at, SchemaGapKind::Rule(rule));
        }
    }

    fn gap(&mut self, at: &str, kind: SchemaGapKind) {
        let gap = SchemaGap { at: at.to_owned(), kind };
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }
}

fn reference(keywords: &Map<String, Value>) -> Option<String> {
    get(keywords, "$ref").and_then(Value::as_str).map(str::to_owned)
}
