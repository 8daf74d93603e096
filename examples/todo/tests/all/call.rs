//! Calls methods by their names.

use mcp_runtime::contract::{Contract, Invoker as _};
use serde_json::Value;

pub(crate) struct Caller(pub(crate) Contract);

impl Caller {
    async fn call(&self, name: &str, input: &Value) -> Result<Value, String> {
        let (resource, method) = name.split_once('.').unwrap();
        let mut call = self.0.input(resource, method).unwrap();
        call.set_json(input.to_string());
        let output = self.0.call(call).await.map_err(|error| error.to_string())?;
        Ok(serde_json::from_str(&output).unwrap())
    }

    /// Calls a method that succeeds, and returns its output.
    pub(crate) async fn ok(&self, name: &str, input: Value) -> Value {
        self.call(name, &input).await.unwrap()
    }

    /// Calls a method that fails, and returns the text of its error.
    pub(crate) async fn error(&self, name: &str, input: Value) -> String {
        self.call(name, &input).await.unwrap_err()
    }
}
