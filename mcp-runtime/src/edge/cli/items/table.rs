//! `tools` and `prompts`: list all tools or prompts.

use super::{
    item::{CliItem, ItemKind},
    page,
};
use crate::{
    edge::cli::terminal::layout::{columns, wrap},
    engine::tool::registry::Registry,
};

/// Returns a table with the name, description and parameters of each tool or prompt. A table of tools also has the
/// annotations of the tools.
pub(crate) fn table(registry: &Registry, kind: &ItemKind, program: &str, width: usize) -> String {
    let (verb, list, name) = (kind.called_by, kind.listed_by, kind.placeholder);
    let mut rows = vec![[name, "WHAT IT DOES", "PARAMETERS", "HINTS"].map(ToOwned::to_owned)];
    rows.extend(kind.all(registry).map(|item| row(&item)));
    if rows.len() == 1 {
        return format!("This server has no {list}.\n");
    }
    let (noun, call) = (kind.noun(), if kind.is_tool() { "Call" } else { "Get" });
    let more =
        format!("* required. All about a {noun}: `{program} {list} {name}`. {call} it: `{program} {verb} {name}`.");
    let table = if kind.is_tool() {
        columns(&rows, width)
    } else {
        columns(&rows.into_iter().map(|[name, does, takes, _]| [name, does, takes]).collect::<Vec<_>>(), width)
    };
    format!("{table}\n{}\n", wrap(&more, width).join("\n"))
}

fn row(item: &CliItem<'_>) -> [String; 4] {
    let parameters: Vec<_> =
        item.parameters().iter().map(|it| format!("{}{}", it.name, if it.required { "*" } else { "" })).collect();
    let definition = &item.registered.definition;
    [
        definition.name.to_string(),
        page::first_sentence(&definition.description).to_owned(),
        parameters.join(", "),
        page::hints(item.registered).join(", "),
    ]
}
