//! Sets of tools that a model may call, as enums.

use serde_json::{Map, Value};

use super::variant::SampleVariant;
use crate::protocol::{sampling::SamplingTool, text::shortened};

/// An enum whose variants a model may call as tools. Made by
/// [`#[derive(SampleTools)]`](derive@crate::SampleTools).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no set of tools that a model could call",
    label = "not an enum with `#[derive(SampleTools)]`",
    note = "put `#[derive(SampleTools)]` on the enum `{Self}`: each variant is a tool, its doc comment what the model reads",
    note = "for tools that are known only at run time there is `.tools_dyn(…)`"
)]
pub trait SampleTools: Sized + Send + 'static {
    /// What the derive knows of each variant.
    #[doc(hidden)]
    const VARIANTS: &'static [SampleVariant<Self>];

    /// The tools, one for each variant.
    #[doc(hidden)]
    fn tools() -> Vec<SamplingTool> {
        Self::VARIANTS.iter().map(SampleVariant::tool).collect()
    }

    /// The variant that a call of the tool `name` is. The input has been held against the tool's schema.
    ///
    /// # Errors
    /// It cannot be read all the same, or there is no such tool.
    #[doc(hidden)]
    fn read(name: &str, input: Map<String, Value>) -> Result<Self, String> {
        match Self::VARIANTS.iter().find(|variant| variant.name == name) {
            Some(variant) => (variant.read)(input),
            None => Err(no_such_tool(name, Self::VARIANTS.iter().map(|variant| variant.name))),
        }
    }
}

/// There is none of this name, and what there is.
pub(super) fn no_such_tool<'a>(name: &str, tools: impl Iterator<Item = &'a str>) -> String {
    let tools: Vec<_> = tools.map(|tool| format!("`{tool}`")).collect();
    let name = shortened(name);
    format!("there is no tool `{name}`; the tools are {}", tools.join(", "))
}
