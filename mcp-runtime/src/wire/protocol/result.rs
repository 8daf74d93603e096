//! Writes a tool's result in the form of each revision.

use std::{
    borrow::Cow,
    fmt::Debug,
    slice,
    sync::{Arc, OnceLock},
};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, IgnoredAny},
};
use serde_json::{Map, Value, value::RawValue};

use super::{
    content::{Annotations, Block, Content},
    frame::push_json,
    revision::Revision,
    text::{SHORT, push_json_string},
};

/// The result of a call as the protocol defines it. Most tools return a simpler type: see
/// [`ToolOutput`](crate::ToolOutput).
#[derive(Clone, Debug, Default)]
pub struct CallToolResult {
    /// The blocks. If they are not set, the only block is the structured content as text.
    pub(crate) content: Option<Vec<Content>>,
    /// The structured content: JSON text.
    pub(crate) structured: Option<String>,
    /// The structured content as a block, created by [`content`](Self::content). The writer of the result needs no copy
    /// of the text.
    pub(crate) structured_block: OnceLock<Box<Content>>,
    pub(crate) is_error: bool,
    /// Boxed, because few results have it.
    pub(crate) meta: Option<Box<Map<String, Value>>>,
    /// The result of a method other than `tools/call`. If it is set, the remaining fields are empty.
    pub(crate) other: Option<Arc<dyn OtherResult>>,
}

/// The result of a method other than `tools/call`, such as `prompts/get`. Such a method runs as a call, too.
pub(crate) trait OtherResult: Debug + Send + Sync {
    /// Appends the result. `server_info` is the server's `Implementation` as JSON text.
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str);
}

impl CallToolResult {
    /// Creates a result with these blocks.
    pub fn new(content: impl IntoIterator<Item = Content>) -> Self {
        Self { content: Some(Vec::from_iter(content)), ..Self::default() }
    }

    /// Creates a result with one block, as most results have.
    pub(crate) fn block(block: Content) -> Self {
        Self { content: Some(vec![block]), ..Self::default() }
    }

    /// Creates a result that tells the model about an error.
    pub fn error(message: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::block(Content::text(message)) }
    }

    /// Creates a result with `value` as structured content, and with its JSON as text.
    ///
    /// # Errors
    /// Fails if the value cannot be serialized.
    pub fn json(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(Self { structured: Some(serde_json::to_string(value)?), ..Self::default() })
    }

    /// Adds a block.
    #[must_use]
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        let mut blocks = self.take_content();
        blocks.push(content.into());
        self.content = Some(blocks);
        self
    }

    /// Sets the text that the model reads, in place of all blocks. Without it, the model reads the JSON of the structured
    /// content, which a program or a view gets in any case.
    ///
    /// ```
    /// use mcp_runtime::{CallToolResult, Result};
    ///
    /// fn shown(free: &[String]) -> Result<CallToolResult> {
    ///     Ok(CallToolResult::json(&free)?.text(format!("{} seats are free", free.len())))
    /// }
    /// # assert_eq!(shown(&[]).unwrap().content()[0].as_text(), Some("0 seats are free"));
    /// ```
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.content = vec![Content::text(text)].into();
        self
    }

    /// Adds a member to `_meta`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// Creates the result of a method other than `tools/call`.
    pub(crate) fn other(result: impl OtherResult + 'static) -> Self {
        Self { other: Some(Arc::new(result)), ..Self::default() }
    }

    /// Returns about how many bytes [`push_call_result`] appends. Does not count long text, because the code that
    /// escapes long text reserves memory itself.
    pub(crate) fn estimated_length(&self, server_info: &str) -> usize {
        let texts: usize = self.texts().map(str::len).filter(|length| *length <= SHORT).map(|length| length + 32).sum();
        let structured = self.structured.as_ref().map_or(0, |text| text.len() + 24);
        // The fixed text, such as `resultType` and the name of the identity, has about 128 bytes.
        128 + texts + structured + server_info.len()
    }

    /// Returns the text of the first block.
    pub(crate) fn first_text(&self) -> &str {
        self.texts().next().unwrap_or_default()
    }

    /// Returns the text of each block. It is empty if the block has no text.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let only = self.structured.as_deref().filter(|_| self.content.is_none());
        self.content.iter().flatten().map(|block| block.as_text().unwrap_or_default()).chain(only)
    }

    /// Returns the blocks.
    pub fn content(&self) -> &[Content] {
        match (&self.content, &self.structured) {
            (Some(blocks), _) => blocks,
            (None, Some(text)) => {
                slice::from_ref(&**self.structured_block.get_or_init(|| Content::text(&**text).into()))
            }
            (None, None) => &[],
        }
    }

    /// Removes the blocks and returns them.
    pub(crate) fn take_content(&mut self) -> Vec<Content> {
        match self.content.take() {
            Some(blocks) => blocks,
            None => self.structured.iter().map(|text| Content::text(&**text)).collect(),
        }
    }

    /// Returns the result with the structured content as text, if it has no other text that a model can read.
    pub(crate) fn readable(mut self) -> Self {
        let says_nothing = |block: &Content| block.as_text().is_some_and(|text| text.trim().is_empty());
        if self.structured.is_some() && self.content.as_ref().is_some_and(|blocks| blocks.iter().all(says_nothing)) {
            self.content = None;
        }
        self
    }

    /// Returns whether the result tells the model that the call failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

/// Appends the result. `server_info` is the server's `Implementation` as JSON text. Since 2026-07-28, every result
/// contains it.
pub(crate) fn push_call_result(out: &mut Vec<u8>, result: &CallToolResult, revision: Revision, server_info: &str) {
    if let Some(other) = &result.other {
        return other.push(out, revision, server_info);
    }
    out.extend_from_slice(if revision.is_modern() { br#"{"resultType":"complete","# } else { b"{" });
    push_members(out, result, revision);
    push_meta(out, result.meta.as_deref(), revision, server_info);
    out.push(b'}');
}

/// Appends the result of a tool without what only the protocol needs: the type of the result, and the server's identity.
#[allow(dead_code, reason = "only an application reads results like this")]
pub(crate) fn push_plain_result(out: &mut Vec<u8>, result: &CallToolResult) {
    out.push(b'{');
    push_members(out, result, Revision::LATEST);
    if let Some(meta) = &result.meta {
        out.extend_from_slice(br#","_meta":"#);
        push_json(out, meta);
    }
    out.push(b'}');
}

/// Reads a result that [`push_plain_result`] has written, or the result of a tool of another server.
///
/// # Errors
/// Fails if the text is not a `CallToolResult`.
pub(crate) fn read_call_result(text: &str) -> serde_json::Result<CallToolResult> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", expecting = "the result of a tool")]
    struct ReadResult<'a> {
        #[serde(default)]
        content: Vec<ResultBlock>,
        #[serde(borrow)]
        structured_content: Option<&'a RawValue>,
        #[serde(default)]
        is_error: bool,
        #[serde(borrow, rename = "_meta")]
        meta: Option<&'a RawValue>,
    }
    let ReadResult { content, structured_content, is_error, meta } = serde_json::from_str(text)?;
    let meta = meta.map(|meta| read_meta(meta.get())).transpose()?.flatten();
    let structured = structured_content.map(|value| String::from(value.get()));
    let content = content.into_iter().map(|ResultBlock(block)| block).collect();
    Ok(CallToolResult { content: Some(content), structured, is_error, meta, ..CallToolResult::default() })
}

/// A block of a result.
struct ResultBlock(Content);

impl<'de> Deserialize<'de> for ResultBlock {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        /// The most common block. It is read in a fifth of the time of any block.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct PlainText {
            #[serde(rename = "type")]
            _kind: PlainKind,
            text: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum PlainKind {
            Text,
        }
        let block = <&RawValue>::deserialize(from)?.get();
        if let Ok(PlainText { text, .. }) = serde_json::from_str(block) {
            return Ok(Self(Content::text(text)));
        }
        serde_json::from_str(block).map(Self).map_err(D::Error::custom)
    }
}

/// Reads the `_meta` of a result, without the identity of its server. Returns `None` if nothing else is in it.
fn read_meta(text: &str) -> serde_json::Result<Option<Box<Map<String, Value>>>> {
    /// The usual `_meta`. It is read in a quarter of the time of any other.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct OnlyIdentity {
        #[serde(default, rename = "io.modelcontextprotocol/serverInfo")]
        _identity: IgnoredAny,
    }
    if serde_json::from_str::<OnlyIdentity>(text).is_ok() {
        return Ok(None);
    }
    let mut meta = serde_json::from_str(text)?;
    remove_identity(&mut meta);
    Ok(meta.map(Box::new))
}

/// Removes the identity of another server from the `_meta` of its result. This server writes its own.
pub(crate) fn remove_identity(meta: &mut Option<Map<String, Value>>) {
    meta.iter_mut().for_each(|meta| drop(meta.shift_remove("io.modelcontextprotocol/serverInfo")));
    meta.take_if(|meta| meta.is_empty());
}

/// Appends the members of a tool's result that belong to the tool, except `_meta`.
fn push_members(out: &mut Vec<u8>, result: &CallToolResult, revision: Revision) {
    out.extend_from_slice(br#""content":["#);
    for (index, block) in result.content.iter().flatten().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_content(out, block, revision);
    }
    if let (None, Some(text)) = (&result.content, &result.structured) {
        push_text(out, text);
    }
    out.push(b']');
    if let Some(structured) = structured(result, revision) {
        out.extend_from_slice(br#","structuredContent":"#);
        out.extend_from_slice(structured.as_bytes());
    }
    if result.is_error {
        out.extend_from_slice(br#","isError":true"#);
    }
}

/// Returns the structured content if this revision allows it. Errors with structured content come only from tools
/// without an output schema, because the specification does not say whether that content must match the schema.
fn structured(result: &CallToolResult, revision: Revision) -> Option<&str> {
    let text = result.structured.as_deref()?;
    let carried = revision.has_any_structured_content() || (revision.has_structured_content() && text.starts_with('{'));
    carried.then_some(text)
}

/// Appends the block in the form of this revision.
pub(crate) fn push_content(out: &mut Vec<u8>, content: &Content, revision: Revision) {
    match &*down_levelled(content, revision) {
        // The common case, without serde, which escapes byte by byte.
        Content { block: Block::Text { text }, annotations: None, received: None } => push_text(out, text),
        other => push_json(out, other),
    }
}

/// Appends a block of text.
fn push_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"type":"text","text":"#);
    push_json_string(out, text);
    out.push(b'}');
}

/// Returns the block in the form of this revision. If the revision does not have this kind of block, returns a line of
/// text instead.
fn down_levelled(content: &Content, revision: Revision) -> Cow<'_, Content> {
    let line = match &content.block {
        Block::Audio { mime_type, .. } if !revision.has_audio() => format!("[audio of type {mime_type}]"),
        Block::ResourceLink(link) if !revision.has_structured_content() => link.as_line(),
        _ if revision.has_structured_content() => return Cow::Borrowed(content),
        _ => {
            let is_new = |annotations: &Annotations| annotations.last_modified.is_some();
            if !content.annotations.as_deref().is_some_and(is_new) && content.received.is_none() {
                return Cow::Borrowed(content);
            }
            let mut content = content.clone();
            if let Some(annotations) = &mut content.annotations {
                annotations.last_modified = None;
            }
            // What this crate does not know of a block, such as `_meta`, is newer than the revision.
            content.received.take_if(|_| content.block != Block::Unknown);
            return Cow::Owned(content);
        }
    };
    let annotations = content.annotations.clone();
    Cow::Owned(Content { annotations, ..Content::text(line) })
}

/// Appends the result of a method other than `tools/call`. The function `members` writes its members, except those that
/// every result has: `resultType` and `_meta`.
pub(crate) fn push_other_result(
    out: &mut Vec<u8>,
    meta: Option<&Map<String, Value>>,
    revision: Revision,
    server_info: &str,
    members: impl FnOnce(&mut Vec<u8>),
) {
    out.extend_from_slice(if revision.is_modern() { br#"{"resultType":"complete","# } else { b"{" });
    members(out);
    push_meta(out, meta, revision, server_info);
    out.push(b'}');
}

/// Appends `_meta`, with the comma before it. Since 2026-07-28, `_meta` contains the server's identity.
pub(crate) fn push_meta(out: &mut Vec<u8>, meta: Option<&Map<String, Value>>, revision: Revision, server_info: &str) {
    if meta.is_none() && !revision.is_modern() {
        return;
    }
    out.extend_from_slice(br#","_meta":{"#);
    let mut comma: &[u8] = b"";
    for (key, value) in meta.into_iter().flatten() {
        out.extend_from_slice(std::mem::replace(&mut comma, b","));
        push_json_string(out, key);
        out.push(b':');
        push_json(out, value);
    }
    if revision.is_modern() {
        out.extend_from_slice(comma);
        out.extend_from_slice(br#""io.modelcontextprotocol/serverInfo":"#);
        out.extend_from_slice(server_info.as_bytes());
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_block_of_a_structured_result_is_its_json() {
        let json = Content::text(r#"{"word":"tea"}"#);
        let result = CallToolResult::json(&json!({ "word": "tea" })).unwrap();
        assert_eq!(result.clone().with("more").content(), [json.clone(), Content::text("more")]);
        assert_eq!(result.first_text(), r#"{"word":"tea"}"#);

        let written = |result| {
            let mut out = Vec::new();
            push_plain_result(&mut out, result);
            String::from_utf8(out).unwrap()
        };
        let unread = written(&result);
        assert_eq!(result.content(), [json]);
        assert_eq!(written(&result), unread);
        assert_eq!(
            unread,
            r#"{"content":[{"type":"text","text":"{\"word\":\"tea\"}"}],"structuredContent":{"word":"tea"}}"#
        );
    }
}
