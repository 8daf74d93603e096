//! The operations that the author wants, with the names and descriptions that the author gives them.

use syn::LitStr;

use super::{
    ast::{Call, Changed, Chosen},
    document::{self, Document},
    group::{self, Group},
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
    /// The schemes that the operations use.
    pub(super) schemes: Vec<Scheme>,
    pub(super) operations: Vec<Operation>,
    pub(super) groups: Vec<Group>,
}

/// Reads the document and the chosen operations. Reports each mistake of the author, and each chosen operation that has
/// something which is not supported.
pub(super) fn api(errors: &mut Errors, call: &Call, text: Result<String, String>) -> Option<Api> {
    let written = call.file.value();
    let document = text.and_then(|text| Document::read(&text, &written));
    let document = document.map_err(|message| errors.push(&call.file, message)).ok()?;
    let before = errors.count();
    let all = operations(&document, &mut |path, problem| {
        errors.push(&call.file, format_args!("the path `{path}` of `{written}`: {problem}"));
    });
    // Without all paths, a choice can be of an operation that is not known.
    if errors.count() > before {
        return None;
    }
    if all.is_empty() {
        errors.push(&call.file, format_args!("`{written}` has no operations: its `paths` is missing or empty"));
        return None;
    }
    let schemes = security::schemes(&document);
    let mut operations = Vec::new();
    let chosen = chosen(errors, call, &all);
    let of_groups = group::members(errors, call, &all, &chosen);
    for found in &chosen {
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
    let root = document.root();
    let title = root["info"]["title"].as_str().unwrap_or(&written).to_owned();
    // If an operation cannot be read, the positions are not those of `chosen`. There is an error then.
    let is_whole = operations.len() == chosen.len();
    let groups = if is_whole { group::groups(errors, call, &document, &operations, &of_groups) } else { Vec::new() };
    if is_whole {
        report_same_names(errors, call, &operations, &of_groups);
    }
    let schemes = security::used(schemes, &mut operations);
    for clash in security::clashes(&schemes, &written) {
        errors.push(&call.file, clash);
    }
    Some(Api { title, server: document::whole_url(&root["servers"][0]), schemes, operations, groups })
}

/// Returns the chosen operations. Reports each choice that chooses nothing.
fn chosen<'f, 'd>(errors: &mut Errors, call: &Call, all: &'f [Found<'d>]) -> Vec<&'f Found<'d>> {
    for choice in call.include.iter().chain(&call.except) {
        report_no_choice(errors, choice, all);
    }
    let is_included = |found: &&Found<'_>| {
        (call.include.is_empty() || call.include.iter().any(|choice| choice.chooses(found)))
            && !call.except.iter().any(|choice| choice.chooses(found))
    };
    all.iter().filter(is_included).collect()
}

/// Reports a choice that chooses nothing. Returns whether it does.
pub(super) fn report_no_choice(errors: &mut Errors, choice: &Chosen, all: &[Found<'_>]) -> bool {
    if all.iter().any(|found| choice.chooses(found)) {
        return false;
    }
    match choice {
        Chosen::Operation(name) => unknown(errors, name, all, &[]),
        Chosen::Tag(tag) => {
            let known = all.iter().flat_map(|found| found.value["tags"].as_array().into_iter().flatten());
            let hint = near(&tag.value(), known.filter_map(|tag| tag.as_str()));
            errors.push(tag, format_args!("no operation has the tag `{}`{hint}", tag.value()));
        }
    }
    true
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
    let groups: Vec<_> = call.actions.iter().map(|group| group.name.to_string()).collect();
    for (changes, groups) in [(&call.rename, &[][..]), (&call.description, &groups[..])] {
        for Changed { operation, .. } in changes {
            let name = operation.value();
            if !groups.contains(&name) && !all.iter().any(|found| found.is_named(&name)) {
                unknown(errors, operation, all, groups);
            }
        }
    }
}

/// Reports new names that another tool or action of the same tool has, or that none can have. `of_groups` has the
/// positions of the operations of each group.
fn report_same_names(errors: &mut Errors, call: &Call, operations: &[Operation], of_groups: &[Vec<usize>]) {
    let group_of = |index| of_groups.iter().position(|members| members.contains(&index));
    for Changed { operation, text } in &call.rename {
        let name = text.value();
        if !is_name_of_tool(&name) {
            errors.push(text, NOT_A_NAME);
            continue;
        }
        let renamed = operations.iter().position(|known| known.is_named(&operation.value()));
        let Some(group) = renamed.map(group_of) else { continue };
        let same =
            operations.iter().enumerate().filter(|(index, known)| known.name == name && group_of(*index) == group);
        if same.count() > 1 {
            let what = if group.is_some() { "actions of one tool" } else { "tools" };
            errors.push(text, format_args!("two {what} have the name `{name}`; choose another one"));
        }
    }
}

pub(super) const NOT_A_NAME: &str = "the name of a tool has 1 to 64 characters: ASCII letters, digits, `_` and `-`";

pub(super) fn is_name_of_tool(name: &str) -> bool {
    super::names::is_portable_name(name) && !name.contains('.')
}

/// Reports the name of an operation that the document does not have. `others` are other names that are possible there.
fn unknown(errors: &mut Errors, name: &LitStr, all: &[Found<'_>], others: &[String]) {
    let written = name.value();
    let known = all.iter().flat_map(|found| [found.named(), &found.place]).chain(others.iter().map(String::as_str));
    let hint = near(&written, known);
    let neither = if others.is_empty() { "" } else { ", and `actions` has no tool," };
    errors.push(name, format_args!("the document has no operation{neither} `{written}`{hint}"));
}

/// Returns a hint about the most similar name, if one is similar.
fn near<'n>(written: &str, known: impl Iterator<Item = &'n str>) -> String {
    let scored = known.map(|name| (strsim::jaro_winkler(written, name), name));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other)).filter(|(score, _)| *score > 0.8);
    best.map_or_else(String::new, |(_, name)| format!("; did you mean `{name}`?"))
}
