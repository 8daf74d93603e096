//! The operations that the author wants, with the names and descriptions that the author gives them.

use syn::LitStr;

use super::{
    ast::{Call, Changed, Chosen},
    document::Document,
    operation::{Found, Operation, operations},
    security::{self, Scheme},
};
use crate::errors::Errors;

/// What is written into the table.
#[derive(Default)]
pub(super) struct Api {
    pub(super) title: String,
    /// The URL of the first server, if it is whole.
    pub(super) server: Option<String>,
    pub(super) schemes: Vec<Scheme>,
    pub(super) operations: Vec<Operation>,
}

/// Reads the document and the chosen operations. Reports each mistake of the author, and each chosen operation that has
/// something which is not supported.
pub(super) fn api(errors: &mut Errors, call: &Call, text: Result<String, String>) -> Option<Api> {
    let written = call.file.value();
    let document = text.and_then(|text| Document::read(&text, &written));
    let document = document.map_err(|message| errors.push(&call.file, message)).ok()?;
    let all = operations(&document);
    if all.is_empty() {
        errors.push(&call.file, format_args!("`{written}` has no operations: its `paths` is missing or empty"));
        return None;
    }
    let schemes = security::schemes(&document);
    let mut operations = Vec::new();
    for found in chosen(errors, call, &all) {
        match found.read(&document, &schemes) {
            Ok(operation) => operations.push(changed(call, found, operation)),
            Err(problems) => {
                for problem in problems {
                    let (named, place) = (found.named(), &found.place);
                    let of = if found.id.is_some() { format!(" ({place})") } else { String::new() };
                    errors.push(
                        &call.file,
                        format_args!(
                            "the operation `{named}`{of} of `{written}`: {problem}; leave the operation out with \
                             `except(\"{named}\")`"
                        ),
                    );
                }
            }
        }
    }
    report_unknown(errors, call, &all);
    report_same_names(errors, call, &operations);
    let root = document.root();
    let title = root["info"]["title"].as_str().unwrap_or(&written).to_owned();
    Some(Api { title, server: server(&document), schemes, operations })
}

/// Returns the chosen operations. Reports each choice that chooses nothing.
fn chosen<'f, 'd>(errors: &mut Errors, call: &Call, all: &'f [Found<'d>]) -> Vec<&'f Found<'d>> {
    let chooses = |chosen: &Chosen, found: &Found<'_>| match chosen {
        Chosen::Operation(name) => found.is_named(&name.value()),
        Chosen::Tag(tag) => found.has_tag(&tag.value()),
    };
    for choice in call.include.iter().chain(&call.except) {
        if !all.iter().any(|found| chooses(choice, found)) {
            match choice {
                Chosen::Operation(name) => unknown(errors, name, all),
                Chosen::Tag(tag) => {
                    let known = all.iter().flat_map(|found| found.value["tags"].as_array().into_iter().flatten());
                    let hint = near(&tag.value(), known.filter_map(|tag| tag.as_str()));
                    errors.push(tag, format_args!("no operation has the tag `{}`{hint}", tag.value()));
                }
            }
        }
    }
    let is_included = |found: &&Found<'_>| {
        (call.include.is_empty() || call.include.iter().any(|choice| chooses(choice, found)))
            && !call.except.iter().any(|choice| chooses(choice, found))
    };
    all.iter().filter(is_included).collect()
}

fn changed(call: &Call, found: &Found<'_>, mut operation: Operation) -> Operation {
    let text = |changes: &[Changed]| {
        changes.iter().rfind(|change| found.is_named(&change.operation.value())).map(|change| change.text.value())
    };
    if let Some(name) = text(&call.rename) {
        operation.name = name;
    }
    if let Some(description) = text(&call.description) {
        operation.description = description;
    }
    operation
}

/// Reports changes of operations that the document does not have.
fn report_unknown(errors: &mut Errors, call: &Call, all: &[Found<'_>]) {
    for Changed { operation, .. } in call.rename.iter().chain(&call.description) {
        if !all.iter().any(|found| found.is_named(&operation.value())) {
            unknown(errors, operation, all);
        }
    }
}

/// Reports new names that another tool has, or that no tool can have.
fn report_same_names(errors: &mut Errors, call: &Call, operations: &[Operation]) {
    for Changed { text, .. } in &call.rename {
        let name = text.value();
        if !super::names::is_portable_name(&name) || name.contains('.') {
            errors.push(text, "the name of a tool has 1 to 64 characters: ASCII letters, digits, `_` and `-`");
        } else if operations.iter().filter(|operation| operation.name == name).count() > 1 {
            errors.push(text, format_args!("two tools have the name `{name}`; choose another one"));
        }
    }
}

fn unknown(errors: &mut Errors, name: &LitStr, all: &[Found<'_>]) {
    let written = name.value();
    let known = all.iter().flat_map(|found| [found.named(), &found.place]);
    let hint = near(&written, known);
    errors.push(name, format_args!("the document has no operation `{written}`{hint}"));
}

/// Returns a hint about the most similar name, if one is similar.
fn near<'n>(written: &str, known: impl Iterator<Item = &'n str>) -> String {
    let scored = known.map(|name| (strsim::jaro_winkler(written, name), name));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other)).filter(|(score, _)| *score > 0.8);
    best.map_or_else(String::new, |(_, name)| format!("; did you mean `{name}`?"))
}

/// Returns the URL of the first server, with the defaults of its variables. A relative URL needs a base, which only the
/// author knows.
fn server(document: &Document) -> Option<String> {
    let server = &document.root()["servers"][0];
    let mut url = server["url"].as_str()?.to_owned();
    for (name, variable) in server["variables"].as_object().into_iter().flatten() {
        url = url.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
    }
    (url.starts_with("https://") || url.starts_with("http://")).then_some(url)
}
