//! Finds the arguments that clients repeat in HTTP headers. The schema marks them with `x-mcp-header`.
//!
//! If such an annotation breaks the rules of the protocol, clients drop the tool without telling the author. So the
//! server reports the annotation as an error.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::wire::{
    protocol::headers::ParamHeader,
    schema::{
        InputSchema,
        keyword::{InnerSchema, inner},
    },
};

const KEYWORD: &str = "x-mcp-header";

impl InputSchema {
    /// Returns the HTTP headers that the published schema declares with `x-mcp-header`.
    ///
    /// # Errors
    /// Returns a message for the author for each `x-mcp-header` that clients reject.
    pub(crate) fn param_headers(&self) -> Result<Vec<ParamHeader>, Vec<String>> {
        let published = self.published.get();
        if !published.contains(KEYWORD) {
            return Ok(Vec::new());
        }
        let schema: Value = serde_json::from_str(published).map_err(|error| vec![error.to_string()])?;
        let mut collector = Collector { aliases: &self.aliases, headers: Vec::new(), problems: Vec::new() };
        collector.schema(&schema, &[], true);
        if collector.problems.is_empty() { Ok(collector.headers) } else { Err(collector.problems) }
    }
}

struct Collector<'a> {
    aliases: &'a [(Cow<'static, str>, Cow<'static, str>)],
    headers: Vec<ParamHeader>,
    problems: Vec<String>,
}

impl Collector<'_> {
    /// Searches a schema. `reachable` states whether a client can find the value. A client finds nested properties, but
    /// not the items of a list or the properties of an alternative.
    fn schema(&mut self, schema: &Value, path: &[&str], reachable: bool) {
        let Value::Object(keywords) = schema else { return };
        if let Some(annotation) = keywords.get(KEYWORD)
            && let Err(problem) = self.annotation(annotation, keywords, path, reachable)
        {
            let place = if path.is_empty() { "the root".to_owned() } else { format!("`{}`", path.join(".")) };
            self.problems.push(format!("{place}: `{KEYWORD}` {problem}"));
        }
        for InnerSchema { keyword, key, schema } in inner(keywords) {
            match key {
                Some(name) if keyword == "properties" => {
                    self.schema(schema, &[path, &[&*name]].concat(), reachable);
                }
                _ => self.schema(schema, path, false),
            }
        }
    }

    /// Adds an annotation, or returns its error.
    fn annotation(
        &mut self,
        annotation: &Value,
        keywords: &Map<String, Value>,
        path: &[&str],
        reachable: bool,
    ) -> Result<(), String> {
        if !reachable || path.is_empty() {
            return Err("is allowed on properties of the arguments and of nested structs, but not in lists, maps, \
                     alternatives or definitions"
                .to_owned());
        }
        let header = annotation.as_str().and_then(|suffix| ParamHeader::new(suffix, self.names(path)));
        let Some(header) = header else {
            return Err(format!("is {annotation}, which is not a valid header name: use letters, digits and `-`"));
        };
        match keywords.get("type") {
            Some(Value::String(name)) if matches!(name.as_str(), "string" | "integer" | "boolean") => {}
            given => return Err(unfit_type(given)),
        }
        if let Some(other) = self.headers.iter().find(|other| other.is_same_header(&header)) {
            return Err(format!(
                "is {annotation}, which is already the header of `{}`; header names ignore case",
                other.place()
            ));
        }
        self.headers.push(header);
        Ok(())
    }

    /// Returns the published name and the aliases of each member on the path.
    fn names(&self, path: &[&str]) -> Vec<Vec<Box<str>>> {
        let mut names: Vec<Vec<Box<str>>> = path.iter().map(|name| vec![Box::from(*name)]).collect();
        if let Some(first) = names.first_mut() {
            let meant = self.aliases.iter().filter(|(_, name)| name == path[0]);
            first.extend(meant.map(|(alias, _)| Box::from(&**alias)));
        }
        names
    }
}

fn unfit_type(given: Option<&Value>) -> String {
    let is = given.map_or_else(|| "is missing".to_owned(), |given| format!("is {given}"));
    format!(
        "needs exactly one `type`: \"string\", \"integer\" or \"boolean\" (or an `Option` of it), but the `type` {is}"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::schema::InputSettings;

    fn headers(properties: Value) -> Result<Vec<ParamHeader>, Vec<String>> {
        let mut schema = json!({ "type": "object" });
        schema["properties"] = properties;
        InputSchema::of_tool(schema, None, InputSettings::default()).unwrap().param_headers()
    }

    fn problem(properties: Value) -> String {
        let problems = headers(properties).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].clone()
    }

    fn header(suffix: &str, path: &[&str]) -> ParamHeader {
        ParamHeader::new(suffix, path.iter().map(|name| vec![Box::from(*name)]).collect()).unwrap()
    }

    #[test]
    fn finds_annotated_properties_at_any_depth() {
        let found = headers(json!({
            "region": { "type": "string", "x-mcp-header": "Region" },
            "plain": { "type": "string" },
            "options": { "type": "object", "properties": {
                "limit": { "type": "integer", "format": "uint32", "x-mcp-header": "Limit" },
                "more": { "type": "object", "properties": { "dry": { "type": "boolean", "x-mcp-header": "x" } } },
            } },
        }));
        let expected = vec![
            header("Region", &["region"]),
            header("Limit", &["options", "limit"]),
            header("x", &["options", "more", "dry"]),
        ];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn an_optional_argument_can_have_a_header() {
        for schema in [
            json!({ "type": ["string", "null"], "x-mcp-header": "Region" }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }], "x-mcp-header": "Region" }),
        ] {
            assert_eq!(headers(json!({ "region": schema })).unwrap(), [header("Region", &["region"])]);
        }
    }

    #[test]
    fn finds_no_headers_without_annotations() {
        assert_eq!(headers(json!({})).unwrap(), []);
        // A property, a default and a description with that name are not annotations.
        let named = json!({ "x-mcp-header": { "type": "string", "default": "x-mcp-header" } });
        assert_eq!(headers(named).unwrap(), []);
        let default = json!({ "a": { "type": "object", "default": { "x-mcp-header": "A" } } });
        assert_eq!(headers(default).unwrap(), []);
    }

    #[test]
    fn finds_arguments_under_their_aliases() {
        let schema = json!({ "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "inner": { "type": "object", "properties": { "region": { "type": "string", "x-mcp-header": "Inner" } } },
        } });
        let aliases =
            vec![("area".into(), "region".into()), ("zone".into(), "region".into()), ("x".into(), "y".into())];
        let found = InputSchema::new(schema).unwrap().with_aliases(aliases).param_headers().unwrap();
        let names = vec![vec!["region".into(), "area".into(), "zone".into()]];
        assert_eq!(found, [ParamHeader::new("Region", names).unwrap(), header("Inner", &["inner", "region"])]);
    }

    #[test]
    fn rejects_invalid_header_names() {
        for annotation in
            [json!(""), json!("two words"), json!("a:b"), json!("ä"), json!("a\r\nb"), json!(7), json!(null)]
        {
            assert_eq!(
                problem(json!({ "region": { "type": "string", "x-mcp-header": annotation } })),
                format!(
                    "`region`: `x-mcp-header` is {annotation}, which is not a valid header name: use letters, digits \
                     and `-`"
                ),
            );
        }
    }

    #[test]
    fn rejects_two_arguments_with_one_header() {
        let properties = json!({
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "object", "properties": { "c": { "type": "string", "x-mcp-header": "REGION" } } },
        });
        let expected =
            "`b.c`: `x-mcp-header` is \"REGION\", which is already the header of `a`; header names ignore case";
        assert_eq!(problem(properties), expected);
    }

    #[test]
    fn rejects_headers_of_other_types() {
        for (schema, words) in [
            (json!({ "type": "number" }), "but the `type` is \"number\""),
            (json!({ "type": "object" }), "but the `type` is \"object\""),
            (json!({ "type": "array" }), "but the `type` is \"array\""),
            (json!({ "type": ["string", "integer"] }), "but the `type` is missing"),
            (json!({}), "but the `type` is missing"),
        ] {
            let mut schema = schema;
            schema["x-mcp-header"] = json!("Region");
            let problem = problem(json!({ "region": schema }));
            assert!(problem.starts_with("`region`: `x-mcp-header` needs exactly one `type`: \"string\""), "{problem}");
            assert!(problem.contains(words), "{problem}");
        }
    }

    #[test]
    fn rejects_annotations_outside_nested_properties() {
        let annotated = json!({ "type": "string", "x-mcp-header": "Region" });
        for inner in [
            json!({ "type": "array", "items": annotated }),
            json!({ "type": "array", "prefixItems": [annotated] }),
            json!({ "type": "object", "additionalProperties": annotated }),
            json!({ "anyOf": [annotated, { "type": "integer" }] }),
            json!({ "anyOf": [{ "type": "object", "properties": { "b": annotated } }, { "type": "string" }] }),
        ] {
            let problem = problem(json!({ "a": inner }));
            assert!(problem.contains("`x-mcp-header` is allowed on properties of the arguments"), "{problem}");
            assert!(problem.starts_with("`a"), "{problem}");
        }
        let recursive = json!({ "type": "object", "properties": { "tree": { "$ref": "#/$defs/Tree" } }, "$defs": {
            "Tree": { "type": "object", "properties": { "name": annotated, "left": { "$ref": "#/$defs/Tree" } } },
        } });
        let problems = InputSchema::new(recursive).unwrap().param_headers().unwrap_err();
        assert!(problems.iter().any(|problem| problem.starts_with("`name`: ")), "{problems:?}");
        let root = json!({ "type": "object", "x-mcp-header": "Root", "properties": {} });
        let problems = InputSchema::new(root).unwrap().param_headers().unwrap_err();
        assert!(problems[0].starts_with("the root: `x-mcp-header` is allowed"), "{problems:?}");
    }

    #[test]
    fn reports_all_problems_at_once() {
        let properties = json!({
            "a": { "type": "number", "x-mcp-header": "A" },
            "b": { "type": "string", "x-mcp-header": "" },
        });
        assert_eq!(headers(properties).unwrap_err().len(), 2);
    }
}
