//! Prompts on standard error, answered with the keyboard.

use std::{
    io::{self, IsTerminal},
    process::{self, ExitCode},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use inquire::{
    Confirm, InquireError, Select, Text,
    ui::{RenderConfig, Styled},
};

use crate::edge::cli::exit::{INTERRUPTED, fail};

/// Why a question has no answer.
pub(crate) enum UnansweredQuestion {
    /// The user pressed Ctrl-C.
    Interrupted,
    /// No answer is available.
    Failed(String),
    /// The answer on the command line is invalid.
    BadAnswer(String),
}

impl UnansweredQuestion {
    /// Writes why there is no answer to standard error, unless the user knows it, and returns the exit code.
    pub(crate) fn end(self) -> ExitCode {
        match self {
            Self::Interrupted => ExitCode::from(INTERRUPTED),
            Self::Failed(reason) | Self::BadAnswer(reason) => fail(reason),
        }
    }
}

/// Prompts for yes or no. Returns `None` if the user pressed Esc, as all prompts do.
pub(crate) fn yes_or_no(question: &str, default: Option<bool>, help: &str) -> Result<Option<bool>, UnansweredQuestion> {
    let mut prompt = Confirm::new(question).with_render_config(look()).with_error_message("type `y` or `n`");
    prompt.default = default;
    // If there is a default, the prompt shows the default instead.
    prompt.placeholder = Some("y/n").filter(|_| default.is_none());
    prompt.help_message = some(help);
    Ok(prompt.prompt_skippable()?)
}

/// Lets the user choose an option. Esc chooses `escaped`.
pub(crate) fn choose<T>(question: &str, ways: Vec<(&str, T)>, escaped: T, help: &str) -> Result<T, UnansweredQuestion> {
    let (names, mut ways): (Vec<_>, Vec<_>) = ways.into_iter().unzip();
    let prompt = Select::new(question, names).without_filtering().with_help_message(help).with_render_config(look());
    Ok(prompt.raw_prompt_skippable()?.map_or(escaped, |chosen| ways.swap_remove(chosen.index)))
}

/// The line that ends a text of several lines.
const END: &str = ".";

/// Prompts for a text of several lines, and appends the lines to `lines`. A line with only a period ends the text. The
/// text is never empty. If the user pressed Esc, returns `None`, and `lines` keeps the lines typed so far, so that the
/// caller can continue.
pub(crate) fn lines(label: &str, help: &str, lines: &mut Vec<String>) -> Result<Option<String>, UnansweredQuestion> {
    let help = format!("`{END}` on a separate line ends the text. {help}");
    loop {
        let (label, prefix) = if lines.is_empty() { (label, "?") } else { ("", "…") };
        let prefix = Styled::new(prefix);
        let look = look().with_prompt_prefix(prefix).with_answered_prompt_prefix(prefix);
        let prompt = Text::new(label).with_help_message(&help).with_render_config(look);
        let Some(line) = prompt.prompt_skippable()? else { return Ok(None) };
        if line != END {
            lines.push(line);
        } else if lines.iter().any(|line| !line.trim().is_empty()) {
            return Ok(Some(lines.join("\n")));
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

impl From<InquireError> for UnansweredQuestion {
    fn from(error: InquireError) -> Self {
        match error {
            InquireError::OperationInterrupted => Self::Interrupted,
            error => Self::Failed(format!("the terminal cannot be used: {error}")),
        }
    }
}

/// While this value exists, the program ends when its terminal is closed. Otherwise a program that ignores hangups
/// would wait for a key press forever, and crossterm would keep a processor core busy.
pub(crate) struct HangupWatch {
    _asking: Sender<()>,
}

impl HangupWatch {
    pub(crate) fn start() -> Self {
        let (asking, asked) = channel();
        thread::spawn(move || {
            while asked.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                if !io::stdin().is_terminal() {
                    process::exit(INTERRUPTED.into());
                }
            }
        });
        Self { _asking: asking }
    }
}
