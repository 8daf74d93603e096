//! The frame that shows a view: a page with an opaque origin, whose policy also holds for the view inside.
//!
//! The policy is a header of this page, because a view can remove a `<meta>` of its own. Only the header's `frame-src`
//! keeps the inner frame from navigating itself to another page.

use axum::{
    body::Body,
    http::{
        HeaderValue,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::Response,
};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::wire::protocol::view::{MIME_TYPE, is_origin};

/// The frame around a view. The view replaces the marker.
const FRAME: &str = include_str!("view-frame.html");
const MARKER: &str = "<!-- view -->";

/// The result of `resources/read` for a view.
#[derive(Deserialize)]
struct ViewResult {
    contents: Vec<ViewContents>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ViewContents {
    mime_type: Option<String>,
    text: Option<String>,
    #[serde(default, rename = "_meta")]
    meta: ViewMeta,
}

#[derive(Default, Deserialize)]
struct ViewMeta {
    #[serde(default)]
    ui: ViewSettings,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ViewSettings {
    csp: ViewDomains,
    permissions: Map<String, Value>,
}

/// The origins that the view declares.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ViewDomains {
    connect_domains: Vec<String>,
    resource_domains: Vec<String>,
    frame_domains: Vec<String>,
    base_uri_domains: Vec<String>,
}

/// The error for a resource that is not a view.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a view: its MIME type must be `text/html;profile=mcp-app`, and its contents text")]
pub(crate) struct NotAView(String);

/// Returns the frame with the view in this result of `resources/read`.
///
/// # Errors
/// Fails if the result is not a view.
pub(crate) fn response<'r>(uri: &str, result: impl Deserializer<'r>) -> Result<Response, NotAView> {
    let not_a_view = || NotAView(uri.to_owned());
    let ViewResult { contents } = ViewResult::deserialize(result).map_err(|_| not_a_view())?;
    let view = contents.into_iter().next().filter(|view| view.mime_type.as_deref() == Some(MIME_TYPE));
    let ViewContents { text: Some(html), meta: ViewMeta { ui }, .. } = view.ok_or_else(not_a_view)? else {
        return Err(not_a_view());
    };
    let (before, after) = FRAME.split_once(MARKER).unwrap_or((FRAME, ""));
    let allow = allowed(&ui.permissions);
    let frame = format!(
        r#"{before}<iframe title="View" sandbox="allow-scripts" allow="{allow}" srcdoc="{}"></iframe>{after}"#,
        escaped(&html)
    );
    let mut response = Response::new(Body::from(frame));
    let headers = response.headers_mut();
    // The parts of the policy are ASCII.
    let policy = HeaderValue::from_str(&policy(&ui.csp)).map_err(|_| not_a_view())?;
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Returns the policy of the frame: nothing but what the view declares, and no origin of its own, even if it is opened as
/// a page.
fn policy(domains: &ViewDomains) -> String {
    let ViewDomains { connect_domains, resource_domains, frame_domains, base_uri_domains } = domains;
    let resources = sources(resource_domains, "");
    let (connect, frames) = (sources(connect_domains, " 'none'"), sources(frame_domains, " 'none'"));
    let base = sources(base_uri_domains, " 'none'");
    format!(
        "default-src 'none'; script-src 'unsafe-inline'{resources}; style-src 'unsafe-inline'{resources}; \
         img-src data:{resources}; media-src data:{resources}; font-src data:{resources}; connect-src{connect}; \
         frame-src{frames}; base-uri{base}; form-action 'none'; object-src 'none'; frame-ancestors 'self'; \
         sandbox allow-scripts"
    )
}

/// Returns the origins as a part of a directive. What is not an origin is left out: it could add a directive.
fn sources(domains: &[String], none: &str) -> String {
    let sources: String =
        domains.iter().filter(|domain| is_origin(domain)).map(|domain| format!(" {domain}")).collect();
    if sources.is_empty() { none.to_owned() } else { sources }
}

/// Returns the attribute `allow` for these permissions. The page decides which of them the frame gets at all.
fn allowed(permissions: &Map<String, Value>) -> String {
    let features = permissions.keys().filter_map(|name| match &**name {
        "camera" | "microphone" | "geolocation" => Some(&**name),
        "clipboardWrite" => Some("clipboard-write"),
        _ => None,
    });
    features.collect::<Vec<_>>().join("; ")
}

/// Returns HTML as the value of an attribute in double quotes.
fn escaped(html: &str) -> String {
    html.replace('&', "&amp;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(contents: &Value) -> Result<(String, String), String> {
        let result = serde_json::value::to_raw_value(&json!({ "contents": [contents] })).unwrap();
        let response = response("ui://a/b", &*result).map_err(|error| error.to_string())?;
        let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        let body = response.into_body();
        let body = block_on(axum::body::to_bytes(body, 1 << 20));
        Ok((policy, String::from_utf8(body.to_vec()).unwrap()))
    }

    fn block_on<T>(body: impl Future<Output = Result<T, axum::Error>>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(body).unwrap()
    }

    fn view(meta: &Value) -> Value {
        json!({ "uri": "ui://a/b", "mimeType": MIME_TYPE, "text": "<!doctype html>", "_meta": meta })
    }

    fn directive<'a>(policy: &'a str, name: &str) -> &'a str {
        let directives = policy.split("; ");
        directives.into_iter().find_map(|directive| directive.strip_prefix(name)).unwrap_or_default().trim()
    }

    #[test]
    fn a_view_without_origins_loads_nothing() {
        let (policy, frame) = shown(&view(&json!({}))).unwrap();
        assert_eq!(directive(&policy, "connect-src"), "'none'");
        assert_eq!(directive(&policy, "frame-src"), "'none'");
        assert_eq!(directive(&policy, "img-src"), "data:");
        assert_eq!(directive(&policy, "sandbox"), "allow-scripts");
        assert!(frame.contains(r#"srcdoc="<!doctype html>""#), "{frame}");
    }

    #[test]
    fn declared_origins_are_in_the_policy() {
        let csp = json!({
            "connectDomains": ["https://api.example", "wss://*.example:8443"],
            "resourceDomains": ["https://cdn.example"],
        });
        let (policy, _) =
            shown(&view(&json!({ "ui": { "csp": csp, "permissions": { "clipboardWrite": {} } } }))).unwrap();
        assert_eq!(directive(&policy, "connect-src"), "https://api.example wss://*.example:8443");
        assert_eq!(directive(&policy, "font-src"), "data: https://cdn.example");
    }

    #[test]
    fn an_entry_that_is_not_an_origin_adds_nothing() {
        for entry in [
            "https://a.example; script-src *",
            "https://a.example b",
            "https://a.example/path",
            "data:",
            "*",
            "'self'",
            "https://",
            "https://*.",
            "https://a.example:port",
            "https://a.example\r\nx: y",
        ] {
            let (policy, _) = shown(&view(&json!({ "ui": { "csp": { "connectDomains": [entry] } } }))).unwrap();
            assert_eq!(directive(&policy, "connect-src"), "'none'", "{entry}");
        }
    }

    #[test]
    fn a_view_cannot_leave_its_attribute() {
        let mut hostile = view(&json!({}));
        hostile["text"] = json!(r#"<!doctype html>" onload="alert(1)&quot;"#);
        let (_, frame) = shown(&hostile).unwrap();
        assert!(frame.contains(r#"srcdoc="<!doctype html>&quot; onload=&quot;alert(1)&amp;quot;""#), "{frame}");
    }

    #[test]
    fn rejects_a_resource_that_is_not_a_view() {
        let mut page = view(&json!({}));
        page["mimeType"] = json!("text/html");
        let bytes = json!({ "uri": "ui://a/b", "mimeType": MIME_TYPE, "blob": "" });
        for contents in [page, bytes, json!({ "uri": "ui://a/b" })] {
            assert!(shown(&contents).unwrap_err().starts_with("`ui://a/b` is not a view"), "{contents}");
        }
    }
}
