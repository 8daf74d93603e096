//! Prompts on standard error, answered with the keyboard.

use inquire::{
    Confirm, InquireError, Select, Text,
    ui::{RenderConfig, Styled},
};

/// Why a question has no answer.
pub(crate) enum UnansweredQuestion {
    /// The user pressed Ctrl-C.
    Interrupted,
    /// No answer is available.
    Failed(String),
    /// The answer on the command line is invalid.
    BadAnswer(String),
}

/// Why a prompt has no answer.
pub(crate) enum PromptEnd {
    /// The user pressed Esc.
    Escaped,
    /// No further prompt is possible.
    Ended(UnansweredQuestion),
}

/// Prompts for yes or no.
pub(crate) fn yes_or_no(question: &str, default: Option<bool>, help: &str) -> Result<bool, PromptEnd> {
    let mut prompt = Confirm::new(question).with_render_config(look()).with_error_message("type `y` or `n`");
    prompt.default = default;
    // If there is a default, the prompt shows the default instead.
    prompt.placeholder = Some("y/n").filter(|_| default.is_none());
    prompt.help_message = some(help);
    Ok(prompt.prompt()?)
}

/// Lets the user choose an option. Esc chooses `escaped`.
pub(crate) fn choose<T>(question: &str, ways: Vec<(&str, T)>, escaped: T, help: &str) -> Result<T, UnansweredQuestion> {
    let (names, mut ways): (Vec<_>, Vec<_>) = ways.into_iter().unzip();
    let prompt = Select::new(question, names).without_filtering().with_help_message(help).with_render_config(look());
    match prompt.raw_prompt().map_err(PromptEnd::from) {
        Ok(chosen) => Ok(ways.swap_remove(chosen.index)),
        Err(PromptEnd::Escaped) => Ok(escaped),
        Err(PromptEnd::Ended(reason)) => Err(reason),
    }
}

/// The line that ends a text of several lines.
const END: &str = ".";

/// Prompts for a text of several lines, and appends the lines to `lines`. A line with only a period ends the text. The
/// text is never empty. If the user cancels the prompt, `lines` keeps the lines typed so far, so that the caller can
/// continue.
pub(crate) fn lines(label: &str, help: &str, lines: &mut Vec<String>) -> Result<(), PromptEnd> {
    let help = format!("`{END}` on a separate line ends the text. {help}");
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

pub(crate) fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the colours of the prompts on standard error.
pub(crate) fn look() -> RenderConfig<'static> {
    let look = if console::colors_enabled_stderr() { RenderConfig::default_colored() } else { RenderConfig::empty() };
    look.with_canceled_prompt_indicator(Styled::new("–"))
}

impl From<InquireError> for PromptEnd {
    fn from(error: InquireError) -> Self {
        match error {
            InquireError::OperationCanceled => Self::Escaped,
            InquireError::OperationInterrupted => Self::Ended(UnansweredQuestion::Interrupted),
            error => Self::Ended(UnansweredQuestion::Failed(format!("the terminal cannot be used: {error}"))),
        }
    }
}
