//! Enums as sets of tools for a model.

use serde_json::{Map, Value};

use crate::wire::{
    protocol::{sampling::SamplingTool, text::shortened},
    schema::parameter::Takes,
};

/// An enum whose variants are tools for a model. Implemented by [`#[derive(SampleTools)]`](derive@crate::SampleTools).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools for a model",
    label = "not an enum with `#[derive(SampleTools)]`",
    note = "put `#[derive(SampleTools)]` on the enum `{Self}`: each variant is a tool, described by its doc comment",
    note = "for tools that are known only at run time use `.tools_dyn(…)`"
)]
pub trait SampleTools: Sized + Send + 'static {
    /// The variants of the enum; `#[derive(SampleTools)]` generates them.
    #[doc(hidden)]
    const VARIANTS: &'static [SampleVariant<Self>];

    /// Returns the tools, one for each variant.
    #[doc(hidden)]
    fn tools() -> Vec<SamplingTool> {
        Self::VARIANTS.iter().map(SampleVariant::tool).collect()
    }

    /// Returns the variant for a call of the tool `name`. The input was checked against the tool's schema.
    ///
    /// # Errors
    /// Fails if the input still cannot be read, or the tool does not exist.
    #[doc(hidden)]
    fn read(name: &str, input: Map<String, Value>) -> Result<Self, String> {
        match Self::VARIANTS.iter().find(|variant| variant.name == name) {
            Some(variant) => (variant.read)(input),
            None => Err(no_such_tool(name, Self::VARIANTS.iter().map(|variant| variant.name))),
        }
    }
}

/// A tool for a model, and the function that reads a call of the tool as a variant of `E`.
pub struct SampleVariant<E> {
    pub(crate) name: &'static str,
    description: &'static str,
    takes: Takes,
    pub(crate) read: fn(Map<String, Value>) -> Result<E, String>,
}

impl<E> SampleVariant<E> {
    /// Creates a variant. Called by the code that `#[derive(SampleTools)]` generates.
    pub const fn new(
        name: &'static str,
        description: &'static str,
        takes: Takes,
        read: fn(Map<String, Value>) -> Result<E, String>,
    ) -> Self {
        Self { name, description, takes, read }
    }

    /// Returns the definition of the tool, for requests to models.
    pub(crate) fn tool(&self) -> SamplingTool {
        let tool = SamplingTool::new(self.name, self.description).input_schema(self.takes.schema());
        self.takes.aliases().fold(tool, |tool, (alias, name)| tool.alias(alias, name))
    }
}

/// Returns the error that names the unknown tool and the tools that exist.
pub(super) fn no_such_tool<'a>(name: &str, tools: impl Iterator<Item = &'a str>) -> String {
    let tools: Vec<_> = tools.map(|tool| format!("`{tool}`")).collect();
    let name = shortened(name);
    format!("there is no tool `{name}`; the tools are {}", tools.join(", "))
}
