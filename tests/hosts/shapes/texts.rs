//! Text, owned and shared, with and without limits.
#![expect(dead_code, reason = "only the schemas matter")]

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// The name of a branch.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Branch {
    name: String,
}

/// The name of a tag.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Tag(String);

/// Takes text.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn texts(
    /// Any text.
    _text: String,
    _letter: char,
    _boxed: Box<str>,
    _shared: Arc<str>,
    _borrowed: Cow<'static, str>,
    _path: PathBuf,
    _transparent: Branch,
    /// A newtype, described where it is used.
    _newtype: Tag,
) {
}

/// Takes text that may be left out.
#[mcp_tool(read_only)]
pub(crate) async fn optional_texts(
    /// Any text.
    _text: Option<String>,
    _letter: Option<char>,
    _shared: Option<Arc<str>>,
    _path: Option<PathBuf>,
    _transparent: Option<Branch>,
    /// A newtype, described where it is used.
    _newtype: Option<Tag>,
    _twice: Option<Option<String>>,
) {
}

/// Takes text within limits.
#[mcp_tool(read_only)]
pub(crate) async fn limited_texts(
    #[schemars(length(min = 1, max = 80))] _title: String,
    #[schemars(length(min = 1))] _optional: Option<String>,
    #[schemars(extend("const" = "v1"), example = &"v1")] _version: String,
) {
}
