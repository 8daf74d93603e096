//! The icons of a bundle. Hosts show PNG files that are in the bundle.

use std::{fs, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::wire::protocol::icon::Icon;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// An icon in a bundle.
#[derive(Debug)]
pub(super) struct BundledIcon {
    /// Where it is in the bundle.
    pub(super) inside: String,
    pub(super) bytes: Vec<u8>,
    /// Its width and height, such as `128x128`.
    pub(super) size: String,
    /// The background that it is designed for.
    pub(super) theme: Option<&'static str>,
}

impl BundledIcon {
    /// Reads the icon in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a PNG file.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let bytes = fs::read(path).map_err(|error| format!("the icon `{shown}` cannot be read: {error}"))?;
        let size = size_of_png(&bytes).ok_or_else(|| format!("the icon `{shown}` is not a PNG file"))?;
        Ok(Self { inside: "icon.png".to_owned(), bytes, size, theme: None })
    }

    /// Returns the icons of a server that are PNG images in `data:` URIs. A host does not load icons from elsewhere.
    pub(super) fn of_server(icons: &[Icon]) -> Vec<Self> {
        let of_data = icons.iter().filter_map(|icon| {
            let data = icon.src().strip_prefix("data:image/png;base64,")?;
            let bytes = BASE64_STANDARD.decode(data).ok()?;
            Some((size_of_png(&bytes)?, bytes, icon.background()))
        });
        let mut found = Vec::new();
        for (size, bytes, theme) in of_data {
            let number = if found.is_empty() { String::new() } else { format!("-{}", found.len() + 1) };
            found.push(Self { inside: format!("icon{number}.png"), bytes, size, theme });
        }
        found
    }
}

/// Returns the width and height of a PNG image, which are in its first chunk.
fn size_of_png(bytes: &[u8]) -> Option<String> {
    let chunk = bytes.strip_prefix(SIGNATURE)?.get(..16)?;
    let number = |at: usize| chunk.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    if &chunk[4..8] != b"IHDR" {
        return None;
    }
    Some(format!("{}x{}", number(8)?, number(12)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_size_of_an_image() {
        let image = [SIGNATURE, b"\0\0\0\x0dIHDR\0\0\x02\0\0\0\x01\0\x08\x06"].concat();
        assert_eq!(size_of_png(&image).as_deref(), Some("512x256"));
        for other in [&b"GIF89a"[..], SIGNATURE, b"\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT\0\0\x02\0\0\0\x01\0"] {
            assert_eq!(size_of_png(other), None);
        }
    }
}
