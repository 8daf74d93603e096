//! Fills in forms at the terminal.

mod field;
mod fields;

use console::Style;
use serde_json::{Map, Value};

use self::field::{FieldKind, PromptField};
use super::elicit_result::{accept_form, accept_page, refuse};
use crate::edge::cli::terminal::{
    harmless, label, one_line,
    prompt::{self, UnansweredQuestion},
    tell,
};

/// The help text that says what Esc does.
const LEAVING: &str = "Esc to decline or cancel";

/// Prompts for each field in turn. Returns an `ElicitResult`.
pub(crate) fn fill_in(message: &str, schema: &Value) -> Result<Value, UnansweredQuestion> {
    let message = harmless(message);
    let fields = PromptField::of_form(schema);
    if let [field] = &fields[..]
        && let FieldKind::YesNo { default } = field.kind()
        && message.trim().lines().count() == 1
    {
        return just_one(field, message.trim(), default);
    }
    tell(format_args!("{}\n{}\n", message.trim_end(), label(&format!("({LEAVING})"), Style::new().dim())));
    if fields.is_empty() {
        return confirm_empty();
    }
    let mut content = Map::new();
    for field in &fields {
        match persistently(|| fields::ask(field))? {
            Ok(value) => content.extend(value.map(|value| (field.parameter.name.to_owned(), value))),
            Err(action) => return Ok(refuse(action)),
        }
    }
    Ok(accept_form(content))
}

/// Shows a page's URL and asks whether the user will open it. Returns an `ElicitResult`.
pub(crate) fn open_page(message: &str, url: &str) -> Result<Value, UnansweredQuestion> {
    show_page(message, url);
    let help = "Copy the address: this program does not open it. `n` declines, Esc cancels.";
    Ok(match prompt::yes_or_no("Open it in your browser?", None, help)? {
        Some(true) => accept_page(),
        Some(false) => refuse("decline"),
        None => refuse("cancel"),
    })
}

/// Shows the full URL of a page, so that the user can see to whom the page belongs.
pub(crate) fn show_page(message: &str, url: &str) {
    tell(format_args!("{}\n\n  {}\n", harmless(message).trim_end(), one_line(url)));
}

/// Prompts for a form that has only one boolean field. Shows the form's message as the question.
fn just_one(field: &PromptField<'_>, question: &str, default: Option<bool>) -> Result<Value, UnansweredQuestion> {
    let help = format!("{} {LEAVING}", field.help());
    Ok(match persistently(|| prompt::yes_or_no(question, default, help.trim()))? {
        Ok(yes) => accept_form(Map::from_iter([(field.parameter.name.to_owned(), yes.into())])),
        Err(action) => refuse(action),
    })
}

/// Prompts for a form without fields.
fn confirm_empty() -> Result<Value, UnansweredQuestion> {
    Ok(match persistently(|| prompt::yes_or_no("Continue?", None, ""))? {
        Ok(true) => accept_form(Map::new()),
        Ok(false) => refuse("decline"),
        Err(action) => refuse(action),
    })
}

/// Calls `ask`, and calls it again if the user pressed Esc by mistake. The inner error is the action of a user who leaves
/// the whole form: `decline` or `cancel`.
fn persistently<T>(
    mut ask: impl FnMut() -> Result<Option<T>, UnansweredQuestion>,
) -> Result<Result<T, &'static str>, UnansweredQuestion> {
    loop {
        if let Some(answer) = ask()? {
            return Ok(Ok(answer));
        }
        if let Some(action) = leave()? {
            return Ok(Err(action));
        }
    }
}

/// Asks the user whether Esc means decline or cancel. Returns `None` if the user wants to continue with the form.
fn leave() -> Result<Option<&'static str>, UnansweredQuestion> {
    let ways = vec![
        ("Go back to it", None),
        ("Decline: the answer is no", Some("decline")),
        ("Cancel: there is no answer", Some("cancel")),
    ];
    prompt::choose("Leave the form?", ways, Some("cancel"), "↑↓ to move, Enter to choose, Esc again to cancel")
}
