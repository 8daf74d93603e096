//! The objects of `resources/list` and `resources/templates/list`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use super::registered::ResourceTool;
use crate::{
    engine::tool::ToolDefinition,
    wire::protocol::{content::Annotations, icon::Icon, revision::Revision},
};

/// A resource that a template lists: a URI and a name.
///
/// ```
/// use mcp_runtime::ResourceEntry;
///
/// let entry = ResourceEntry::new("docs://pages/start", "start").title("Getting started").size(2_048);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ResourceEntry {
    uri: String,
    name: String,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<u64>,
    annotations: Option<Annotations>,
    icons: Vec<Icon>,
    meta: Option<Map<String, Value>>,
}

impl ResourceEntry {
    /// Creates an entry. [`ListRequest::uri`](crate::ListRequest::uri) returns a URI of the template for given
    /// variables.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
            icons: Vec::new(),
            meta: None,
        }
    }

    /// Sets the name shown to users (since 2025-06-18).
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the description.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the MIME type. Default: the MIME type of the template.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the contents in bytes.
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Sets the audience, the priority and the time of the last change.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Adds an icon (since 2025-11-25).
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icons.push(icon.into());
        self
    }

    /// Adds a member to `_meta` (since 2025-06-18).
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_with(Map::new).insert(key.into(), value.into());
        self
    }
}

/// The `Resource` or `ResourceTemplate` object that a list contains.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedResource<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_template: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Cow<'a, Annotations>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

impl<'a> ListedResource<'a> {
    /// Creates the object of a resource or template.
    pub(super) fn new(definition: &'a ToolDefinition, resource: &'a ResourceTool, revision: Revision) -> Self {
        let uri = Some(&*resource.uri);
        let is_template = resource.template.is_some();
        Self {
            uri: uri.filter(|_| !is_template),
            uri_template: uri.filter(|_| is_template),
            name: &definition.name,
            title: definition.title.as_deref(),
            description: Some(&*definition.description),
            mime_type: resource.defaults.mime_type.as_deref(),
            size: resource.size,
            annotations: resource.annotations.as_ref().map(Cow::Borrowed),
            icons: &definition.icons,
            meta: definition.meta.as_ref(),
        }
        .known_in(revision)
    }

    /// Creates the object of a resource that a template lists.
    pub(super) fn of_entry(entry: &'a ResourceEntry, template: &'a ResourceTool, revision: Revision) -> Self {
        Self {
            uri: Some(&entry.uri),
            uri_template: None,
            name: &entry.name,
            title: entry.title.as_deref(),
            description: entry.description.as_deref(),
            mime_type: entry.mime_type.as_deref().or(template.defaults.mime_type.as_deref()),
            size: entry.size,
            annotations: entry.annotations.as_ref().map(Cow::Borrowed),
            icons: &entry.icons,
            meta: entry.meta.as_ref(),
        }
        .known_in(revision)
    }

    /// Removes the members that this revision lacks.
    fn known_in(mut self, revision: Revision) -> Self {
        // `title`, `_meta` and `lastModified` came with structured content.
        if !revision.has_structured_content() {
            (self.title, self.meta) = (None, None);
            if let Some(Annotations { last_modified: Some(_), .. }) = self.annotations.as_deref()
                && let Some(annotations) = &mut self.annotations
            {
                annotations.to_mut().last_modified = None;
            }
        }
        if !revision.has_icons() {
            self.icons = &[];
        }
        self.annotations.take_if(|annotations| **annotations == Annotations::default());
        self
    }
}
