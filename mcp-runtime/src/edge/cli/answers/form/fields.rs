//! A prompt for each kind of field.

use std::fmt::{self, Display};

use inquire::{MultiSelect, Select, Text, list_option::ListOption, validator::Validation};
use serde_json::Value;

use super::field::{FieldKind, PromptField};
use crate::edge::cli::{
    items::reading::ListedValue,
    terminal::prompt::{UnansweredQuestion, look, some, yes_or_no},
};

/// The value of a field, if the user gives one. The outer option is `None` if the user pressed Esc.
type FieldAnswer = Result<Option<Option<Value>>, UnansweredQuestion>;

/// Prompts for the value of a field.
pub(crate) fn ask(field: &PromptField<'_>) -> FieldAnswer {
    let title = field.title();
    let label = format!("{title}{}:", if field.parameter.required { "" } else { " (optional)" });
    match field.kind() {
        FieldKind::Text => text(field, &label),
        FieldKind::YesNo { default } => {
            Ok(yes_or_no(&question(&title), default, &field.help())?.map(|yes| Some(yes.into())))
        }
        FieldKind::OneOf(choices) => one_of(field, choices, &label),
        FieldKind::SeveralOf(choices) => several_of(field, choices, &label),
    }
}

fn text(field: &PromptField<'_>, label: &str) -> FieldAnswer {
    let default =
        field.default().map(|default| default.as_str().map_or_else(|| default.to_string(), ToOwned::to_owned));
    let help = joined([&field.help(), if field.parameter.required { "" } else { "Press Enter to skip this field." }]);
    let mut prompt = Text::new(label).with_render_config(look()).with_validator(|typed: &str| {
        Ok(field.read(typed).map_or_else(|reason| Validation::Invalid(reason.into()), |_| Validation::Valid))
    });
    prompt.initial_value = default.as_deref();
    prompt.help_message = some(&help);
    // The validator has already accepted this text.
    prompt.prompt_skippable()?.map(|typed| field.read(&typed)).transpose().map_err(UnansweredQuestion::Failed)
}

enum ListItem {
    Choice(ListedValue),
    LeftOut,
}

impl Display for ListItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(choice) => choice.fmt(f),
            Self::LeftOut => f.write_str("(leave it out)"),
        }
    }
}

fn one_of(field: &PromptField<'_>, choices: Vec<ListedValue>, label: &str) -> FieldAnswer {
    let default = field.default().and_then(|default| choices.iter().position(|choice| choice.value == *default));
    let mut entries: Vec<_> = choices.into_iter().map(ListItem::Choice).collect();
    if !field.parameter.required {
        // If the user presses only Enter, the field gets its default. If there is no default, the field is left out.
        let at = if default.is_some() { entries.len() } else { 0 };
        entries.insert(at, ListItem::LeftOut);
    }
    let help = joined([&field.help(), "↑↓ to move, Enter to choose, type to search"]);
    let prompt = Select::new(label, entries).with_starting_cursor(default.unwrap_or(0));
    let chosen = prompt.with_help_message(&help).with_render_config(look()).prompt_skippable()?;
    Ok(chosen.map(|chosen| match chosen {
        ListItem::Choice(choice) => Some(choice.value),
        ListItem::LeftOut => None,
    }))
}

fn several_of(field: &PromptField<'_>, choices: Vec<ListedValue>, label: &str) -> FieldAnswer {
    let default = field.default().and_then(Value::as_array);
    let is_default = |choice: &ListedValue| default.is_some_and(|default| default.contains(&choice.value));
    let chosen: Vec<_> = (0..choices.len()).filter(|at| is_default(&choices[*at])).collect();
    let rules = field.rules.clone();
    let (required, has_default) = (field.parameter.required, default.is_some());
    // If nothing is selected, an optional field is left out, unless it has a default and accepts an empty list.
    let value = move |chosen: Vec<&ListedValue>| -> Result<Option<Value>, String> {
        let value: Value = chosen.iter().map(|choice| choice.value.clone()).collect();
        match rules.check(&value) {
            Ok(()) if chosen.is_empty() && !required && !has_default => Ok(None),
            Err(_) if chosen.is_empty() && !required => Ok(None),
            checked => checked.map(|()| Some(value)),
        }
    };
    let validator = {
        let value = value.clone();
        move |chosen: &[ListOption<&ListedValue>]| {
            let checked = value(chosen.iter().map(|option| option.value).collect());
            Ok(checked.map_or_else(|reason| Validation::Invalid(reason.into()), |_| Validation::Valid))
        }
    };
    let help = joined([&field.help(), "↑↓ to move, Space to choose, Enter when done, type to search"]);
    let prompt = MultiSelect::new(label, choices).with_default(&chosen).with_validator(validator);
    let chosen = prompt.with_help_message(&help).with_render_config(look()).prompt_skippable()?;
    chosen.map(|chosen| value(chosen.iter().collect())).transpose().map_err(UnansweredQuestion::Failed)
}

/// Returns the title of a field as a question.
fn question(title: &str) -> String {
    if title.ends_with(['?', '.', '!', ':']) { title.to_owned() } else { format!("{title}?") }
}

fn joined<const N: usize>(sentences: [&str; N]) -> String {
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}
