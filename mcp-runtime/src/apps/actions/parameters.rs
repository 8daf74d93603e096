//! The parameters of an action or of an entry of a catalog, and what their schemas say in the words of `describe` and of
//! errors.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::wire::{
    protocol::json::object_of_some,
    schema::{InputSchema, Violation, Violations, example},
};

/// How many levels of nested fields `describe` shows.
const DEEPEST: usize = 3;

/// The parameters of an action or of an entry of a catalog.
#[derive(Debug)]
pub(super) struct ParameterSet {
    pub(super) schema: InputSchema,
    /// The published schema, from which descriptions and errors are made.
    pub(super) published: Value,
    pub(super) hints: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

impl ParameterSet {
    /// Returns the schemas of the parameters.
    pub(super) fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.published.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, schema)| (&**name, schema))
    }

    pub(super) fn property(&self, name: &str) -> Option<&Value> {
        self.published.get("properties")?.get(name)
    }

    pub(super) fn is_required(&self, name: &str) -> bool {
        let required = self.published.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|one| one == name))
    }

    pub(super) fn hint(&self, parameter: &str) -> Option<&str> {
        self.hints.iter().find(|(name, _)| name == parameter).map(|(_, hint)| &**hint)
    }

    /// Checks the values in a JSON object, and returns them in a form that the schema allows.
    ///
    /// # Errors
    /// Returns what is wrong with the values.
    pub(super) fn checked<'t>(&self, values: &'t str, reads_json_strings: bool) -> Result<Cow<'t, str>, Violations> {
        self.schema.checked_with(values, reads_json_strings)
    }

    /// Returns the errors of these values. Missing parameters do not count as errors.
    pub(super) fn unfit(&self, sets: &[(&'static str, Value)]) -> Vec<String> {
        let values: Map<_, _> = sets.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let checked = self.schema.check(&Value::Object(values).to_string());
        let is_of = |violation: &&Violation| {
            let argument = violation.place.argument();
            argument.is_some_and(|(argument, _)| sets.iter().any(|(name, _)| *name == argument))
        };
        let violations = checked.as_ref().err();
        violations.into_iter().flat_map(Violations::iter).filter(is_of).map(Violation::to_string).collect()
    }
}

/// The facts that a model needs about a parameter.
#[derive(Debug)]
pub(super) struct ParameterFacts<'s> {
    keywords: &'s Map<String, Value>,
    /// Whether the value can be `null`.
    is_nullable: bool,
}

impl<'s> ParameterFacts<'s> {
    /// Reads the schema of a parameter. Returns `None` if the schema is not an object, for example if it is `true`.
    pub(super) fn of(schema: &'s Value) -> Option<Self> {
        let keywords = schema.as_object()?;
        let branches = keywords.get("anyOf").and_then(Value::as_array);
        // This is an optional value whose type cannot be listed in `type`.
        if let Some([branch, null]) = branches.map(|branches| &branches[..])
            && null.get("type").is_some_and(|name| name == "null")
            && let Some(inner) = branch.as_object()
        {
            return Some(Self { keywords: inner, is_nullable: true });
        }
        let is_nullable = types(keywords).any(|name| name == "null");
        Some(Self { keywords, is_nullable })
    }

    /// Returns the allowed values, if the schema lists them.
    pub(super) fn values(&self) -> Vec<&'s str> {
        example::names(self.keywords)
    }

    pub(super) fn minimum(&self) -> Option<&'s Value> {
        self.keywords.get("minimum").or_else(|| self.keywords.get("exclusiveMinimum"))
    }

    pub(super) fn maximum(&self) -> Option<&'s Value> {
        self.keywords.get("maximum").or_else(|| self.keywords.get("exclusiveMaximum"))
    }

    /// Returns a phrase such as `between 1 and 50`, if the number has bounds.
    pub(super) fn range(&self) -> Option<String> {
        let exclusive = |key: &str| self.keywords.contains_key(key);
        let low = if exclusive("exclusiveMinimum") { "greater than" } else { "at least" };
        let high = if exclusive("exclusiveMaximum") { "less than" } else { "at most" };
        Some(match (self.minimum(), self.maximum()) {
            (Some(min), Some(max)) if low == "at least" && high == "at most" => format!("between {min} and {max}"),
            (Some(min), Some(max)) => format!("{low} {min} and {high} {max}"),
            (Some(min), None) => format!("{low} {min}"),
            (None, Some(max)) => format!("{high} {max}"),
            (None, None) => return None,
        })
    }

    /// Returns whether a number is outside the bounds.
    pub(super) fn is_out_of_range(&self, value: &Value) -> bool {
        let Some(number) = value.as_f64() else { return false };
        let bound = |key: &str| self.keywords.get(key).and_then(Value::as_f64);
        bound("minimum").is_some_and(|min| number < min)
            || bound("maximum").is_some_and(|max| number > max)
            || bound("exclusiveMinimum").is_some_and(|min| number <= min)
            || bound("exclusiveMaximum").is_some_and(|max| number >= max)
    }

    /// Returns whether the value has a type that the schema does not allow.
    pub(super) fn is_of_other_type(&self, value: &Value) -> bool {
        let mut types = types(self.keywords).peekable();
        if types.peek().is_none() || (self.is_nullable && value.is_null()) {
            return false;
        }
        !types.any(|name| match name {
            "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|float| float.fract() == 0.0),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => value.is_null(),
        })
    }

    /// Returns the name of the type: `integer`, `array of string`, `string or null`.
    pub(super) fn type_name(&self) -> String {
        let names: Vec<_> = types(self.keywords).filter(|name| *name != "null").collect();
        let name = match names[..] {
            [] if !self.values().is_empty() => "string".to_owned(),
            [] => "any value".to_owned(),
            ["array"] => match self.keywords.get("items").and_then(Self::of) {
                Some(items) => format!("array of {}", items.type_name()),
                None => "array".to_owned(),
            },
            _ => names.join(" or "),
        };
        if self.is_nullable && name != "any value" { format!("{name} or null") } else { name }
    }

    /// Returns the name of the type with its article: `an integer`, `an array of string`.
    pub(super) fn noun(&self) -> String {
        let name = self.type_name();
        match &name {
            any if any == "any value" => name,
            vowel if vowel.starts_with(['a', 'i', 'o']) => format!("an {name}"),
            _ => format!("a {name}"),
        }
    }

    /// Returns the description of the parameter, as `describe` shows it. `depth` is the number of fields that contain it.
    pub(super) fn describe(&self, name: &str, is_required: bool, hint: Option<&str>, depth: usize) -> Value {
        let keyword = |key: &str| self.keywords.get(key).cloned();
        let values = self.values();
        object_of_some([
            ("name", Some(name.into())),
            ("type", Some(self.type_name().into())),
            ("required", Some(is_required.into())),
            ("default", keyword("default").filter(|default| !default.is_null())),
            ("values", (!values.is_empty()).then(|| json!(values))),
            ("range", self.range().map(Value::String)),
            ("format", keyword("format")),
            ("length", self.length().map(Value::String)),
            ("description", keyword("description")),
            ("hint", hint.map(Value::from)),
            ("fields", self.fields(depth)),
        ])
    }

    fn length(&self) -> Option<String> {
        let bound = |keys: [&str; 2]| keys.iter().find_map(|key| self.keywords.get(*key));
        match (bound(["minLength", "minItems"]), bound(["maxLength", "maxItems"])) {
            (Some(min), Some(max)) => Some(format!("between {min} and {max}")),
            (Some(min), None) => Some(format!("at least {min}")),
            (None, Some(max)) => Some(format!("at most {max}")),
            (None, None) => None,
        }
    }

    /// Describes the fields of an object, or of the objects in an array.
    fn fields(&self, depth: usize) -> Option<Value> {
        let keywords = match self.keywords.get("items") {
            Some(items) => items.as_object()?,
            None => self.keywords,
        };
        let properties = keywords.get("properties")?.as_object()?;
        if depth == DEEPEST || properties.is_empty() {
            return None;
        }
        let required = keywords.get("required").and_then(Value::as_array);
        let fields = properties.iter().filter_map(|(name, schema)| {
            let is_required = required.is_some_and(|required| required.iter().any(|one| one == name));
            Some(ParameterFacts::of(schema)?.describe(name, is_required, None, depth + 1))
        });
        Some(fields.collect())
    }
}

/// Returns the types that the schema names.
fn types(keywords: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let types = keywords.get("type").map(|types| types.as_array().map_or(std::slice::from_ref(types), |all| all));
    types.into_iter().flatten().filter_map(Value::as_str)
}
