//! The help page of one tool or prompt.

use serde_json::Value;

use super::{
    askable::Askable,
    item::{CliItem, ItemKind},
    parameter::{CliParameter, DETACH_HELP, OWN_OPTIONS},
    runs,
};
use crate::{
    edge::cli::terminal::layout::{columns, indented, wrap},
    engine::tool::registered::RegisteredTool,
};

/// Returns the page of a tool or prompt: its description, usage, parameters and result.
pub(crate) fn page(item: &CliItem<'_>, kind: &ItemKind, program: &str, width: usize) -> String {
    let tool = item.registered;
    let definition = &tool.definition;
    let parameters = item.parameters();
    let mut page = String::new();
    let mut paragraph = |heading: &str, text: &str| {
        if !text.is_empty() {
            page.push_str(if page.is_empty() { "" } else { "\n" });
            page.push_str(heading);
            page.push_str(text.trim_end());
            page.push('\n');
        }
    };
    let title = definition.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
    paragraph("", &format!("{}{title}", definition.name));
    paragraph("", &wrap(&definition.description, width).join("\n"));
    paragraph("Usage:\n", &usage(item, kind, &parameters, program));
    paragraph("Parameters:\n", &described(&parameters, width));
    paragraph("Options:\n", &options(tool, &parameters, width));
    paragraph("Questions:\n", &questions(tool, width));
    paragraph(
        "Result:\n",
        &result(
            tool.output.as_ref().and_then(|output| serde_json::from_str(output.published.get()).ok()).as_ref(),
            width,
        ),
    );
    paragraph("", &wrap(&about(tool).join(" "), width).join("\n"));
    page
}

/// Returns the two ways to call the tool or prompt: with options, or with a JSON object.
fn usage(item: &CliItem<'_>, kind: &ItemKind, parameters: &[CliParameter<'_>], program: &str) -> String {
    let call = format!("  {program} {} {}", kind.called_by, item.name());
    if parameters.is_empty() {
        return call;
    }
    let required: String = parameters.iter().filter(|it| it.required).map(|it| format!(" {}", it.option())).collect();
    let optional = if parameters.iter().all(|it| it.required) { "" } else { " [--PARAMETER VALUE]…" };
    format!("{call}{required}{optional}\n{call} JSON")
}

fn described(parameters: &[CliParameter<'_>], width: usize) -> String {
    let rows: Vec<_> = parameters.iter().map(|it| [it.option(), it.description()]).collect();
    indented(&rows, width)
}

fn options(tool: &RegisteredTool, parameters: &[CliParameter<'_>], width: usize) -> String {
    let [answer, json, log, help] = OWN_OPTIONS.map(|name| parameters.iter().all(|it| it.name != name));
    let mut rows = Vec::new();
    if !parameters.is_empty() {
        rows.push(["JSON", "All arguments as one JSON object; `-` reads it from standard input"]);
    }
    if answer && !Askable::of(tool).is_empty() {
        let what = "Answer a question in advance, as shown below. `KEY=decline` and `KEY=cancel` are also answers. \
                    If a key is asked twice, give the option twice";
        rows.push(["--answer <KEY=VALUE>", what]);
    }
    if json {
        rows.push(["--json", "Print the whole result as JSON"]);
    }
    if log {
        rows.push(["--log <level>", "Show log messages from this level up, or `off`. Default: info"]);
    }
    if runs::can_detach(tool) {
        rows.push(["--detach", DETACH_HELP]);
    }
    rows.push([if help { "-h, --help" } else { "-h" }, "Print this page"]);
    let rows: Vec<_> = rows.into_iter().map(|row| row.map(ToOwned::to_owned)).collect();
    indented(&rows, width)
}

/// Returns the questions of the tool, with the fields of forms and example answers.
fn questions(tool: &RegisteredTool, width: usize) -> String {
    let question = |askable: &Askable| {
        let (key, about) = (askable.key(), askable.about());
        let heading = if about.is_empty() { key.to_owned() } else { format!("{key}: {about}") };
        let heading: String = wrap(&heading, width - 2).iter().map(|line| format!("  {line}\n")).collect();
        let fields = fields(&askable.fields(), "    ", width);
        format!("{heading}{fields}    Such as: {}\n", askable.example())
    };
    Askable::of(tool).iter().map(question).collect::<Vec<_>>().join("\n")
}

/// Returns a table of the fields of a form.
pub(crate) fn fields(fields: &[CliParameter<'_>], indent: &str, width: usize) -> String {
    let rows: Vec<_> = fields.iter().map(|it| [it.name.to_owned(), it.kind(), it.details(None)]).collect();
    columns(&rows, width.saturating_sub(indent.len())).lines().map(|line| format!("{indent}{line}\n")).collect()
}

/// Returns the fields of the structured result.
fn result(schema: Option<&Value>, width: usize) -> String {
    let Some(schema) = schema else { return String::new() };
    let members = CliParameter::of_object(schema);
    let row = |it: &CliParameter<'_>| [it.name.to_owned(), it.kind(), it.meaning()];
    indented(&members.iter().map(row).collect::<Vec<_>>(), width)
}

/// Returns sentences with further facts about the tool.
fn about(tool: &RegisteredTool) -> Vec<String> {
    let mut sentences = Vec::new();
    let hints = hints(tool);
    if !hints.is_empty() {
        sentences.push(format!("Hints: {}.", hints.join(", ")));
    }
    if !tool.requires.is_empty() {
        sentences.push(format!("Needs a client that supports {}.", tool.requires));
    }
    if let Some(timeout) = tool.definition.timeout {
        sentences.push(format!("Ends after {timeout:?}."));
    }
    sentences
}

/// Returns the tool's annotations about safety.
pub(crate) fn hints(tool: &RegisteredTool) -> Vec<&'static str> {
    let hints = &tool.definition.annotations;
    let word = |hint, yes, no| match hint {
        Some(true) => Some(yes),
        Some(false) => Some(no),
        None => None,
    };
    let words = [
        word(hints.read_only, "read-only", "writes"),
        word(hints.destructive, "destructive", "not destructive"),
        word(hints.idempotent, "idempotent", "not idempotent"),
        word(hints.open_world, "open world", "closed world"),
    ];
    words.into_iter().flatten().collect()
}

/// Returns the first sentence of a description.
pub(crate) fn first_sentence(text: &str) -> &str {
    let paragraph = text.trim().split("\n\n").next().unwrap_or_default();
    let mut ends = paragraph.match_indices(['.', '!', '?']).map(|(at, mark)| at + mark.len());
    let is_end = |at: &usize| {
        let mut rest = paragraph[*at..].chars();
        // A period within `3.5` does not end a sentence.
        let another_begins =
            rest.next().is_some_and(char::is_whitespace) && rest.next().is_some_and(|next| !next.is_lowercase());
        another_begins && !["e.g.", "i.e.", "etc.", "cf.", "vs."].iter().any(|short| paragraph[..*at].ends_with(short))
    };
    ends.find(is_end).map_or(paragraph, |end| &paragraph[..end])
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn finds_the_end_of_the_first_sentence() {
        assert_eq!(first_sentence("Find files, e.g. `a.rs`. Fast. Really."), "Find files, e.g. `a.rs`.");
        assert_eq!(first_sentence("Find files\n\nUse it well."), "Find files");
        assert_eq!(first_sentence("  "), "");
    }
}
