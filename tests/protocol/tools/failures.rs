//! Tools that fail in every possible way.

use std::{fmt, time::Duration};

use mcp_runtime::{Result, prelude::*};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tokio::time::sleep;

/// Fails with an error that has a source.
#[mcp_tool]
pub(crate) async fn fail() -> Result<String> {
    Err(ToolError::from(Outer(std::io::Error::other("the disk is full"))))
}

#[derive(Debug)]
struct Outer(std::io::Error);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing was saved")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Fails with this text.
#[mcp_tool]
pub(crate) async fn refuse(text: String) -> Result<String> {
    Err(text.into())
}

/// Panics before it waits.
#[mcp_tool]
pub(crate) async fn panic_at_once() -> String {
    panic!("a secret")
}

/// Panics after it has waited.
#[mcp_tool]
pub(crate) async fn panic_later() -> String {
    sleep(Duration::from_millis(1)).await;
    panic!("a secret")
}

/// A type whose deserialization panics.
#[derive(JsonSchema)]
pub(crate) struct Mine(#[expect(dead_code, reason = "never made")] String);

impl<'de> Deserialize<'de> for Mine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        panic!("a secret: {}", String::deserialize(deserializer)?)
    }
}

/// Takes what cannot be read without a panic.
#[mcp_tool]
pub(crate) async fn unreadable(mine: Mine) {
    drop(mine);
}

#[derive(Debug)]
pub(crate) struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("a secret")
    }
}

impl std::error::Error for Unspeakable {}

/// Fails with an error whose text panics.
#[mcp_tool]
pub(crate) async fn unspeakable() -> Result<(), Unspeakable> {
    Err(Unspeakable)
}

pub(crate) struct Unserializable;

impl Serialize for Unserializable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("a secret"))
    }
}

impl JsonSchema for Unserializable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unserializable".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// Returns what cannot be written.
#[mcp_tool]
pub(crate) async fn unserializable() -> Json<Unserializable> {
    Json(Unserializable)
}
