//! A view as a host would show it, and what would stop the host.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Map, Value};

use crate::wire::protocol::view::{EXTENSION, FLAT_RESOURCE_URI, MIME_TYPE, RESOURCE_URI, UI, invalid_uri, is_origin};

/// A view that [`Client::view`](crate::testing::Client::view) has opened as a host does.
#[derive(Clone, Debug)]
pub struct ShownView {
    uri: String,
    html: String,
    meta: Value,
}

/// What a host knows about the view of a tool.
pub(crate) struct ViewParts<'a> {
    /// The capabilities that the server declares.
    pub(crate) capabilities: &'a Value,
    /// The entry of the tool in the list of tools.
    pub(crate) tool: &'a Value,
    /// The entry of the view in the list of resources, or null. A view need not be listed.
    pub(crate) listed: &'a Value,
    /// The result of reading the view.
    pub(crate) read: &'a Value,
}

impl ShownView {
    /// Returns the URI.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the page.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Returns `_meta.ui` of the page: `csp`, `permissions`, `domain` and `prefersBorder`. It is null if the page has none
    /// of them, and then it can load nothing.
    pub fn meta(&self) -> &Value {
        &self.meta
    }

    /// # Errors
    /// Returns everything that would stop a host, one sentence each.
    pub(crate) fn open(parts: &ViewParts<'_>) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        let uri = parts.tool["_meta"][UI][RESOURCE_URI].as_str().unwrap_or_default();
        parts.check_capability(&mut faults);
        parts.check_tool(uri, &mut faults);
        let contents = parts.read["contents"].as_array().map_or(&[][..], Vec::as_slice);
        let [contents] = contents else {
            faults.push(format!("reading `{uri}` returns {} parts, not one", contents.len()));
            return Err(faults);
        };
        if contents["uri"] != uri {
            faults.push(format!("the page has the URI {}, not `{uri}`", contents["uri"]));
        }
        if contents["mimeType"] != MIME_TYPE {
            faults.push(format!("the page has the MIME type {}, not `{MIME_TYPE}`", contents["mimeType"]));
        }
        let html = html(contents);
        let begins = html.as_deref().map(|html| html.trim_start_matches('\u{feff}').trim_start());
        if !begins.is_some_and(|html| html.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"))) {
            faults.push("the page is not an HTML document, which begins with `<!doctype html>`".to_owned());
        }
        let meta = &contents["_meta"][UI];
        check_meta(meta, "the page", &mut faults);
        if !parts.listed.is_null() {
            check_meta(&parts.listed["_meta"][UI], "the entry in the list of resources", &mut faults);
            if parts.listed["mimeType"] != MIME_TYPE {
                let mime_type = &parts.listed["mimeType"];
                faults.push(format!("the list of resources says the MIME type {mime_type}, not `{MIME_TYPE}`"));
            }
            if parts.listed["_meta"][UI] != *meta {
                faults.push("`_meta.ui` of the page and of its entry in the list of resources differ".to_owned());
            }
        }
        match faults.is_empty() {
            true => Ok(Self { uri: uri.to_owned(), html: html.unwrap_or_default(), meta: meta.clone() }),
            false => Err(faults),
        }
    }
}

impl ViewParts<'_> {
    fn check_capability(&self, faults: &mut Vec<String>) {
        if !self.capabilities["extensions"][EXTENSION].is_object() {
            faults
                .push(format!("the server does not declare the extension `{EXTENSION}`, so some hosts show no views"));
        }
    }

    fn check_tool(&self, uri: &str, faults: &mut Vec<String>) {
        if let Some(reason) = invalid_uri(uri) {
            faults.push(format!("`_meta.ui.resourceUri` is `{uri}`, but {reason}"));
        }
        let flat = &self.tool["_meta"][FLAT_RESOURCE_URI];
        if flat != uri {
            faults.push(format!("the older `_meta[\"{FLAT_RESOURCE_URI}\"]` is {flat}, not `{uri}`"));
        }
        let visibility = &self.tool["_meta"][UI]["visibility"];
        let is_known = |word: &Value| word == "model" || word == "app";
        let is_valid = visibility.as_array().is_some_and(|words| !words.is_empty() && words.iter().all(is_known));
        if !visibility.is_null() && !is_valid {
            faults.push(format!("`visibility` is {visibility}, not a list of `model` and `app`"));
        }
    }
}

/// Returns the text of a page, which the server sends as text or as bytes.
fn html(contents: &Value) -> Option<String> {
    if let Some(text) = contents["text"].as_str() {
        return Some(text.to_owned());
    }
    String::from_utf8(BASE64_STANDARD.decode(contents["blob"].as_str()?).ok()?).ok()
}

/// Checks `_meta.ui` of a resource.
fn check_meta(ui: &Value, owner: &str, faults: &mut Vec<String>) {
    let none = Map::new();
    let members = |value: &'_ Value| value.as_object().cloned().unwrap_or_else(|| none.clone());
    for key in members(ui).keys() {
        if !["csp", "permissions", "domain", "prefersBorder"].contains(&&**key) {
            faults.push(format!("`_meta.ui` of {owner} has the unknown member `{key}`"));
        }
    }
    for (key, origins) in members(&ui["csp"]) {
        if !["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"].contains(&&*key) {
            faults.push(format!("`csp` of {owner} has the unknown member `{key}`"));
        }
        let is_entry = |entry: &Value| entry.as_str().is_some_and(is_origin);
        match origins.as_array() {
            Some(origins) => {
                let others = origins.iter().filter(|entry| !is_entry(entry));
                faults.extend(others.map(|entry| format!("{entry} in `{key}` of {owner} is not an origin")));
            }
            None => faults.push(format!("`{key}` of {owner} is not a list")),
        }
    }
    for key in members(&ui["permissions"]).keys() {
        if !["camera", "microphone", "geolocation", "clipboardWrite"].contains(&&**key) {
            faults.push(format!("{owner} asks for the unknown permission `{key}`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const URI: &str = "ui://flights/seats";

    /// Opens a view whose parts are valid, except for the part that `change` changes.
    fn opened(change: impl FnOnce(&mut Value)) -> Result<ShownView, Vec<String>> {
        let ui = json!({ "csp": { "connectDomains": ["https://api.example"] }, "permissions": { "camera": {} } });
        let mut all = json!({
            "capabilities": { "extensions": { "io.modelcontextprotocol/ui": {} } },
            "tool": { "_meta": { "ui": { "resourceUri": URI, "visibility": ["app"] }, "ui/resourceUri": URI } },
            "listed": { "uri": URI, "mimeType": MIME_TYPE, "_meta": { "ui": ui } },
            "read": { "contents": [
                { "uri": URI, "mimeType": MIME_TYPE, "text": "<!doctype html>\n", "_meta": { "ui": ui } },
            ] },
        });
        change(&mut all);
        let [capabilities, tool, listed, read] = ["capabilities", "tool", "listed", "read"].map(|name| &all[name]);
        ShownView::open(&ViewParts { capabilities, tool, listed, read })
    }

    #[test]
    fn opens_a_valid_view_also_if_it_is_not_listed_or_is_bytes() {
        assert_eq!(opened(|_| {}).unwrap().html(), "<!doctype html>\n");
        assert_eq!(opened(|all| all["listed"] = Value::Null).unwrap().uri(), URI);
        let bytes = opened(|all| {
            let contents = &mut all["read"]["contents"][0];
            contents["text"].take();
            contents["blob"] = json!(BASE64_STANDARD.encode("<!doctype html>"));
        });
        assert_eq!(bytes.unwrap().meta()["csp"]["connectDomains"][0], "https://api.example");
    }

    #[test]
    fn lists_everything_that_would_stop_a_host() {
        for (pointer, value, fault) in [
            ("/capabilities", json!({}), "does not declare the extension"),
            ("/tool/_meta/ui~1resourceUri", json!(null), "the older `_meta"),
            ("/tool/_meta/ui/visibility", json!(["user"]), "`visibility` is [\"user\"]"),
            ("/tool/_meta/ui/visibility", json!("app"), "`visibility` is \"app\""),
            ("/read/contents", json!([]), "returns 0 parts"),
            ("/read/contents/0/uri", json!("ui://other"), "has the URI \"ui://other\""),
            ("/read/contents/0/mimeType", json!("text/html"), "has the MIME type \"text/html\""),
            ("/read/contents/0/text", json!("<p>"), "is not an HTML document"),
            ("/read/contents/0/_meta/ui", json!({}), "differ"),
            ("/listed/mimeType", json!("text/html"), "the list of resources says the MIME type"),
        ] {
            let faults = opened(|all| *all.pointer_mut(pointer).unwrap() = value).unwrap_err();
            assert_eq!(faults.len(), 1, "{pointer}: {faults:?}");
            assert!(faults[0].contains(fault), "{pointer}: {faults:?}");
        }
        let many = opened(|all| {
            let ui = &mut all["read"]["contents"][0]["_meta"]["ui"];
            *ui = json!({ "csp": { "connectDomains": ["*"], "scripts": [], "frameDomains": 1 }, "permissions": { "usb": {} } });
            all["listed"]["_meta"]["ui"] = all["read"]["contents"][0]["_meta"]["ui"].clone();
        });
        // Four faults, of the page and of its entry.
        assert_eq!(many.unwrap_err().len(), 8);
    }
}
