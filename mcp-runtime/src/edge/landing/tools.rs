//! The tools on the page.

use super::{
    html::Html,
    parameters::{ShownParameter, parameters},
};
use crate::{
    engine::tool::{annotations::ToolAnnotations, registered::RegisteredTool, registry::Registry},
    serve::server::Service,
};

/// Appends the tools, except those that only views call. Tools that need scopes are only counted: they are not in the lists
/// of clients without the scopes.
pub(super) fn tools(html: &mut Html, service: &Service) {
    let registry: Registry = service.0.registry.read().clone();
    let for_models = registry.iter().filter(|tool| tool.definition.is_for_models());
    let (open, scoped): (Vec<_>, Vec<_>) = for_models.partition(|tool| tool.definition.scopes.is_empty());
    html.markup("<section aria-labelledby=\"tools\">\n<h2 id=\"tools\">Tools</h2>\n");
    for tool in &open {
        self::tool(html, tool);
    }
    match (open.len(), scoped.len()) {
        (_, 0) if !open.is_empty() => {}
        (0, 0) => drop(html.markup("<p>This server has no tools.</p>\n")),
        (_, 1) => drop(html.markup("<p class=\"note\">One more tool needs a scope.</p>\n")),
        (_, count) => {
            html.element("<p class=\"note\">", &count.to_string(), " more tools need scopes.</p>\n");
        }
    }
    html.markup("</section>\n");
}

fn tool(html: &mut Html, tool: &RegisteredTool) {
    let definition = &tool.definition;
    html.markup("<article>\n<h3>");
    if let Some(title) = &definition.title {
        html.element("<span>", title, "</span> ");
    }
    html.element("<code>", &definition.name, "</code></h3>\n");
    let hints = hints(&definition.annotations, tool.may_ask());
    if !hints.is_empty() {
        html.markup("<ul class=\"hints\">");
        for hint in hints {
            html.element("<li>", hint, "</li>");
        }
        html.markup("</ul>\n");
    }
    html.paragraphs(&definition.description);
    let parameters = parameters(&tool.schema.to_value());
    if !parameters.is_empty() {
        table(html, &parameters);
    }
    html.markup("</article>\n");
}

fn table(html: &mut Html, parameters: &[ShownParameter]) {
    let count = match parameters.len() {
        1 => "1 parameter".to_owned(),
        count => format!("{count} parameters"),
    };
    html.element("<details>\n<summary>", &count, "</summary>\n<dl>\n");
    for parameter in parameters {
        html.element("<div><dt><code>", &parameter.name, "</code> ");
        html.element("<span class=\"kind\">", &parameter.kind, "</span>");
        html.markup(if parameter.is_required { " <span class=\"required\">required</span>" } else { "" });
        html.markup("</dt><dd>").paragraphs(&parameter.description).markup("</dd></div>\n");
    }
    html.markup("</dl>\n</details>\n");
}

fn hints(annotations: &ToolAnnotations, asks: bool) -> Vec<&'static str> {
    let is = |hint: Option<bool>, word| (hint == Some(true)).then_some(word);
    let is_not = |hint: Option<bool>, word| (hint == Some(false)).then_some(word);
    let hints = [
        is(annotations.read_only, "read-only"),
        is_not(annotations.read_only, "writes"),
        is(annotations.destructive, "destructive"),
        is(annotations.idempotent, "idempotent"),
        asks.then_some("asks the user"),
    ];
    hints.into_iter().flatten().collect()
}
