//! A variant of an enum with `#[derive(SampleTools)]`: a tool that a model may call.

use serde_json::{Map, Value};

use crate::{protocol::sampling::SamplingTool, schema::parameter::Takes};

/// A tool that a model may call, and the variant of `E` that a call of it is.
pub struct SampleVariant<E> {
    pub(crate) name: &'static str,
    description: &'static str,
    takes: Takes,
    pub(crate) read: fn(Map<String, Value>) -> Result<E, String>,
}

impl<E> SampleVariant<E> {
    /// A variant as the derive knows it.
    pub const fn new(
        name: &'static str,
        description: &'static str,
        takes: Takes,
        read: fn(Map<String, Value>) -> Result<E, String>,
    ) -> Self {
        Self { name, description, takes, read }
    }

    /// The tool as the model is told of it.
    pub(crate) fn tool(&self) -> SamplingTool {
        let tool = SamplingTool::new(self.name, self.description).input_schema(self.takes.schema());
        self.takes.aliases().fold(tool, |tool, (alias, name)| tool.alias(alias, name))
    }
}
