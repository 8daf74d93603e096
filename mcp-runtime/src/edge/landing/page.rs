//! The page from its first line to its last.

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{connect::connect, html::Html, tools::tools};
use crate::serve::server::Service;

const STYLE: &str = include_str!("style.css");

/// Returns the page for people who reach the endpoint at this URL.
pub(super) fn page(service: &Service, url: &str) -> String {
    let identity = &service.0.settings.identity;
    let title = identity.shown_name();
    // Other icons would be requests to somewhere else.
    let icon = identity.icons.iter().map(|icon| icon.src()).find(|src| src.starts_with("data:image/"));
    let mut html = Html::new();
    html.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.markup("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.element("<title>", title, "</title>\n");
    if let Some(icon) = icon {
        html.element("<link rel=\"icon\" href=\"", icon, "\">\n");
    }
    html.markup("<style>").markup(STYLE).markup("</style>\n</head>\n<body>\n<main>\n<header>\n");
    if let Some(icon) = icon {
        html.element("<img alt=\"\" src=\"", icon, "\">\n");
    }
    html.element("<div>\n<h1>", title, "</h1>\n<p class=\"note\">");
    html.element("<code>", &identity.name, "</code> ").text(&identity.version);
    html.markup(", a server for the Model Context Protocol</p>\n</div>\n</header>\n");
    if let Some(instructions) = &identity.instructions {
        html.paragraphs(instructions);
    }
    connect(&mut html, &identity.name, url);
    tools(&mut html, service);
    html.markup("</main>\n<footer>\n");
    if let Some(website) = identity.website_url.as_deref().filter(|url| is_web(url)) {
        html.element("<a href=\"", website, "\">Website</a>\n");
    }
    html.markup(
        "<a href=\"/health\">Health</a>\n<a href=\"/health/ready\">Readiness</a>\n</footer>\n</body>\n</html>\n",
    );
    html.into_string()
}

/// Whether a link leads to a page, and does not run a script.
fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Returns the policy of the page: nothing but its own style and icons in `data:` URIs.
pub(super) fn policy() -> String {
    let style = BASE64_STANDARD.encode(hmac_sha256::Hash::hash(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}
