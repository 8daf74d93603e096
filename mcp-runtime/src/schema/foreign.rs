//! Delegates to the crate `jsonschema`: `pattern`, less common values of `format`, and keywords that depend on other
//! schemas. Without the feature these are an error that says which feature to enable.

#[cfg(feature = "jsonschema")]
pub(super) use with_crate::Foreign;
#[cfg(not(feature = "jsonschema"))]
pub(super) use without_crate::Foreign;

#[cfg(feature = "jsonschema")]
mod with_crate {
    use jsonschema::{Draft, Validator};
    use serde_json::{Value, json};

    /// A keyword or a schema that the crate checks.
    #[derive(Debug)]
    pub(crate) struct Foreign {
        validator: Validator,
        /// The allowed value, described for a model: `a string matching …`.
        noun: Box<str>,
    }

    impl Foreign {
        pub(crate) fn keyword(keyword: &str, value: &Value) -> Result<Self, String> {
            let value_text = value.as_str().unwrap_or_default();
            let noun = match keyword {
                "pattern" => format!("a string matching `{value_text}`"),
                _ => format!("a string of the format `{value_text}`"),
            };
            Self::compile(&json!({ keyword: value }), noun.into())
        }

        pub(crate) fn schema(schema: &Value) -> Result<Self, String> {
            Self::compile(schema, "a value that fits the schema".into())
        }

        fn compile(schema: &Value, noun: Box<str>) -> Result<Self, String> {
            let validator = jsonschema::options()
                .with_draft(Draft::Draft202012)
                .should_validate_formats(true)
                .build(schema)
                .map_err(|error| error.to_string())?;
            Ok(Self { validator, noun })
        }

        pub(crate) fn accepts(&self, string: &str) -> bool {
            self.validator.is_valid(&Value::from(string))
        }

        pub(crate) fn noun(&self) -> &str {
            &self.noun
        }

        /// Returns the errors of a value: their places and messages.
        pub(crate) fn errors(&self, arguments: &str) -> Vec<(String, String)> {
            let Ok(value) = serde_json::from_str(arguments) else { return Vec::new() };
            let errors = self.validator.iter_errors(&value);
            errors.map(|error| (error.instance_path().to_string(), error.masked().to_string())).collect()
        }
    }
}

#[cfg(not(feature = "jsonschema"))]
mod without_crate {
    use serde_json::Value;

    /// Never constructed without the feature.
    #[derive(Debug)]
    pub(crate) enum Foreign {}

    const ENABLE_IT: &str = "is enforced only with the feature `jsonschema` of `mcp-runtime`: \
                             enable it (`cargo add mcp-runtime --features jsonschema`)";

    impl Foreign {
        pub(crate) fn keyword(_keyword: &str, _value: &Value) -> Result<Self, String> {
            Err(ENABLE_IT.to_owned())
        }

        pub(crate) fn schema(_schema: &Value) -> Result<Self, String> {
            Err(ENABLE_IT.to_owned())
        }

        pub(crate) fn accepts(&self, _string: &str) -> bool {
            match *self {}
        }

        pub(crate) fn noun(&self) -> &str {
            match *self {}
        }

        pub(crate) fn errors(&self, _arguments: &str) -> Vec<(String, String)> {
            match *self {}
        }
    }
}
