//! The data of views, the extension MCP Apps (2026-01-26): a page that a host shows beside the results of a tool.

use serde_json::{Map, Value};

use super::json::{object, set};

/// The name of the extension in `capabilities.extensions`.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The member of the extension's value with which a client or server declares forms that a view renders (SEP-3118).
pub(crate) const ELICITATION: &str = "elicitation";

/// The MIME type of a view. Hosts show a page with another type as text, or not at all.
pub(crate) const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The scheme of the URI of a view.
pub(crate) const SCHEME: &str = "ui://";

/// The schemes of the origins that a policy can name.
const ORIGIN_SCHEMES: [&str; 4] = ["http", "https", "ws", "wss"];

/// The member of `_meta` about views, in tools, resources and forms.
pub(crate) const UI: &str = "ui";

/// The member of `ui` with the URI of the view.
pub(crate) const RESOURCE_URI: &str = "resourceUri";

/// The older, flat name of the URI in the `_meta` of a tool. It is deprecated, and some hosts read only this one.
pub(crate) const FLAT_RESOURCE_URI: &str = "ui/resourceUri";

/// Who can call a tool. Hosts enforce it: a server cannot tell whether a model or a view has called. Check the rights of
/// the caller in the tool, as for any other call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolVisibility {
    /// Only models. Views cannot call the tool.
    Model,
    /// Only the views of the same server. Hosts do not show the tool to models.
    App,
}

/// A permission that a view asks its host for. A host can refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ViewPermission {
    /// The camera.
    Camera,
    /// The microphone.
    Microphone,
    /// The position of the device.
    Geolocation,
    /// Writing to the clipboard.
    ClipboardWrite,
}

/// The origins from which a view loads. A host blocks all others. Each is a scheme and a host, such as
/// `https://api.example`, or `https://*.example` for all subdomains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ViewCsp {
    pub(crate) connect: &'static [&'static str],
    pub(crate) resource: &'static [&'static str],
    pub(crate) frame: &'static [&'static str],
    pub(crate) base_uri: &'static [&'static str],
}

impl ToolVisibility {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::App => "app",
        }
    }

    /// Returns the value of `visibility`.
    pub(crate) fn to_json(self) -> Value {
        vec![Value::from(self.as_str())].into()
    }
}

impl ViewPermission {
    /// Returns the name of the permission in `permissions`.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Geolocation => "geolocation",
            Self::ClipboardWrite => "clipboardWrite",
        }
    }
}

impl ViewCsp {
    /// Returns the value of `csp`, or `None` if the view loads nothing.
    pub(crate) fn to_json(self) -> Option<Value> {
        let mut csp = Map::new();
        for (name, origins) in self.lists().into_iter().filter(|(_, origins)| !origins.is_empty()) {
            set(&mut csp, name, origins.to_vec().into());
        }
        (!csp.is_empty()).then_some(Value::Object(csp))
    }

    /// Returns the first entry that is not an origin.
    pub(crate) fn invalid(self) -> Option<&'static str> {
        self.lists().into_iter().flat_map(|(_, origins)| origins.iter().copied()).find(|origin| !is_origin(origin))
    }

    fn lists(self) -> [(&'static str, &'static [&'static str]); 4] {
        [
            ("connectDomains", self.connect),
            ("resourceDomains", self.resource),
            ("frameDomains", self.frame),
            ("baseUriDomains", self.base_uri),
        ]
    }
}

/// Returns the value of `permissions`, or `None` if there are none.
pub(crate) fn permissions(permissions: &[ViewPermission]) -> Option<Value> {
    let mut asked = Map::new();
    permissions.iter().for_each(|permission| set(&mut asked, permission.as_str(), object([])));
    (!asked.is_empty()).then_some(Value::Object(asked))
}

/// Returns whether the text is an origin that can stand in a policy. Hosts write the entries into a header, so any other
/// text could be a directive. `mcp-macros/src/mcp_view/html/origin.rs` has the same rule.
pub(crate) fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let (name, port) = host.rsplit_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let name = name.strip_prefix("*.").unwrap_or(name);
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    ORIGIN_SCHEMES.contains(&scheme)
        && name.split('.').all(is_label)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// Returns the reason why this cannot be the URI of a view, or `None` if it can.
pub(crate) fn invalid_uri(uri: &str) -> Option<&'static str> {
    match uri.strip_prefix(SCHEME) {
        None => Some("the URI of a view begins with `ui://`"),
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Some("the URI of a view has a name after `ui://`, such as `ui://flights/seats`")
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_origins() {
        for origin in ["https://api.example", "https://*.tiles.example", "http://localhost:8080", "wss://a-b.example"] {
            assert!(is_origin(origin), "{origin}");
        }
        for other in [
            "",
            "api.example",
            "https://",
            "https://api.example/",
            "https://api.example/v1",
            "https://api.example; script-src *",
            "https://api.example https://b.example",
            "https://*",
            "https://a..example",
            "https://a.example:",
            "https://a.example:99999",
            "data:",
            "*",
            "'self'",
            "ftp://a.example",
        ] {
            assert!(!is_origin(other), "{other}");
        }
    }
}
