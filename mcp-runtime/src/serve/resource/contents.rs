//! The result of `resources/read`.

use std::{borrow::Cow, time::Duration};

use base64::{Engine as _, encoded_len, prelude::BASE64_STANDARD};
use serde_json::{Map, Value};

use super::cache_hints::{CacheHints, CacheScope};
use crate::wire::protocol::{
    frame::push_json,
    result::{OtherResult, push_other_result},
    revision::Revision,
    text::push_json_string,
};

/// One part of a resource: text or bytes.
///
/// ```
/// use mcp_runtime::resource::ResourceContents;
///
/// let parts = [
///     ResourceContents::text("# Start"),
///     ResourceContents::blob(b"\x89PNG").uri("docs://logo").mime_type("image/png"),
/// ];
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct ResourceContents {
    uri: Option<String>,
    mime_type: Option<Cow<'static, str>>,
    body: ContentsBody,
    meta: Option<Map<String, Value>>,
}

#[derive(Clone, Debug, PartialEq)]
enum ContentsBody {
    Text(Cow<'static, str>),
    /// The text of a JSON value. If the resource has no MIME type, the part has the type `application/json`.
    Json(Cow<'static, str>),
    Blob(Cow<'static, [u8]>),
    /// Bytes as another server has sent them.
    #[cfg(feature = "remote")]
    Base64(String),
}

/// One part of a resource of another server.
#[cfg(feature = "remote")]
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadPart {
    uri: Option<String>,
    mime_type: Option<String>,
    text: Option<String>,
    blob: Option<String>,
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Value>>,
}

impl ResourceContents {
    /// Creates a part that consists of text.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Self { uri: None, mime_type: None, body: ContentsBody::Text(text.into()), meta: None }
    }

    /// Creates a part that consists of bytes. The bytes are sent as base64.
    pub fn blob(bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { uri: None, mime_type: None, body: ContentsBody::Blob(bytes.into()), meta: None }
    }

    /// Creates a part with the text of a JSON value.
    pub(super) fn json(text: String) -> Self {
        Self { uri: None, mime_type: None, body: ContentsBody::Json(text.into()), meta: None }
    }

    #[cfg(feature = "remote")]
    fn of_part(ReadPart { uri, mime_type, text, blob, meta }: ReadPart) -> Self {
        let body = match (text, blob) {
            (None, Some(blob)) => ContentsBody::Base64(blob),
            (text, _) => ContentsBody::Text(text.unwrap_or_default().into()),
        };
        Self { uri, mime_type: mime_type.map(Cow::Owned), body, meta }
    }

    /// Sets the URI of this part. Default: the URI that the client reads.
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// Sets the MIME type of this part. Default: the MIME type of the resource.
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a member to the `_meta` of this part (since 2025-06-18).
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_with(Map::new).insert(key.into(), value.into());
        self
    }

    fn push(&self, out: &mut Vec<u8>, read: &ReadResource, revision: Revision) {
        out.extend_from_slice(br#"{"uri":"#);
        push_json_string(out, self.uri.as_ref().unwrap_or(&read.uri));
        let mime_type = self.mime_type.as_deref().or(read.mime_type.as_deref());
        let of_json = matches!(self.body, ContentsBody::Json(_)).then_some("application/json");
        if let Some(mime_type) = mime_type.or(of_json) {
            out.extend_from_slice(br#","mimeType":"#);
            push_json_string(out, mime_type);
        }
        match &self.body {
            ContentsBody::Text(text) | ContentsBody::Json(text) => {
                out.extend_from_slice(br#","text":"#);
                push_json_string(out, text);
            }
            ContentsBody::Blob(bytes) => {
                out.extend_from_slice(br#","blob":""#);
                push_base64(out, bytes);
                out.push(b'"');
            }
            #[cfg(feature = "remote")]
            ContentsBody::Base64(text) => {
                out.extend_from_slice(br#","blob":"#);
                push_json_string(out, text);
            }
        }
        if let Some(meta) = self.meta.as_ref().filter(|_| revision.has_structured_content()) {
            out.extend_from_slice(br#","_meta":"#);
            push_json(out, meta);
        }
        out.push(b'}');
    }
}

/// The result of `resources/read` as the protocol defines it. Most resources return a simpler type: see
/// [`ResourceOutput`](crate::resource::ResourceOutput).
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ReadResourceResult {
    contents: Vec<ResourceContents>,
    ttl: Option<Duration>,
    scope: Option<CacheScope>,
    meta: Option<Map<String, Value>>,
}

impl ReadResourceResult {
    /// Creates a result with these parts.
    pub fn new(contents: impl IntoIterator<Item = ResourceContents>) -> Self {
        Self { contents: contents.into_iter().collect(), ..Self::default() }
    }

    /// Reads the result of another server.
    ///
    /// # Errors
    /// Fails if the text is not a `ReadResourceResult`.
    #[cfg(feature = "remote")]
    pub(crate) fn read(text: &str) -> serde_json::Result<Self> {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct ReadResult {
            contents: Vec<ReadPart>,
            ttl_ms: Option<u64>,
            cache_scope: Option<String>,
            #[serde(rename = "_meta")]
            meta: Option<Map<String, Value>>,
        }
        let ReadResult { contents, ttl_ms, cache_scope, mut meta } = serde_json::from_str(text)?;
        crate::wire::protocol::result::remove_identity(&mut meta);
        let scope = cache_scope.map(|scope| if scope == "public" { CacheScope::Public } else { CacheScope::Private });
        let contents = contents.into_iter().map(ResourceContents::of_part).collect();
        Ok(Self { contents, ttl: ttl_ms.map(Duration::from_millis), scope, meta })
    }

    /// Sets how long a client can cache this result (since 2026-07-28). Default: the time that the resource declares.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Sets which callers can get this result from a cache (since 2026-07-28). Default: the scope that the resource
    /// declares.
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Adds a member to `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_with(Map::new).insert(key.into(), value.into());
        self
    }
}

/// The result of one `resources/read`, with what the resource declares for all of its results.
#[derive(Debug)]
pub(super) struct ReadResource {
    pub(super) uri: String,
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) cache: CacheHints,
    pub(super) result: ReadResourceResult,
}

impl OtherResult for ReadResource {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        push_other_result(out, self.result.meta.as_ref(), revision, server_info, |out| {
            if revision.is_modern() {
                let ReadResourceResult { ttl, scope, .. } = self.result;
                CacheHints { ttl: ttl.unwrap_or(self.cache.ttl), scope: scope.unwrap_or(self.cache.scope) }.push(out);
            }
            out.extend_from_slice(br#""contents":["#);
            for (index, contents) in self.result.contents.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                contents.push(out, self, revision);
            }
            out.push(b']');
        });
    }
}

fn push_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    let length = encoded_len(bytes.len(), true).expect("the bytes fit into memory");
    out.resize(start + length, 0);
    BASE64_STANDARD.encode_slice(bytes, &mut out[start..]).expect("the slice has the length of the encoded bytes");
}
