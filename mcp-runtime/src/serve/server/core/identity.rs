//! The identity of a server.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    engine::tool::ToolDefinition,
    wire::protocol::{icon::Icon, revision::Revision},
};

/// The identity of a server: MCP's `Implementation` object, and the instructions for the model.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Identity {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) icons: Vec<Icon>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) website_url: Option<String>,
    #[serde(skip)]
    pub(crate) instructions: Option<String>,
}

impl Identity {
    /// Returns the name that users see.
    pub(crate) fn shown_name(&self) -> &str {
        self.title.as_ref().unwrap_or(&self.name)
    }

    /// Appends the guides of the tools to the instructions.
    pub(crate) fn add_guides<'t>(&mut self, tools: impl Iterator<Item = &'t ToolDefinition>) {
        let guides = tools.filter_map(|tool| tool.guide.as_ref().map(|guide| format!("`{}` {guide}", tool.name)));
        let texts: Vec<_> = self.instructions.take().into_iter().chain(guides).collect();
        self.instructions = (!texts.is_empty()).then(|| texts.join("\n\n"));
    }

    /// Returns the `Implementation` object as this revision defines it.
    pub(crate) fn to_json(&self, revision: Revision) -> Value {
        let mut identity = json!(self);
        if let Some(object) = identity.as_object_mut() {
            if !revision.has_structured_content() {
                object.shift_remove("title");
            }
            if !revision.has_icons() {
                object.shift_remove("icons");
                object.shift_remove("websiteUrl");
            }
        }
        identity
    }
}
