//! Compares two questions to a model.

use serde_json::json;

use super::{Difference, difference::Alike};
use crate::serve::client::Question;

/// The members that are compared between two questions. Each entry contains a member's description and name.
const MEMBERS: [(&str, &str); 5] = [
    ("the system prompt", "systemPrompt"),
    ("the limit of tokens", "maxTokens"),
    ("the messages", "messages"),
    ("the tools", "tools"),
    ("the choice of tools", "toolChoice"),
];

/// How many entries of `MEMBERS`, from its start, are compared between all revisions.
const EVERYWHERE: usize = 2;

pub(crate) fn questions(first: &Question, second: &Question, alike: Alike) -> Option<Difference> {
    let of = |what: &str| format!("{what} of the question `{}`", first.key());
    let members = if matches!(alike, Alike::ByMeaning) { &MEMBERS[..EVERYWHERE] } else { &MEMBERS };
    let member = |(what, name): &(&str, &str)| {
        let [first, second] = [first, second].map(|question| &question.params()[name]);
        (first != second).then(|| Difference::new(of(what), first, second))
    };
    let beginning = || {
        let [first, second] = [first, second].map(|question| question.texts().next().unwrap_or_default());
        (!begins_alike(first, second)).then(|| Difference::new(of("the messages"), &json!(first), &json!(second)))
    };
    let whole = || {
        let [first, second] = [first, second].map(Question::params);
        (first != second).then(|| Difference::new(of("the parameters"), first, second))
    };
    let found = members.iter().find_map(member);
    if matches!(alike, Alike::ByMeaning) { found.or_else(beginning) } else { found.or_else(whole) }
}

/// Whether one text begins with the other. If the client does not support sampling tools, the runtime appends a
/// description of the tools to the text.
fn begins_alike(first: &str, second: &str) -> bool {
    first.starts_with(second) || second.starts_with(first)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn asked(params: &Value) -> Question {
        Question::new("sample".to_owned(), "sampling/createMessage".to_owned(), params.clone())
    }

    fn said(text: &str) -> Value {
        json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }], "maxTokens": 9 })
    }

    fn what(first: &Value, second: &Value, alike: Alike) -> Option<String> {
        super::super::questions(&asked(first), &asked(second), alike).map(|difference| difference.what)
    }

    #[test]
    fn names_the_member_that_differs() {
        let with = |member: &str, value: Value| {
            let mut params = said("Go.");
            params[member] = value;
            params
        };
        for (other, expected) in [
            (said("Stop."), "the messages"),
            (with("systemPrompt", json!("Be brief.")), "the system prompt"),
            (with("maxTokens", json!(8)), "the limit of tokens"),
            (with("tools", json!([])), "the tools"),
            (with("toolChoice", json!({})), "the choice of tools"),
            (with("temperature", json!(0)), "the parameters"),
        ] {
            let found = what(&said("Go."), &other, Alike::ToReaders);
            assert_eq!(found.unwrap(), format!("{expected} of the question `sample`"));
        }
        assert_eq!(what(&said("Go."), &said("Go."), Alike::Entirely), None);
    }

    #[test]
    fn ignores_tools_described_in_words() {
        let mut native = said("Go.");
        native["tools"] = json!([{ "name": "left" }]);
        let told = said("Go.\n\nCall one of these tools: left");
        assert_eq!(what(&native, &told, Alike::ByMeaning), None);
        assert!(what(&native, &told, Alike::ToReaders).is_some());
        assert!(what(&native, &said("Stop."), Alike::ByMeaning).is_some());
    }
}
