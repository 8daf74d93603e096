//! stand-in
use serde_json::Value;
pub(crate) struct InputSchema(Value);
pub(crate) struct Violations;
impl std::fmt::Display for Violations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("?")
    }
}
impl InputSchema {
    pub(crate) fn new(schema: Value) -> Result<Self, Vec<String>> {
        Ok(Self(schema))
    }
    pub(crate) fn published(&self) -> &Value {
        &self.0
    }
    pub(crate) fn needs_check(&self) -> bool {
        false
    }
    pub(crate) fn check(&self, _arguments: &str) -> Result<(), Violations> {
        Ok(())
    }
}
pub(crate) fn output_schema(schema: Value) -> Result<Value, Vec<String>> {
    Ok(schema)
}
