//! Compares two questions, and two results.

pub(crate) mod difference;
pub(crate) mod mode_comparison;
mod sampling;

use serde_json::{Value, json};

use self::difference::{Alike, Difference};
use crate::{
    serve::client::{ProtocolError, Question},
    wire::protocol::{
        error::{MISSING_CAPABILITY, RESOURCE_NOT_FOUND},
        revision::Revision,
    },
};

/// How a call ended. It ended either with its result or with a JSON-RPC error.
pub(crate) type CallAnswer = Result<Value, ProtocolError>;

/// Returns the first difference between two questions that have the same key.
pub(crate) fn questions(first: &Question, second: &Question, alike: Alike) -> Option<Difference> {
    let key = first.key();
    let of = |what: &str| format!("{what} of the question `{key}`");
    let url = |question: &Question| question.url().map(str::to_owned);
    if (first.method(), first.url().is_some()) != (second.method(), second.url().is_some()) {
        let [first, second] = [first, second].map(|question| question.kind());
        return Some(Difference::new(of("the kind"), &first, &second));
    }
    if first.is_sampling() {
        return sampling::questions(first, second, alike);
    }
    if first.message() != second.message() {
        return Some(Difference::new(of("the message"), &json!(first.message()), &json!(second.message())));
    }
    if matches!(alike, Alike::Entirely) && url(first) != url(second) {
        return Some(Difference::new(of("the page"), &json!(url(first)), &json!(url(second))));
    }
    forms(first, second, alike)
}

fn forms(first: &Question, second: &Question, alike: Alike) -> Option<Difference> {
    let of_question = |what: &str| format!("{what} of the question `{}`", first.key());
    let names = [first, second].map(|question| question.fields().join(", "));
    if names[0] != names[1] {
        return Some(Difference { what: of_question("the fields"), texts: names });
    }
    let (first_schema, second_schema) = (first.schema()?, second.schema()?);
    let fields = first.fields().into_iter().map(|name| {
        let (first, second) = (&first_schema["properties"][name], &second_schema["properties"][name]);
        let (what, first, second) = field(first, second, alike)?;
        Some(Difference::new(of_question(&format!("{what} of the field `{name}`")), &first, &second))
    });
    let whole = || {
        let same = matches!(alike, Alike::ByMeaning) || first_schema == second_schema;
        (!same).then(|| Difference::new(of_question("the schema"), &first_schema, &second_schema))
    };
    fields.flatten().next().or_else(whole)
}

/// Returns the first difference between two fields that have the same name.
fn field(first: &Value, second: &Value, alike: Alike) -> Option<(&'static str, Value, Value)> {
    let (first_names, second_names) = (choices(first), choices(second));
    if first_names != second_names {
        return Some(("the choices", first_names, second_names));
    }
    if matches!(alike, Alike::ByMeaning) || first == second {
        return None;
    }
    let titles = ["oneOf", "enumNames", "items"].map(|name| ("the choices", name));
    let others = [("the default", "default"), ("the title", "title"), ("the description", "description")];
    let differs = |(_, name): &(&str, &str)| first[name] != second[name];
    Some(match titles.into_iter().chain(others).find(differs) {
        Some((what, name)) => (what, first[name].clone(), second[name].clone()),
        None => ("the schema", first.clone(), second.clone()),
    })
}

/// Returns the names of a field's choices. The schema lists them in `enum`, `oneOf` or `anyOf`.
fn choices(field: &Value) -> Value {
    let field = field.get("items").unwrap_or(field);
    if let Some(names) = field.get("enum") {
        return names.clone();
    }
    let titled = ["oneOf", "anyOf"].into_iter().find_map(|name| field[name].as_array());
    titled.map(|choices| choices.iter().map(|choice| choice["const"].clone()).collect()).unwrap_or_default()
}

/// Returns the difference between the answers to two calls. `revisions` are the revisions of the clients that made the
/// calls.
pub(crate) fn answers(first: &CallAnswer, second: &CallAnswer, revisions: [Revision; 2]) -> Option<Difference> {
    match (first, second) {
        (Ok(first), Ok(second)) => results(first, second, revisions),
        // Before 2026-07-28, missing capabilities and missing resources have other error codes.
        (Err(first), Err(second))
            if revisions[0] != revisions[1]
                && [first, second]
                    .iter()
                    .any(|error| [MISSING_CAPABILITY, RESOURCE_NOT_FOUND].map(i64::from).contains(&error.code)) =>
        {
            None
        }
        (Err(first), Err(second)) => {
            let [first, second] = [first, second].map(|error| format!("{}: {}", error.code, error.message));
            (first != second).then(|| Difference::new("the error", &first, &second))
        }
        // The newest revision reports a missing capability as a JSON-RPC error. Older revisions report it as a failed
        // result.
        (Err(_), Ok(result)) | (Ok(result), Err(_)) if revisions[0] != revisions[1] && result["isError"] == true => {
            None
        }
        _ => {
            let [first, second] = [first, second].map(|answer| match answer {
                Ok(result) => json!({ "result": result }),
                Err(error) => json!({ "error": { "code": error.code, "message": error.message } }),
            });
            Some(Difference::new("the response", &first, &second))
        }
    }
}

fn results(first: &Value, second: &Value, revisions: [Revision; 2]) -> Option<Difference> {
    let failed = |result: &Value| result["isError"] == true;
    if failed(first) != failed(second) {
        let [first, second] = [first, second].map(|result| result["content"].clone());
        return Some(Difference::new("whether the call failed", &first, &second));
    }
    let member = |name: &str| {
        let (first, second) = (first.get(name)?, second.get(name)?);
        let texts = [first, second].map(|member| only_text(member).unwrap_or_else(|| member.to_string()));
        (first != second).then(|| Difference { what: "the result".to_owned(), texts })
    };
    // If a revision cannot carry some content, its clients get a text instead.
    let content = || {
        let old = revisions.iter().any(|revision| !revision.has_structured_content());
        let plain = || only_text(&first["content"]).is_some() && only_text(&second["content"]).is_some();
        if !old || plain() { member("content") } else { None }
    };
    content()
        .or_else(|| messages(first, second, revisions))
        .or_else(|| ["structuredContent", "completion", "description", "contents"].into_iter().find_map(member))
}

/// Returns the first difference between the messages of two prompts.
fn messages(first: &Value, second: &Value, revisions: [Revision; 2]) -> Option<Difference> {
    let (Some(first), Some(second)) = (first["messages"].as_array(), second["messages"].as_array()) else {
        return None;
    };
    let old = revisions.iter().any(|revision| !revision.has_structured_content());
    let is_text = |message: &Value| message["content"]["type"] == "text";
    // If a revision cannot carry some content, its clients get a text instead.
    let differs = |(first, second): &(&Value, &Value)| {
        first["role"] != second["role"] || ((!old || (is_text(first) && is_text(second))) && first != second)
    };
    let found = first.iter().zip(second).enumerate().find(|(_, pair)| differs(pair));
    let message = found.map(|(index, (first, second))| {
        Difference::new(format!("the message {} of the result", index + 1), first, second)
    });
    let count = || {
        let [first, second] = [first, second].map(Vec::len);
        (first != second).then(|| Difference::new("the number of messages", &first, &second))
    };
    message.or_else(count)
}

/// If the content has one block and the block is a text, returns the text.
fn only_text(content: &Value) -> Option<String> {
    let [block] = &content.as_array()?[..] else { return None };
    Some(json!(block["text"].as_str()?).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(field: &Value) -> Question {
        let schema = json!({ "type": "object", "properties": { "seat": field } });
        let params = json!({ "mode": "form", "message": "Which?", "requestedSchema": schema });
        Question::new("pick".to_owned(), "elicitation/create".to_owned(), params)
    }

    fn visit(url: &str) -> Question {
        let params = json!({ "mode": "url", "message": "Which?", "url": url });
        Question::new("pick".to_owned(), "elicitation/create".to_owned(), params)
    }

    fn what(difference: Option<Difference>) -> Option<String> {
        difference.map(|difference| difference.what)
    }

    #[test]
    fn names_the_part_of_a_field_that_differs() {
        let plain = json!({ "type": "string", "enum": ["a", "b"], "default": "a" });
        let titled = json!({ "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] });
        let other_title = json!({ "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "Bee" }] });
        let cases = [
            (&plain, json!({ "type": "string", "enum": ["b", "a"], "default": "a" }), "the choices"),
            (&plain, json!({ "type": "string", "enum": ["a", "b"], "default": "b" }), "the default"),
            (&plain, json!({ "type": "string", "enum": ["a", "b"] }), "the default"),
            (&plain, json!({ "type": "number", "enum": ["a", "b"], "default": "a" }), "the schema"),
            (&titled, other_title, "the choices"),
        ];
        for (first, second, expected) in cases {
            let difference = what(questions(&form(first), &form(&second), Alike::ToReaders));
            assert_eq!(difference.unwrap(), format!("{expected} of the field `seat` of the question `pick`"));
        }
        assert!(questions(&form(&plain), &form(&plain), Alike::Entirely).is_none());
    }

    #[test]
    fn ignores_the_notation_of_each_revision() {
        let old = form(&json!({ "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] }));
        let new = form(&json!({ "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] }));
        let alike = Alike::between(Revision::V2025_06_18, Revision::LATEST);
        assert!(questions(&old, &new, alike).is_none());
        let fewer = form(&json!({ "type": "string", "enum": ["a"] }));
        let expected = "the choices of the field `seat` of the question `pick`";
        assert_eq!(what(questions(&fewer, &new, alike)).unwrap(), expected);
        assert!(questions(&old, &new, Alike::between(Revision::V2025_11_25, Revision::LATEST)).is_some());
    }

    #[test]
    fn ignores_the_url_of_a_page_in_another_call() {
        let [first, second] = ["https://a.example", "https://b.example"].map(visit);
        assert!(questions(&first, &second, Alike::ToReaders).is_none());
        assert_eq!(what(questions(&first, &second, Alike::Entirely)).unwrap(), "the page of the question `pick`");
        let kind = questions(&first, &form(&json!({})), Alike::ByMeaning);
        assert_eq!(what(kind).unwrap(), "the kind of the question `pick`");
    }

    #[test]
    fn compares_the_parts_of_a_result_that_both_revisions_carry() {
        let text = |text: &str| Ok(json!({ "content": [{ "type": "text", "text": text }] }));
        let newest = [Revision::LATEST; 2];
        let oldest = [Revision::LATEST, Revision::V2024_11_05];
        assert!(answers(&text("a"), &text("a"), newest).is_none());
        assert_eq!(what(answers(&text("a"), &text("b"), oldest)).unwrap(), "the result");

        let link = Ok(json!({ "content": [{ "type": "resource_link", "uri": "file:///a", "name": "a" }] }));
        assert!(answers(&link, &text("a: file:///a"), oldest).is_none());
        assert!(answers(&link, &text("a: file:///a"), newest).is_some());

        let structured = |value: i32| Ok(json!({ "content": [], "structuredContent": { "value": value } }));
        assert_eq!(what(answers(&structured(1), &structured(2), newest)).unwrap(), "the result");
        assert!(answers(&structured(1), &Ok(json!({ "content": [] })), oldest).is_none());

        let error = |message: &str| Err(ProtocolError { code: 1, message: message.to_owned(), data: Value::Null });
        assert_eq!(what(answers(&error("a"), &error("b"), newest)).unwrap(), "the error");
        assert_eq!(what(answers(&error("a"), &text("a"), oldest)).unwrap(), "the response");
        let failed = Ok(json!({ "content": [], "isError": true }));
        assert!(answers(&error("a"), &failed, oldest).is_none());
        assert_eq!(what(answers(&text("a"), &failed, newest)).unwrap(), "whether the call failed");
    }
}
