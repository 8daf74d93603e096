//! Tools whose results contain each kind of content.

use mcp_runtime::{Result, content::EmbeddedResource, prelude::*};

/// Returns a line of text.
// The suite calls the first tool of the list without arguments, and the call must succeed.
#[mcp_tool(read_only)]
pub(crate) async fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns a picture of one red pixel.
#[mcp_tool(read_only)]
pub(crate) async fn test_image_content() -> Content {
    pixel()
}

/// Returns a sound too short to be heard.
#[mcp_tool(read_only)]
pub(crate) async fn test_audio_content() -> Content {
    Content::audio(SILENCE, "audio/wav")
}

/// Returns a resource that stands in the result itself.
#[mcp_tool(read_only)]
pub(crate) async fn test_embedded_resource() -> EmbeddedResource {
    EmbeddedResource::text("test://embedded-resource", "This is an embedded resource content.").mime_type("text/plain")
}

/// Returns blocks of several kinds.
#[mcp_tool(read_only)]
pub(crate) async fn test_multiple_content_types() -> [Content; 3] {
    let resource = EmbeddedResource::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
    [Content::text("Multiple content types test:"), pixel(), resource.mime_type("application/json").into()]
}

/// Fails with an error of the tool, which the model sees.
#[mcp_tool(read_only)]
pub(crate) async fn test_error_handling() -> Result<String> {
    Err("This tool intentionally returns an error for testing".into())
}

pub(crate) fn pixel() -> Content {
    Content::image(PIXEL, "image/png")
}

/// A PNG of one pixel.
pub(crate) const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\
    \0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xde\
    \0\0\0\x0cIDAT\x78\xda\x63\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03\x41\x43\
    \0\0\0\0IEND\xae\x42\x60\x82";

/// A WAV of two samples: one channel, 8000 Hz, 8 bits.
const SILENCE: &[u8] = b"RIFF\x26\0\0\0WAVE\
    fmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0\
    data\x02\0\0\0\x80\x80";
