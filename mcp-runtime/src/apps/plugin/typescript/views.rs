//! The types of the views of a server, for authors of views.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::{
    tool_types,
    types::{comment, property, type_of},
};
use crate::{
    engine::tool::{registered::RegisteredTool, registry::Registry},
    wire::protocol::view::ToolVisibility,
};

/// The types that are the same for every server.
const CLIENT_TYPES: &str = include_str!("mcp-view.d.ts");

/// What the views of a server show.
#[derive(Default)]
struct ViewTypes<'a> {
    /// The tools that views call, and those that they show.
    tools: BTreeMap<&'a str, &'a RegisteredTool>,
    callable: Vec<&'a str>,
    /// The views, by their URIs.
    views: BTreeMap<&'a str, ShownByView<'a>>,
}

/// What one view shows.
#[derive(Default)]
struct ShownByView<'a> {
    tools: Vec<&'a str>,
    /// The types of the answers to the forms that the view shows.
    answers: Vec<String>,
}

/// Returns the content of `mcp-view.d.ts`.
pub(super) fn view_types(registry: &Registry) -> String {
    let mut types = ViewTypes::default();
    registry.iter().for_each(|tool| types.add(tool));
    types.write()
}

/// Returns whether a tool or a form has a view.
pub(super) fn has_views(registry: &Registry) -> bool {
    registry.iter().any(|tool| tool.definition.views().next().is_some())
}

impl<'a> ViewTypes<'a> {
    fn add(&mut self, tool: &'a RegisteredTool) {
        let (definition, name) = (&tool.definition, &*tool.definition.name);
        if definition.visibility != Some(ToolVisibility::Model) {
            self.callable.push(name);
            self.tools.insert(name, tool);
        }
        if let Some(view) = definition.view {
            self.views.entry(view.uri()).or_default().tools.push(name);
            self.tools.insert(name, tool);
        }
        for (view, form) in definition.forms.iter().filter_map(|form| Some((form.view?, form))) {
            let answer = type_of(&json!((form.published)()), 2);
            self.views.entry(view.uri()).or_default().answers.push(answer);
        }
    }

    fn write(&self) -> String {
        let mut out = CLIENT_TYPES.to_owned();
        out.push_str("/** The tools that views call, and those whose calls they show. */\ninterface ServerTools {\n");
        for (name, tool) in &self.tools {
            comment(&mut out, 1, &tool.definition.description);
            let (arguments, result) = tool_types(tool);
            // Writing to a string cannot fail.
            let _ =
                writeln!(out, "  {}: {{\n    arguments: {arguments};\n    result: {result};\n  }};", property(name));
        }
        out.push_str("}\n\n/** The tools that a view can call. */\n");
        let _ = writeln!(out, "type ViewTools = {};\n", picked(&self.callable));
        out.push_str(
            "/** The views: the tools whose calls each one shows, and the answers to the forms that it shows. */\n\
             interface Views {\n",
        );
        for (uri, ShownByView { tools, answers }) in &self.views {
            let answers = if answers.is_empty() { "never".to_owned() } else { answers.join(" | ") };
            let _ =
                writeln!(out, "  {}: {{\n    tools: {};\n    forms: {answers};\n  }};", property(uri), picked(tools));
        }
        out.push_str("}\n");
        out
    }
}

/// Returns the type of these tools.
fn picked(tools: &[&str]) -> String {
    let names: Vec<_> = tools.iter().map(|name| Value::from(*name).to_string()).collect();
    format!("Pick<ServerTools, {}>", if names.is_empty() { "never".to_owned() } else { names.join(" | ") })
}
