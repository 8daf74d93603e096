//! The content of a result: text, images, audio and resources.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

/// One block of a tool's result, which the host shows to the model or to the user.
///
/// ```
/// use mcp_runtime::Content;
///
/// let blocks = vec![Content::text("A chart of last week:"), Content::image(b"\x89PNG", "image/png")];
/// assert_eq!(blocks[0].as_text(), Some("A chart of last week:"));
/// ```
///
/// Revisions before 2025-06-18 have no resource links, and 2024-11-05 has no audio. In such a revision, the
/// server sends a line of text that describes the block.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub(crate) block: Block,
    pub(crate) annotations: Option<Box<Annotations>>,
    /// The whole block as another server has sent it, if it has more than this crate knows.
    pub(crate) received: Option<Box<Map<String, Value>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Block {
    Text {
        text: String,
    },
    Image {
        data: String,
        mime_type: String,
    },
    Audio {
        data: String,
        mime_type: String,
    },
    ResourceLink(Box<ResourceLink>),
    Resource {
        resource: Box<EmbeddedResource>,
    },
    /// A block of another server, of a kind that this crate does not know. It is in [`Content::received`].
    #[serde(skip)]
    Unknown,
}

/// A block without what this crate does not know.
#[derive(Serialize)]
struct WrittenContent<'a> {
    #[serde(flatten)]
    block: &'a Block,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a Annotations>,
}

#[derive(Deserialize)]
struct ReadBlock {
    #[serde(flatten)]
    block: Block,
    annotations: Option<Box<Annotations>>,
}

/// The kinds of [`Block`].
const KINDS: [&str; 5] = ["text", "image", "audio", "resource_link", "resource"];

impl Content {
    /// Creates a text block.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text { text: text.into() }.into()
    }

    /// Creates an image from its bytes and its MIME type, such as `image/png`. The bytes are encoded as base64.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Block::Image { data: BASE64_STANDARD.encode(bytes), mime_type: mime_type.into() }.into()
    }

    /// Creates a sound from its bytes and its MIME type, such as `audio/wav`. The bytes are encoded as base64.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Block::Audio { data: BASE64_STANDARD.encode(bytes), mime_type: mime_type.into() }.into()
    }

    /// Returns the text of this block, if it is a text block.
    pub fn as_text(&self) -> Option<&str> {
        match &self.block {
            Block::Text { text } => Some(text),
            _ => None,
        }
    }

    /// Sets the audience and the priority of this block.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        if let Some(received) = &mut self.received {
            received.insert("annotations".into(), serde_json::to_value(&annotations).unwrap_or_default());
        }
        self.annotations = Some(Box::new(annotations));
        self
    }
}

impl From<Block> for Content {
    fn from(block: Block) -> Self {
        Self { block, annotations: None, received: None }
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.received {
            Some(received) => received.serialize(serializer),
            None => {
                WrittenContent { block: &self.block, annotations: self.annotations.as_deref() }.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    /// Keeps what this crate does not know, so that a block of another server can be passed on.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let received = Map::deserialize(deserializer)?;
        let kind = received.get("type").and_then(Value::as_str);
        let kind = kind.ok_or_else(|| D::Error::custom("a block of content has no `type`"))?;
        if !KINDS.contains(&kind) {
            return Ok(Self { block: Block::Unknown, annotations: None, received: Some(received.into()) });
        }
        let ReadBlock { block, annotations } = ReadBlock::deserialize(&received).map_err(D::Error::custom)?;
        let content = Self { block, annotations, received: None };
        let is_whole = serde_json::to_value(&content).is_ok_and(|written| written.as_object() == Some(&received));
        Ok(Self { received: (!is_whole).then(|| received.into()), ..content })
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

/// A link to a resource that the client can read later: a URI and a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    pub(crate) uri: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
}

impl ResourceLink {
    /// Creates a link to `uri` with the name `name`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), title: None, description: None, mime_type: None, size: None }
    }

    /// Sets the name shown to users.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets a description of the resource for the model. It should be about one sentence long.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the MIME type of the resource.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the resource in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    pub(crate) fn as_line(&self) -> String {
        format!("{}: {}", self.title.as_ref().unwrap_or(&self.name), self.uri)
    }
}

/// A resource included in the result: a URI and its text or bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddedResource {
    pub(crate) uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(flatten)]
    pub(crate) body: ResourceBody,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResourceBody {
    Text(String),
    Blob(String),
}

impl EmbeddedResource {
    /// Creates a text resource.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Text(text.into()) }
    }

    /// Creates a binary resource; its bytes are encoded as base64.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self { uri: uri.into(), mime_type: None, body: ResourceBody::Blob(BASE64_STANDARD.encode(bytes)) }
    }

    /// Sets the MIME type of the resource.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }
}

/// The audience and the priority of a block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    audience: Vec<Audience>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_modified: Option<String>,
}

/// The reader of a block: the user or the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// The user of the host.
    User,
    /// The model.
    Assistant,
}

impl Annotations {
    /// Creates annotations without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the user or the model to the audience. A block without an audience is for both.
    #[must_use]
    pub fn audience(mut self, audience: Audience) -> Self {
        if !self.audience.contains(&audience) {
            self.audience.push(audience);
        }
        self
    }

    /// Sets the priority of the block, from 0 (optional) to 1 (required). Values outside this range are clamped.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(fraction(priority));
        self
    }

    /// Sets the time of the last change, an ISO 8601 string such as `2026-07-28T12:00:00Z` (since 2025-06-18).
    #[must_use]
    pub fn last_modified(mut self, timestamp: impl Into<String>) -> Self {
        self.last_modified = Some(timestamp.into());
        self
    }
}

/// Returns a number from 0 to 1. Values outside this range are clamped.
pub(super) fn fraction(number: f64) -> f64 {
    if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keeps_what_this_crate_does_not_know_of_a_block() {
        for (block, text) in [
            (json!({ "type": "text", "text": "a" }), Some("a")),
            (json!({ "type": "text", "text": "a", "_meta": { "k": 1 } }), Some("a")),
            (json!({ "type": "text", "text": "a", "annotations": { "priority": 0.5, "more": true } }), Some("a")),
            (json!({ "type": "resource_link", "uri": "a:b", "name": "n", "icons": [{ "src": "data:," }] }), None),
            (json!({ "type": "resource", "resource": { "uri": "a:b", "text": "t", "_meta": {} } }), None),
            (json!({ "type": "hologram", "beams": [1, 2] }), None),
        ] {
            let content: Content = serde_json::from_value(block.clone()).unwrap();
            assert_eq!(content.as_text(), text);
            assert_eq!(serde_json::to_value(&content).unwrap(), block);
        }
    }

    #[test]
    fn a_block_of_this_crate_is_not_kept_twice() {
        let content: Content = serde_json::from_value(json!({ "type": "text", "text": "a" })).unwrap();
        assert_eq!(content, Content::text("a"));
    }

    #[test]
    fn rejects_a_known_block_without_its_members() {
        for block in [json!({ "type": "text" }), json!({ "text": "a" }), json!({ "type": 1 }), json!("a")] {
            serde_json::from_value::<Content>(block.clone()).expect_err(&block.to_string());
        }
    }
}
