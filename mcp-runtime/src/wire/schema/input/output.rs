//! The schema of a tool's output.

use std::sync::OnceLock;

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::wire::{
    protocol::revision::Revision,
    schema::{
        check::{
            Checker,
            report::{CheckReport, Path},
            violations::Violation,
        },
        compile::{
            self,
            node::{Compiled, Types},
        },
        portable, refs, shape,
        value::instance::Instance,
    },
};

/// The schema of a tool's structured content. The compiled form is used to find numbers that were written as `null`,
/// because JSON cannot represent them.
#[derive(Debug)]
pub(crate) struct OutputSchema {
    pub(crate) published: Box<RawValue>,
    is_object: bool,
    /// The compiled schema. Present only if the schema has numbers that cannot be `null`.
    compiled: Option<Compiled>,
    /// The published schema in its compiled form, for content of others. Made for the first of it.
    published_compiled: OnceLock<Option<Compiled>>,
}

impl OutputSchema {
    /// Converts the schema to a shape that clients accept.
    ///
    /// # Errors
    /// Returns all problems, as messages for the author.
    pub(crate) fn new(schema: Value) -> Result<Self, Vec<String>> {
        let mut schema = shape::output_root(refs::inline(schema)?);
        // Model APIs do not restrict names in results.
        shape::tidy(&mut schema, &mut Vec::new());
        let compiled = compile::compile(&schema, false)?;
        let is_float = |types: Types| types.holds(Types::NUMBER) && !types.holds(Types::NULL);
        let has_floats = compiled.nodes.iter().any(|node| is_float(node.types));
        shape::replace_number_formats(&mut schema);
        portable::plain_output(&mut schema);
        let is_object = schema["type"] == "object";
        let published = to_raw_value(&schema).map_err(|error| vec![error.to_string()])?;
        let compiled = Some(compiled).filter(|_| has_floats);
        Ok(Self { published, is_object, compiled, published_compiled: OnceLock::new() })
    }

    /// Creates the schema of a tool of another server, which is published unchanged. Returns `None` if it is not an object,
    /// because clients would reject the whole list.
    pub(crate) fn passed_on(schema: &Value) -> Option<Self> {
        let members = schema.as_object()?;
        let is_object = members.get("type").is_some_and(|name| name == "object");
        let published = to_raw_value(schema).ok()?;
        Some(Self { published, is_object, compiled: None, published_compiled: OnceLock::new() })
    }

    /// Returns whether this revision allows the schema. Before 2026-07-28 a schema must describe an object.
    pub(crate) fn is_carried(&self, revision: Revision) -> bool {
        revision.has_any_structured_content() || (revision.has_structured_content() && self.is_object)
    }

    /// Returns what is wrong with structured content that does not match the published schema, one line for each error.
    /// Returns `None` if the content matches.
    pub(crate) fn violations(&self, content: &str) -> Option<String> {
        let compile = || compile::compile(&serde_json::from_str(self.published.get()).ok()?, false).ok();
        let schema = self.published_compiled.get_or_init(compile).as_ref()?;
        let (value, _) = Instance::read(content).ok()?;
        let steps = 1_000_000 + 4 * content.len() as u64;
        let mut checker = Checker { schema, report: CheckReport::new(steps) };
        checker.check(Compiled::ROOT, &value, &Path::ROOT);
        // A check that has ended at its limit says nothing about the content.
        if checker.report.score == 0 || checker.report.steps == 0 {
            return None;
        }
        let report = Checker::errors(schema, Compiled::ROOT, &value, steps);
        let lines = report.violations.listed.iter().map(|Violation { place, what }| match place.is_whole() {
            true => format!("- the result: {what}"),
            false => format!("- {place}: {what}"),
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        Some(if lines.is_empty() { "- the result: does not match its schema".to_owned() } else { lines })
    }

    /// Returns the place of a number that was written as `null`, because JSON has neither NaN nor infinity.
    pub(crate) fn lost_number(&self, content: &str) -> Option<String> {
        let schema = self.compiled.as_ref()?;
        // Content without `null` is not parsed.
        let mut nulls = memchr::memchr_iter(b'u', content.as_bytes());
        nulls.find(|at| content.as_bytes()[..*at].ends_with(b"n") && content.as_bytes()[*at..].starts_with(b"ull"))?;
        let (value, _) = Instance::read(content).ok()?;
        let steps = 100_000 + 4 * content.len() as u64;
        let report = Checker::errors(schema, Compiled::ROOT, &value, steps);
        report.violations.listed.iter().find_map(|Violation { place, what }| {
            let wanted = what.strip_prefix("got null, must be ")?;
            let shown = || if place.is_whole() { "the whole value".to_owned() } else { place.to_string() };
            wanted.contains("number").then(shown)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_that_matches_is_never_rejected_because_its_check_is_long() {
        let kind = |number: u32| {
            json!({
                "type": "object",
                "properties": {
                    "kind": { "type": "string", "enum": [format!("k{number}")] },
                    "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
                },
                "required": ["kind"],
            })
        };
        let kinds: Vec<_> = (0..10).map(kind).collect();
        let schema = json!({
            "type": "object", "properties": { "root": { "$ref": "#/$defs/Node" } }, "$defs": { "Node": { "oneOf": kinds } },
        });
        let schema = OutputSchema::new(schema).unwrap();
        let nested = |inside: Value| json!({ "kind": "k9", "children": [inside] });
        let root = (0..12).fold(json!({ "kind": "k3" }), |inside, _| nested(inside));
        assert_eq!(schema.violations(&json!({ "root": root }).to_string()), None);
        let wrong = schema.violations(&json!({ "root": nested(json!({ "kind": "x" })) }).to_string()).unwrap();
        assert!(wrong.contains("root.children[0].kind"), "{wrong}");
    }
}
