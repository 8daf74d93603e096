//! What a result is made of: text, images, audio and resources.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Serialize, Serializer};

/// One block of a tool's result, as the host shows it to the model or to the user.
///
/// ```
/// use mcp_runtime::Content;
///
/// let blocks = vec![Content::text("A chart of last week:"), Content::image(b"\x89PNG", "image/png")];
/// assert_eq!(blocks[0].as_text(), Some("A chart of last week:"));
/// ```
///
/// Revisions before 2025-06-18 know no resource links and 2024-11-05 knows no audio: there the block is
/// replaced by a line of text that says what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub(crate) block: Block,
    pub(crate) annotations: Option<Box<Annotations>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Block {
    Text { text: String },
    Image { data: String, mime_type: String },
    Audio { data: String, mime_type: String },
    ResourceLink(Box<ResourceLink>),
    Resource { resource: Box<EmbeddedResource> },
}

impl Content {
    /// Text for the model.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text { text: text.into() }.into()
    }

    /// A picture: its bytes (encoded as base64 here) and its MIME type, such as `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Block::Image { data: BASE64_STANDARD.encode(bytes), mime_type: mime_type.into() }.into()
    }

    /// A sound: its bytes (encoded as base64 here) and its MIME type, such as `audio/wav`.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Block::Audio { data: BASE64_STANDARD.encode(bytes), mime_type: mime_type.into() }.into()
    }

    /// The text of this block, if it is a text block.
    pub fn as_text(&self) -> Option<&str> {
        match &self.block {
            Block::Text { text } => Some(text),
            _ => None,
        }
    }

    /// Says for whom this block is, and how much it matters.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(Box::new(annotations));
        self
    }
}

impl From<Block> for Content {
    fn from(block: Block) -> Self {
        Self { block, annotations: None }
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Block::ResourceLink(Box::new(link)).into()
    }
}

impl From<EmbeddedResource> for Content {
    fn from(resource: EmbeddedResource) -> Self {
        Block::Resource { resource: Box::new(resource) }.into()
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// A pointer to something the client can read later: a URI and what it is called.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    pub(crate) uri: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
}

impl ResourceLink {
    /// A link to `uri`, called `name`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), title: None, description: None, mime_type: None, size: None }
    }

    /// What a person reads instead of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What is behind the link, in a sentence for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The MIME type of what is behind the link.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The size of what is behind the link, in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    pub(crate) fn as_line(&self) -> String {
        format!("{}: {}", self.title.as_ref().unwrap_or(&self.name), self.uri)
    }
}

/// A resource sent along with the result: a URI and its text or bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddedResource {
    pub(crate) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(flatten)]
    pub(crate) body: ResourceBody,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResourceBody {
    Text(String),
    Blob(String),
}

impl EmbeddedResource {
    /// A resource of text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Text(text.into()) }
    }

    /// A resource of bytes (encoded as base64 here).
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Blob(BASE64_STANDARD.encode(bytes)) }
    }

    /// The MIME type of the resource.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }
}

/// For whom a block is, and how much it matters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    audience: Vec<Audience>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_modified: Option<String>,
}

/// A reader of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// The person in front of the host.
    User,
    /// The model.
    Assistant,
}

impl Annotations {
    /// No annotation yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reader. None added means: for both.
    #[must_use]
    pub fn audience(mut self, audience: Audience) -> Self {
        if !self.audience.contains(&audience) {
            self.audience.push(audience);
        }
        self
    }

    /// How much the block matters, from 0 (not at all) to 1 (required). Values outside are brought inside.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(if priority.is_nan() { 0.0 } else { priority.clamp(0.0, 1.0) });
        self
    }

    /// When it was last changed, as an ISO 8601 string such as `2026-07-28T12:00:00Z` (since 2025-06-18).
    #[must_use]
    pub fn last_modified(mut self, timestamp: impl Into<String>) -> Self {
        self.last_modified = Some(timestamp.into());
        self
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Borrowed, so that the tag and the annotations stand beside the fields of the block.
        #[derive(Serialize)]
        struct Tagged<'a> {
            #[serde(flatten)]
            block: &'a Block,
            #[serde(skip_serializing_if = "Option::is_none")]
            annotations: &'a Option<Box<Annotations>>,
        }
        Tagged { block: &self.block, annotations: &self.annotations }.serialize(serializer)
    }
}
