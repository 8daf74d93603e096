//! A variant of a `#[derive(SampleTools)]` enum: a tool for a model.

use serde_json::{Map, Value};

use crate::wire::{protocol::sampling::SamplingTool, schema::parameter::Takes};

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
