//! Output to the terminal, and its width.

pub(crate) mod content;
pub(crate) mod layout;
pub(crate) mod prompt;

use std::{
    fmt::Display,
    io::{self, ErrorKind, IsTerminal, Write},
    process::ExitCode,
};

use console::{Style, Term};
use serde_json::value::RawValue;

use super::exit::{REFUSED, refuse};

/// Returns the width of lines on standard output, in columns.
pub(crate) fn width() -> usize {
    // Wider lines are hard to read, and piped output must not depend on the window.
    const MOST: usize = 140;
    const PIPED: usize = 100;
    let terminal = Term::stdout();
    if !terminal.is_term() {
        return PIPED;
    }
    terminal.size_checked().map_or(80, |(_, columns)| usize::from(columns)).clamp(40, MOST)
}

/// Returns a number with its noun, such as `1 tool` or `2 tools`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Whether standard input and standard error are a terminal, so that a user can answer.
pub(crate) fn has_person() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Writes to standard output. If another program reads the output and closes the pipe (`… | head -1`), this is not an
/// error.
pub(crate) fn print(text: &str, code: ExitCode) -> ExitCode {
    print_bytes(text.as_bytes(), code)
}

/// Writes a result as JSON to standard output, on one line.
pub(crate) fn print_json(result: &RawValue) -> ExitCode {
    print(&format!("{result}\n"), ExitCode::SUCCESS)
}

/// Writes bytes to standard output, as [`print`] does.
pub(crate) fn print_bytes(bytes: &[u8], code: ExitCode) -> ExitCode {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            refuse(format_args!("cannot write to standard output: {error}"))
        }
        _ => code,
    }
}

/// Writes a line to standard error.
pub(crate) fn tell(line: impl Display) {
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a warning to standard error.
pub(crate) fn warn(reason: impl Display) {
    tell(format_args!("{}: {reason}", label("warning", Style::new().yellow())));
}

/// Returns the label of a message on standard error, in colour if supported.
pub(crate) fn label(word: &str, style: Style) -> impl Display {
    style.for_stderr().apply_to(word.to_owned())
}

/// Removes control characters except line breaks and tabs. Other control characters could change what the terminal
/// shows, and the text may come from a file that a tool read.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().filter(|char| !char.is_control() || matches!(char, '\n' | '\t')).collect()
}

/// Returns the text on one line, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints a message of clap. Help and versions go to standard output, and errors go to standard error.
pub(crate) fn unmatched(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        tell(text.trim_end());
        return ExitCode::from(REFUSED);
    }
    print(&text, ExitCode::SUCCESS)
}
