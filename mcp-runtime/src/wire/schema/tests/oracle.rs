//! Compares the checker with the crate `jsonschema` on random schemas and values.

use std::cell::Cell;

use proptest::{
    prelude::{ProptestConfig, any, prop_assert, prop_assert_eq},
    test_runner::{TestCaseError, TestRunner},
};
use serde_json::{Map, Value, json};

use super::{check_as_sent, output_schema};
use crate::wire::schema::InputSchema;

#[test]
fn agrees_with_the_oracle() {
    let config = ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() };
    let (checked, fitting) = (Cell::new(0), Cell::new(0));
    let count = |fits: bool| {
        checked.set(checked.get() + 1);
        fitting.set(fitting.get() + u32::from(fits));
    };
    let bytes = proptest::collection::vec(any::<u8>(), 0..160);
    let ran = TestRunner::new(config).run(&bytes, |bytes| agree(&mut Entropy { bytes: &bytes }, &count));
    assert!(ran.is_ok(), "{}", ran.unwrap_err());
    // The test proves little if all values fit, or all fail.
    let share = f64::from(fitting.get()) / f64::from(checked.get());
    assert!(checked.get() > 3000 && (0.2..0.8).contains(&share), "{share} of {} fit", checked.get());
}

/// Any schema and any arguments give a result, never a panic.
#[test]
fn never_panics_on_garbage() {
    let config = ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() };
    let bytes = proptest::collection::vec(any::<u8>(), 0..120);
    let ran = TestRunner::new(config).run(&bytes, |bytes| {
        let mut entropy = Entropy { bytes: &bytes };
        let schema =
            json!({ "properties": { "v": entropy.garbage(4) }, "$defs": { "T": entropy.garbage(2), "U": true } });
        let _ = output_schema(entropy.garbage(3));
        if let Ok(schema) = InputSchema::new(schema) {
            for _ in 0..3 {
                let _ = schema.check(&json!({ "v": entropy.value(3) }).to_string());
            }
            let _ = schema.check(&String::from_utf8_lossy(entropy.bytes));
        }
        Ok(())
    });
    assert!(ran.is_ok(), "{}", ran.unwrap_err());
}

fn agree(entropy: &mut Entropy<'_>, count: &impl Fn(bool)) -> Result<(), TestCaseError> {
    let schema = json!({
        "type": "object",
        "properties": { "v": entropy.schema(3) },
        "$defs": { "T": entropy.schema(2), "U": entropy.schema(1) },
    });
    let ours = match InputSchema::new(schema.clone()) {
        Ok(ours) => ours,
        // Of the schemas that are valid elsewhere, only one kind is rejected here: a schema that applies itself again
        // to the same value.
        Err(problems) => {
            prop_assert!(problems.iter().all(|problem| problem.contains("leads back")), "{schema}\n{problems:?}");
            return Ok(());
        }
    };
    let oracle = |schema: &Value| {
        jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true).build(schema)
    };
    let original = oracle(&schema).expect("the generator writes valid schemas");
    let published = oracle(&ours.to_value()).expect("what is published is valid");
    for _ in 0..4 {
        let value = json!({ "v": entropy.near(&schema["properties"]["v"], &schema, 5) });
        let verdict = check_as_sent(&ours, &value.to_string());
        let context = format!("schema {schema}\npublished {}\nvalue {value}\nours {verdict:?}", ours.to_value());
        prop_assert_eq!(verdict.is_ok(), original.is_valid(&value), "the schema as given\n{}", context);
        prop_assert_eq!(verdict.is_ok(), published.is_valid(&value), "the schema as published\n{}", context);
        let words = verdict.err().map(|violations| violations.to_string());
        count(words.is_none());
        prop_assert!(!words.is_some_and(|words| words.contains("too many nested")), "no words\n{}", context);
    }
    Ok(())
}

/// Makes choices from bytes that proptest can shrink. If no bytes are left, makes the simplest choice.
struct Entropy<'b> {
    bytes: &'b [u8],
}

const KEYS: [&str; 4] = ["a", "b", "cc", "7"];
const STRINGS: [&str; 7] = ["", "a", "ab", "ä", "abc", "2026-02-28", "7"];

impl Entropy<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first as usize % limit
    }

    fn one_of(&mut self, from: &[&str]) -> String {
        from[self.below(from.len())].to_owned()
    }

    fn number(&mut self) -> Value {
        match self.below(12) {
            at @ 0..6 => json!(at as i64 - 1),
            6 => json!(0.5),
            7 => json!(2.0),
            8 => json!(-1.5),
            9 => json!(u64::MAX),
            10 => json!(9007199254740993i64),
            _ => json!(1e19),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 1),
            2 | 3 => self.number(),
            4 => json!(self.one_of(&STRINGS)),
            5 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => (0..self.below(4)).map(|_| (self.one_of(&KEYS), self.value(depth - 1))).collect::<Map<_, _>>().into(),
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.below(12) == 11 {
            return json!(self.below(4) != 0);
        }
        let mut schema = Map::new();
        for _ in 0..=self.below(3) {
            self.keyword(&mut schema, depth);
        }
        schema.into()
    }

    /// Generates a schema with any keywords and values.
    fn garbage(&mut self, depth: usize) -> Value {
        let mut schema = Map::new();
        for _ in 0..=self.below(4) {
            self.keyword(&mut schema, 1);
            let Some((keyword, value)) = schema.iter_mut().next_back() else { continue };
            match self.below(if depth == 0 { 3 } else { 5 }) {
                0 | 1 => {}
                2 => *value = self.value(2),
                3 => *value = self.garbage(depth - 1),
                _ if keyword == "$ref" => *value = json!("#/properties/v"),
                _ => *value = json!({ self.one_of(&KEYS): self.garbage(depth - 1) }),
            }
        }
        schema.into()
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..=self.below(2)).map(|_| self.schema(depth)).collect()
    }

    fn named(&mut self, keys: &[&str], depth: usize) -> Value {
        (0..=self.below(2)).map(|_| (self.one_of(keys), self.schema(depth))).collect::<Map<_, _>>().into()
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<String> = (0..self.below(3)).map(|_| self.one_of(&KEYS)).collect();
        names.sort();
        names.dedup();
        json!(names)
    }

    fn keyword(&mut self, schema: &mut Map<String, Value>, depth: usize) {
        const TYPES: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];
        let leaves = 21;
        let (keyword, value) = match self.below(if depth == 0 { leaves } else { leaves + 21 }) {
            0..4 => ("type", json!(self.one_of(&TYPES))),
            4 => {
                let first = self.below(6);
                ("type", json!([TYPES[first], TYPES[first + 1]]))
            }
            5 => ("enum", (0..=self.below(3)).map(|_| self.value(1)).collect()),
            6 => ("const", self.value(2)),
            7 => ("minimum", self.number()),
            8 => ("maximum", self.number()),
            9 => ("exclusiveMinimum", self.number()),
            10 => ("exclusiveMaximum", self.number()),
            11 => ("multipleOf", [json!(2), json!(0.5), json!(3), json!(1)][self.below(4)].clone()),
            12 => ("minLength", json!(self.below(4))),
            13 => ("maxLength", json!(self.below(4))),
            14 => ("minItems", json!(self.below(4))),
            15 => ("maxItems", json!(self.below(4))),
            16 => ("minProperties", json!(self.below(3))),
            17 => ("maxProperties", json!(self.below(3))),
            18 => ("required", self.names()),
            19 => ("uniqueItems", json!(self.below(3) != 0)),
            20 => ("dependentRequired", json!({ self.one_of(&KEYS): self.names() })),
            21 => ("items", self.schema(depth - 1)),
            22 => ("prefixItems", self.schemas(depth - 1)),
            23 => ("contains", self.schema(depth - 1)),
            24 => {
                schema.insert("minContains".to_owned(), json!(self.below(3)));
                schema.insert("maxContains".to_owned(), json!(self.below(3)));
                ("contains", self.schema(depth - 1))
            }
            25..28 => ("properties", self.named(&KEYS, depth - 1)),
            28 => ("additionalProperties", self.schema(depth - 1)),
            29 => ("additionalProperties", json!(false)),
            30 => ("propertyNames", self.schema(depth - 1)),
            31 => ("dependentSchemas", self.named(&KEYS, depth - 1)),
            32 => ("patternProperties", self.named(&[r"^\d+$", r"^-?\d+$"], depth - 1)),
            33 => ("oneOf", self.schemas(depth - 1)),
            34 => ("anyOf", self.schemas(depth - 1)),
            35 => ("allOf", self.schemas(depth - 1)),
            36 => ("not", self.schema(depth - 1)),
            37 => {
                schema.insert("then".to_owned(), self.schema(depth - 1));
                schema.insert("else".to_owned(), self.schema(depth - 1));
                ("if", self.schema(depth - 1))
            }
            38 => ("format", json!("date")),
            39 => ("$ref", json!("#")),
            40 => ("$ref", json!("#/$defs/T")),
            _ => ("$ref", json!("#/$defs/U")),
        };
        schema.insert(keyword.to_owned(), value);
    }

    /// Generates a value that has a chance to fit: it mostly follows the schema.
    fn near(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let Value::Object(keywords) = schema else { return self.value(1) };
        if depth == 0 || self.below(8) == 7 {
            return self.value(2);
        }
        if let Some(value) = keywords.get("const") {
            return value.clone();
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return values[self.below(values.len())].clone();
        }
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            let target = root.pointer(&target[1..]).expect("a definition");
            return self.near(target, root, depth - 1);
        }
        for union in ["oneOf", "anyOf", "allOf"] {
            if let Some(Value::Array(branches)) = keywords.get(union) {
                let branch = self.below(branches.len());
                return self.near(&branches[branch], root, depth - 1);
            }
        }
        let named = match keywords.get("type") {
            Some(Value::String(name)) => name.clone(),
            Some(Value::Array(names)) => names[self.below(names.len())].as_str().unwrap_or_default().to_owned(),
            _ if keywords.keys().any(|key| key.to_lowercase().contains("propert") || key == "required") => {
                "object".into()
            }
            _ if keywords.keys().any(|key| key.to_lowercase().contains("items") || key == "contains") => "array".into(),
            _ => return self.value(2),
        };
        match named.as_str() {
            "object" => self.near_object(keywords, root, depth).into(),
            "array" => {
                let prefix = keywords.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                let items = keywords.get("items").or(keywords.get("contains")).unwrap_or(&Value::Null);
                let length = self.below(4);
                (0..length).map(|at| self.near(prefix.get(at).unwrap_or(items), root, depth - 1)).collect()
            }
            "string" => json!(self.one_of(&STRINGS)),
            "boolean" => json!(true),
            "null" => Value::Null,
            _ => self.number(),
        }
    }

    fn near_object(&mut self, keywords: &Map<String, Value>, root: &Value, depth: usize) -> Map<String, Value> {
        let mut members = Map::new();
        if let Some(Value::Object(properties)) = keywords.get("properties") {
            for (name, schema) in properties {
                if self.below(4) != 0 {
                    members.insert(name.clone(), self.near(schema, root, depth - 1));
                }
            }
        }
        for name in keywords.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().unwrap_or_default();
            if !members.contains_key(name) && self.below(4) != 0 {
                members.insert(name.to_owned(), self.value(1));
            }
        }
        if self.below(3) == 0 {
            let others = keywords.get("additionalProperties").unwrap_or(&Value::Null);
            members.insert(self.one_of(&KEYS), self.near(others, root, depth - 1));
        }
        members
    }
}
