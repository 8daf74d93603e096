//! A form, filled in at the terminal.

mod field;
mod fields;

use console::Style;
use serde_json::{Map, Value, json};

use self::field::{Field, Kind};
use super::{
    prompt::{self, Left},
    questions::Unanswered,
};
use crate::cli::terminal::{harmless, label, one_line, tell};

/// What Esc does, for somebody who would rather not.
const LEAVING: &str = "Esc to decline or cancel";

/// Asks for each field in turn. Gives an `ElicitResult`.
pub(super) fn fill_in(message: &str, schema: &Value) -> Result<Value, Unanswered> {
    let message = harmless(message);
    let fields = Field::of_form(schema);
    if let [field] = &fields[..]
        && let Kind::YesNo { default } = field.kind()
        && message.trim().lines().count() == 1
    {
        return just_one(field, message.trim(), default);
    }
    tell(format_args!("{}\n{}\n", message.trim_end(), label(&format!("({LEAVING})"), Style::new().dim())));
    if fields.is_empty() {
        return go_on();
    }
    let mut content = Map::new();
    for field in &fields {
        match persistently(|| fields::ask(field))? {
            Asked::Answer(Some(value)) => {
                content.insert(field.name().to_owned(), value);
            }
            Asked::Answer(None) => {}
            Asked::Refusal(refusal) => return Ok(refusal),
        }
    }
    Ok(accept(&content))
}

/// Shows a page's address and asks whether it will be opened. Gives an `ElicitResult`.
pub(super) fn visit(message: &str, url: &str) -> Result<Value, Unanswered> {
    show_page(message, url);
    let help = "Copy the address: nothing is opened for you. `n` declines, Esc cancels.";
    Ok(match prompt::yes_or_no("Open it in your browser?", None, help) {
        Ok(true) => json!({ "action": "accept" }),
        Ok(false) => refuse("decline"),
        Err(Left::Escaped) => refuse("cancel"),
        Err(Left::Ended(reason)) => return Err(reason),
    })
}

/// Shows where a page is, whole: whoever opens it must see whose it is.
pub(super) fn show_page(message: &str, url: &str) {
    tell(format_args!("{}\n\n  {}\n", harmless(message).trim_end(), one_line(url)));
}

/// A form that is a yes or a no: its message is the question.
fn just_one(field: &Field<'_>, question: &str, default: Option<bool>) -> Result<Value, Unanswered> {
    let help = format!("{} {LEAVING}", field.help());
    Ok(match persistently(|| prompt::yes_or_no(question, default, help.trim()))? {
        Asked::Answer(yes) => accept(&Map::from_iter([(field.name().to_owned(), yes.into())])),
        Asked::Refusal(refusal) => refusal,
    })
}

/// A form without fields.
fn go_on() -> Result<Value, Unanswered> {
    Ok(match persistently(|| prompt::yes_or_no("Go on?", None, ""))? {
        Asked::Answer(true) => accept(&Map::new()),
        Asked::Answer(false) => refuse("decline"),
        Asked::Refusal(refusal) => refusal,
    })
}

/// What came of a prompt.
enum Asked<T> {
    Answer(T),
    /// The whole form is refused.
    Refusal(Value),
}

/// Asks again whoever pressed Esc by mistake.
fn persistently<T>(mut ask: impl FnMut() -> Result<T, Left>) -> Result<Asked<T>, Unanswered> {
    loop {
        match ask() {
            Ok(answer) => return Ok(Asked::Answer(answer)),
            Err(Left::Escaped) => {
                if let Some(action) = leave()? {
                    return Ok(Asked::Refusal(refuse(action)));
                }
            }
            Err(Left::Ended(reason)) => return Err(reason),
        }
    }
}

/// What Esc is to mean, if anything: the protocol knows two ways to give no answer.
fn leave() -> Result<Option<&'static str>, Unanswered> {
    let ways = vec![
        ("Go back to it", None),
        ("Decline: the answer is no", Some("decline")),
        ("Cancel: there is no answer", Some("cancel")),
    ];
    prompt::choose("Leave the form?", ways, Some("cancel"), "↑↓ to move, Enter to choose, Esc again to cancel")
}

fn accept(content: &Map<String, Value>) -> Value {
    json!({ "action": "accept", "content": content })
}

fn refuse(action: &str) -> Value {
    json!({ "action": action })
}
