//! Icons.

use serde::{Deserialize, Serialize};

/// An icon that a host shows for a server, a tool, a prompt or a resource.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    src: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<Theme>,
}

/// The background an icon is designed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// Creates an icon with this `http:`, `https:` or `data:` URI.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Sets the MIME type, such as `image/png`.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a size at which the icon can be shown: `48x48`, or `any` for a scalable icon.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }

    /// Sets the background the icon is designed for. Default: any.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = Some(theme);
        self
    }

    #[cfg(any(feature = "cli", feature = "http"))]
    pub(crate) fn src(&self) -> &str {
        &self.src
    }

    #[cfg(feature = "cli")]
    pub(crate) fn kind(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    #[cfg(feature = "cli")]
    pub(crate) fn sizes(&self) -> &[String] {
        &self.sizes
    }

    /// Returns the background that the icon is designed for, as a word.
    #[cfg(feature = "cli")]
    pub(crate) fn background(&self) -> Option<&'static str> {
        self.theme.map(|theme| match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        })
    }
}

/// Creates an icon with this `http:`, `https:` or `data:` URI.
impl From<&str> for Icon {
    fn from(src: &str) -> Self {
        Self::new(src)
    }
}

/// Creates an icon with this `http:`, `https:` or `data:` URI.
impl From<String> for Icon {
    fn from(src: String) -> Self {
        Self::new(src)
    }
}
