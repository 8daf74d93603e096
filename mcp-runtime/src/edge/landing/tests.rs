use serde_json::json;

use super::{
    html::Html,
    page::{page, policy},
    parameters::parameters,
};
use crate::{
    Server,
    engine::{
        call::{Call, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    wire::protocol::icon::Icon,
};

/// What must never be in a page as markup.
const HOSTILE: &str = "</p><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>";

struct Shown(ToolDefinition);

impl Tool for Shown {
    fn definition(&self) -> ToolDefinition {
        self.0.clone()
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        unreachable!("the page calls nothing")
    }
}

fn tool(name: &'static str) -> ToolDefinition {
    ToolDefinition::new(name, "Search the flights\nof one day.\n\nUse `from`:\n- one\n- two").read_only(true)
}

fn shown(server: Server) -> String {
    page(&server.build().unwrap(), "https://example.com/mcp")
}

#[test]
fn the_page_has_the_identity_the_tools_and_an_entry_for_each_host() {
    let schema = json!({
        "type": "object",
        "properties": { "from": { "type": "string", "description": "Where the flight begins." }, "days": { "type": "integer" } },
        "required": ["from"],
    });
    let server = Server::new("flights", "1.2.3").title("Flights").instructions("Books flights.");
    let html = shown(server.tool(Shown(tool("search").input_schema(schema))));
    for part in [
        "<title>Flights</title>",
        "<h1>Flights</h1>",
        "<code>flights</code> 1.2.3",
        "Books flights.",
        "<h3><code>search</code></h3>",
        "<li>read-only</li>",
        "<p class=\"about\">Search the flights of one day.</p>\n<p class=\"about\">Use <code>from</code>:\n- one\n- two</p>",
        "<summary>2 parameters</summary>",
        "<code>from</code> <span class=\"kind\">string</span> <span class=\"required\">required</span>",
        "Where the flight begins.",
        "<code>days</code> <span class=\"kind\">integer</span></dt>",
        "<pre class=\"url\"><code>https://example.com/mcp</code></pre>",
        "<a href=\"cursor://anysphere.cursor-deeplink/mcp/install?name=flights&amp;config=",
        "<a href=\"vscode:mcp/install?",
        "claude mcp add",
        "[mcp_servers.flights]",
        "<a href=\"/health/ready\">",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    for host in &crate::edge::hosts::known::HOSTS {
        assert!(html.contains(&format!("<summary>{}</summary>", host.title)), "{}", host.title);
    }
}

#[test]
fn names_and_descriptions_are_text_and_never_markup() {
    let schema = json!({
        "type": "object",
        "properties": { "a": { "type": "string", "enum": [HOSTILE], "description": HOSTILE, "title": HOSTILE } },
    });
    let hostile = ToolDefinition::new("search", HOSTILE).title(HOSTILE).input_schema(schema);
    let server = Server::new(HOSTILE, HOSTILE)
        .title(HOSTILE)
        .instructions(HOSTILE)
        .website_url("javascript:alert(1)")
        .icon(Icon::new(format!("data:image/png;base64,{HOSTILE}")))
        .tool(Shown(hostile));
    let html = shown(server);
    assert!(html.contains("&lt;script&gt;"), "{html}");
    for markup in ["<script", "<img src=x", "onerror=alert(1)>", "href=\"javascript:"] {
        assert!(!html.contains(markup), "{markup} is in {html}");
    }
}

#[test]
fn tools_that_need_a_scope_are_only_counted() {
    let html = shown(Server::new("s", "1.0.0").tool(Shown(tool("open"))).tool(Shown(tool("refund").scope("refunds"))));
    assert!(html.contains("<code>open</code>") && html.contains("One more tool needs a scope."), "{html}");
    assert!(!html.contains("refund"), "{html}");
    assert!(shown(Server::new("s", "1.0.0")).contains("This server has no tools."));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let server = Server::new("s", "1.0.0").icon(Icon::new("https://example.com/icon.png"));
    let html = shown(server.icon(Icon::new("data:image/png;base64,AAAA")));
    assert!(html.contains("<img alt=\"\" src=\"data:image/png;base64,AAAA\">"), "{html}");
    for part in ["icon.png", "<script", "<link rel=\"stylesheet", "@import", "url(", " style=\""] {
        assert!(!html.contains(part), "{part} is in {html}");
    }
    assert!(policy().starts_with("default-src 'none'; style-src 'sha256-"), "{}", policy());
}

#[test]
fn control_characters_are_dropped() {
    let mut html = Html::new();
    html.text("a\0b\u{1b}[31mc\u{202e}d\n\t&amp;");
    assert_eq!(html.into_string(), "ab[31mcd\n\t&amp;amp;");
}

#[test]
fn words_between_backticks_are_code() {
    let inline = |text| {
        let mut html = Html::new();
        html.inline(text);
        html.into_string()
    };
    assert_eq!(inline("a `b<` c"), "a <code>b&lt;</code> c");
    assert_eq!(inline("a ` b <"), "a ` b &lt;");
}

#[test]
fn the_kinds_of_parameters_are_words() {
    let schema = json!({
        "$defs": { "mode": { "enum": ["fast", "deep"] }, "tree": { "type": "object", "properties": { "of": { "$ref": "#/$defs/tree" } } } },
        "properties": {
            "names": { "type": "array", "items": { "type": "string" } },
            "limit": { "type": ["integer", "null"] },
            "mode": { "$ref": "#/$defs/mode" },
            "tree": { "$ref": "#/$defs/tree" },
            "size": { "anyOf": [{ "type": "integer" }, { "type": "string" }, { "type": "null" }] },
            "unit": { "oneOf": [{ "const": "m", "title": "Metre" }, { "const": "ft" }] },
            "free": {},
            "lost": { "$ref": "#/$defs/none" },
        },
    });
    let kinds: Vec<_> =
        parameters(&schema).into_iter().map(|parameter| format!("{}: {}", parameter.name, parameter.kind)).collect();
    assert_eq!(
        kinds,
        [
            "names: list of string",
            "limit: integer",
            "mode: fast | deep",
            "tree: object",
            "size: integer or string",
            "unit: m | ft",
            "free: any",
            "lost: object",
        ]
    );
}
