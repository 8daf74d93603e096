//! Uses the crate `jsonschema` to check `pattern`, less common values of `format`, and keywords that depend on other
//! schemas. Without the feature `jsonschema`, a schema with one of these keywords is rejected. The error names the
//! feature.

use serde_json::{Value, json};

use self::validator::{Validator, compile, errors};

/// A keyword or a schema that the crate `jsonschema` checks.
#[derive(Debug)]
pub(crate) struct Foreign {
    validator: Validator,
    /// A description of the allowed value for a model, such as `a string matching …`.
    noun: Box<str>,
}

impl Foreign {
    pub(super) fn keyword(keyword: &str, value: &Value) -> Result<Self, String> {
        let validator = compile(&json!({ keyword: value }))?;
        let value = value.as_str().unwrap_or_default();
        let noun = match keyword {
            "pattern" => format!("a string matching `{value}`"),
            _ => format!("a string of the format `{value}`"),
        };
        Ok(Self { validator, noun: noun.into() })
    }

    pub(super) fn schema(schema: &Value) -> Result<Self, String> {
        Ok(Self { validator: compile(schema)?, noun: "a value that fits the schema".into() })
    }

    pub(super) fn accepts(&self, string: &str) -> bool {
        self.validator.is_valid(&Value::from(string))
    }

    pub(super) fn noun(&self) -> &str {
        &self.noun
    }

    /// Returns the place and the message of each error in the arguments.
    pub(super) fn errors(&self, arguments: &str) -> Vec<(String, String)> {
        serde_json::from_str(arguments).map(|value| errors(&self.validator, &value)).unwrap_or_default()
    }
}

#[cfg(feature = "jsonschema")]
mod validator {
    pub(super) use jsonschema::Validator;
    use jsonschema::{Draft, options};
    use serde_json::Value;

    pub(super) fn compile(schema: &Value) -> Result<Validator, String> {
        let options = options().with_draft(Draft::Draft202012).should_validate_formats(true);
        options.build(schema).map_err(|error| error.to_string())
    }

    pub(super) fn errors(validator: &Validator, value: &Value) -> Vec<(String, String)> {
        let errors = validator.iter_errors(value);
        errors.map(|error| (error.instance_path().to_string(), error.masked().to_string())).collect()
    }
}

/// The same without the crate `jsonschema`.
#[cfg(not(feature = "jsonschema"))]
mod validator {
    use serde_json::Value;

    /// Has no values.
    #[derive(Debug)]
    pub(crate) enum Validator {}

    pub(super) fn compile(_schema: &Value) -> Result<Validator, String> {
        Err("is enforced only with the feature `jsonschema` of `mcp-runtime`: enable it \
             (`cargo add mcp-runtime --features jsonschema`)"
            .to_owned())
    }

    pub(super) fn errors(validator: &Validator, _value: &Value) -> Vec<(String, String)> {
        match *validator {}
    }

    impl Validator {
        pub(super) fn is_valid(&self, _value: &Value) -> bool {
            match *self {}
        }
    }
}
