//! Resources with each kind of content, and a template.

use mcp_runtime::prelude::*;
use serde::Serialize;

use crate::content::PIXEL;

/// The data of one item.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    id: String,
    template_test: bool,
    data: String,
}

/// A line of text.
// The suite reads the first resource of the list.
#[mcp_resource("test://static-text", mime_type = "text/plain", ttl = "1h", cache_scope = "public")]
pub(crate) async fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A picture of one red pixel.
#[mcp_resource("test://static-binary", mime_type = "image/png")]
pub(crate) async fn static_binary() -> &'static [u8] {
    PIXEL
}

/// The data of an item.
#[mcp_resource("test://template/{id}/data", mime_type = "application/json")]
pub(crate) async fn template_data(id: String) -> Json<Item> {
    let data = format!("Data for ID: {id}");
    Json(Item { id, template_test: true, data })
}

/// A resource that clients can watch.
#[mcp_resource("test://watched-resource", mime_type = "text/plain")]
pub(crate) async fn watched_resource() -> &'static str {
    "The content of the watched resource."
}
