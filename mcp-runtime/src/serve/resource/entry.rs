//! A resource that a template lists.

use serde_json::{Map, Value};

use crate::wire::protocol::{content::Annotations, icon::Icon};

/// A resource that a template lists: a URI and a name.
///
/// ```
/// use mcp_runtime::resource::ResourceEntry;
///
/// let entry = ResourceEntry::new("docs://pages/start", "start").title("Getting started").size(2_048);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ResourceEntry {
    pub(super) uri: String,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) mime_type: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) annotations: Option<Annotations>,
    pub(super) icons: Vec<Icon>,
    pub(super) meta: Option<Map<String, Value>>,
}

impl ResourceEntry {
    /// Creates an entry. [`ListRequest::uri`](crate::resource::ListRequest::uri) returns a URI of the template for given
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
