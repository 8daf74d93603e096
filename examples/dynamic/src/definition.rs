//! What the file says about one tool.

use std::sync::Arc;

use mcp_runtime::{Tool, prelude::*, tool::DynamicTool};
use minijinja::{Environment, UndefinedBehavior};
use serde::Deserialize;
use serde_json::Value;

/// The name of the only template of a tool.
const TEMPLATE: &str = "template";

/// One tool of the file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Definition {
    pub(crate) name: String,
    description: String,
    input_schema: Value,
    /// The text that the tool returns, with the arguments filled in.
    template: String,
}

impl Definition {
    /// Creates the tool.
    ///
    /// # Errors
    /// The template is invalid.
    pub(crate) fn tool(&self) -> Result<impl Tool + use<>, minijinja::Error> {
        let mut templates = Environment::new();
        // The text is not HTML, and a variable that is written must have a value.
        templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        templates.add_template_owned(TEMPLATE, self.template.clone())?;
        let templates = Arc::new(templates);
        let fill_in = move |_: Ctx, arguments: Value| {
            let templates = Arc::clone(&templates);
            async move { templates.get_template(TEMPLATE)?.render(arguments) }
        };
        let Self { name, description, input_schema, .. } = self.clone();
        Ok(DynamicTool::from_schema(name, description, input_schema, fill_in))
    }
}
