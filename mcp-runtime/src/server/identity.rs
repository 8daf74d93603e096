//! The identity of a server.

use serde::Serialize;
use serde_json::{Value, json};

use crate::protocol::revision::Revision;

/// The identity of a server: MCP's `Implementation` object, and the instructions for the model.
#[derive(Clone, Debug, Serialize)]
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

/// An icon that a host shows for the server.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    src: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<Theme>,
}

/// The background an icon is designed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// Creates an icon with this `https:` or `data:` URI.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Sets the MIME type, such as `image/png`.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a size at which the icon can be shown: `48x48`, or `any` for a scalable icon.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }

    /// Sets the background the icon is designed for. Default: any.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = Some(theme);
        self
    }
}

impl Identity {
    /// Appends the guides of the tools to the instructions.
    #[cfg(feature = "actions")]
    pub(crate) fn with_guides<'t>(mut self, tools: impl Iterator<Item = &'t crate::tool::ToolDefinition>) -> Self {
        let guides = tools.filter_map(|tool| tool.guide.as_ref().map(|guide| format!("`{}` {guide}", tool.name)));
        let texts: Vec<_> = self.instructions.take().into_iter().chain(guides).collect();
        self.instructions = (!texts.is_empty()).then(|| texts.join("\n\n"));
        self
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
