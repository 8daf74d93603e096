//! Prompts on standard error, read from the keyboard.

use inquire::{
    Confirm, InquireError, Select, Text,
    ui::{RenderConfig, Styled},
};

use super::questions::Unanswered;

/// Why a prompt has no answer.
pub(super) enum Left {
    /// Esc.
    Escaped,
    /// Nothing else can be asked either.
    Ended(Unanswered),
}

/// Asks for a yes or a no.
pub(super) fn yes_or_no(question: &str, default: Option<bool>, help: &str) -> Result<bool, Left> {
    let mut prompt = Confirm::new(question).with_render_config(look()).with_error_message("type `y` or `n`");
    prompt.default = default;
    // Where there is a default, the prompt shows it between the two.
    prompt.placeholder = Some("y/n").filter(|_| default.is_none());
    prompt.help_message = some(help);
    Ok(prompt.prompt()?)
}

/// Lets a person choose one of a few ways to go on; `escaped` is what Esc means.
pub(super) fn choose<T>(question: &str, ways: Vec<(&str, T)>, escaped: T, help: &str) -> Result<T, Unanswered> {
    let (names, mut ways): (Vec<_>, Vec<_>) = ways.into_iter().unzip();
    let prompt = Select::new(question, names).without_filtering().with_help_message(help).with_render_config(look());
    match prompt.raw_prompt().map_err(Left::from) {
        Ok(chosen) => Ok(ways.swap_remove(chosen.index)),
        Err(Left::Escaped) => Ok(escaped),
        Err(Left::Ended(reason)) => Err(reason),
    }
}

/// The line that ends what has several.
const END: &str = ".";

/// Asks for a text of several lines, after those that are there; a line with a point alone is its end. It is never
/// empty. What is typed stays in `lines`, however the prompt is left.
pub(super) fn lines(label: &str, help: &str, lines: &mut Vec<String>) -> Result<(), Left> {
    let help = format!("`{END}` on a line of its own ends it. {help}");
    loop {
        let (label, prefix) = if lines.is_empty() { (label, "?") } else { ("", "…") };
        let prefix = Styled::new(prefix);
        let look = look().with_prompt_prefix(prefix).with_answered_prompt_prefix(prefix);
        let line = Text::new(label).with_help_message(&help).with_render_config(look).prompt()?;
        if line != END {
            lines.push(line);
        } else if lines.iter().any(|line| !line.trim().is_empty()) {
            return Ok(());
        } else {
            lines.clear();
        }
    }
}

pub(super) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Colours as everywhere on standard error.
pub(super) fn look() -> RenderConfig<'static> {
    let look = if console::colors_enabled_stderr() { RenderConfig::default_colored() } else { RenderConfig::empty() };
    look.with_canceled_prompt_indicator(Styled::new("–"))
}

impl From<InquireError> for Left {
    fn from(error: InquireError) -> Self {
        match error {
            InquireError::OperationCanceled => Self::Escaped,
            InquireError::OperationInterrupted => Self::Ended(Unanswered::Interrupted),
            error => Self::Ended(Unanswered::Failed(format!("the terminal cannot be used: {error}"))),
        }
    }
}
