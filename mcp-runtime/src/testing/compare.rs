//! What should be the same of two questions, and of two results.

use serde_json::{Value, json};

use super::{difference::Difference, outcome::ProtocolError, question::Question};
use crate::wire::revision::Revision;

/// The end of a call.
pub(super) type Answer = Result<Value, ProtocolError>;

/// How much two questions must have in common.
#[derive(Clone, Copy, Debug)]
pub(super) enum Alike {
    /// They are one question of one call.
    Entirely,
    /// They are the same question of two calls: a page has another address for each.
    ToReaders,
    /// As above, and each is written as its revision does.
    ByMeaning,
}

impl Alike {
    /// For the calls of clients of these revisions.
    pub(super) fn between(first: Revision, second: Revision) -> Self {
        if first.has_titled_choices() == second.has_titled_choices() { Self::ToReaders } else { Self::ByMeaning }
    }
}

/// In what two questions of one key differ first.
pub(super) fn questions(first: &Question, second: &Question, alike: Alike) -> Option<Difference> {
    let key = first.key();
    let of = |what: &str| format!("{what} of the question `{key}`");
    let url = |question: &Question| question.url().map(str::to_owned);
    if (first.method(), first.url().is_some()) != (second.method(), second.url().is_some()) {
        let [first, second] = [first, second].map(|question| question.kind());
        return Some(Difference::new(of("the kind"), first, second));
    }
    if first.message() != second.message() {
        return Some(Difference::new(of("the message"), json!(first.message()), json!(second.message())));
    }
    if matches!(alike, Alike::Entirely) && url(first) != url(second) {
        return Some(Difference::new(of("the page"), json!(url(first)), json!(url(second))));
    }
    forms(first, second, alike)
}

fn forms(first: &Question, second: &Question, alike: Alike) -> Option<Difference> {
    let key = first.key();
    let (first_schema, second_schema) = (first.schema()?, second.schema()?);
    let names = [first, second].map(|question| question.fields().join(", "));
    if names[0] != names[1] {
        let [first, second] = names;
        return Some(Difference::new(format!("the fields of the question `{key}`"), first, second));
    }
    for name in first.fields() {
        let (first, second) = (&first_schema["properties"][name], &second_schema["properties"][name]);
        let differs = |what: &str, first: Value, second: Value| {
            let what = || format!("{what} of the field `{name}` of the question `{key}`");
            (first != second).then(|| Difference::new(what(), first, second))
        };
        let choices = || differs("the choices", choices(first), choices(second));
        if matches!(alike, Alike::ByMeaning) {
            if let found @ Some(_) = choices() {
                return found;
            }
            continue;
        }
        let member = |what, name: &str| differs(what, first[name].clone(), second[name].clone());
        let titles = || ["oneOf", "enumNames", "items"].into_iter().find_map(|name| member("the choices", name));
        let members = || {
            let members = [("the default", "default"), ("the title", "title"), ("the description", "description")];
            members.into_iter().find_map(|(what, name)| member(what, name))
        };
        let found = choices().or_else(titles).or_else(members);
        if let found @ Some(_) = found.or_else(|| differs("the schema", first.clone(), second.clone())) {
            return found;
        }
    }
    (!matches!(alike, Alike::ByMeaning) && first_schema != second_schema)
        .then(|| Difference::new(format!("the schema of the question `{key}`"), first_schema, second_schema))
}

/// The names of a field's choices, however they are written.
fn choices(field: &Value) -> Value {
    let field = field.get("items").unwrap_or(field);
    if let Some(names) = field.get("enum") {
        return names.clone();
    }
    let titled = ["oneOf", "anyOf"].into_iter().find_map(|name| field[name].as_array());
    titled.map(|choices| choices.iter().map(|choice| choice["const"].clone()).collect()).unwrap_or_default()
}

/// In what the ends of a call differ that clients of these revisions made.
pub(super) fn answers(first: &Answer, second: &Answer, revisions: [Revision; 2]) -> Option<Difference> {
    match (first, second) {
        (Ok(first), Ok(second)) => results(first, second, revisions),
        (Err(first), Err(second)) => {
            let [first, second] = [first, second].map(|error| format!("{}: {}", error.code, error.message));
            (first != second).then(|| Difference::new("the error", first, second))
        }
        // The newest revision has errors of its own for what a client cannot do.
        (Err(_), Ok(result)) | (Ok(result), Err(_)) if revisions[0] != revisions[1] && result["isError"] == true => {
            None
        }
        _ => {
            let [first, second] = [first, second].map(|answer| match answer {
                Ok(result) => json!({ "result": result }),
                Err(error) => json!({ "error": { "code": error.code, "message": error.message } }),
            });
            Some(Difference::new("the response", first, second))
        }
    }
}

fn results(first: &Value, second: &Value, revisions: [Revision; 2]) -> Option<Difference> {
    let failed = |result: &Value| result["isError"] == true;
    if failed(first) != failed(second) {
        let [first, second] = [first, second].map(|result| result["content"].clone());
        return Some(Difference::new("whether the call failed", first, second));
    }
    let member = |name: &str| {
        let (first, second) = (first.get(name)?, second.get(name)?);
        let texts = [first, second].map(|member| only_text(member).unwrap_or_else(|| member.to_string()));
        (first != second).then(|| Difference { what: "the result".to_owned(), texts })
    };
    // What a revision cannot carry stands there in other words.
    let content = || {
        let old = revisions.iter().any(|revision| !revision.has_structured_content());
        let plain = || only_text(&first["content"]).is_some() && only_text(&second["content"]).is_some();
        if !old || plain() { member("content") } else { None }
    };
    content().or_else(|| member("structuredContent"))
}

/// The text of content that is nothing but one text.
fn only_text(content: &Value) -> Option<String> {
    let [block] = &content.as_array()?[..] else { return None };
    Some(json!(block["text"].as_str()?).to_string())
}
