//! The person's side: what is written where, and how wide it may be.

use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use console::{Style, Term};

use super::refuse;

/// How many columns a line on standard output may have.
pub(super) fn width() -> usize {
    // Wider lines are hard to read, and what is piped should not depend on the window.
    const MOST: usize = 140;
    const PIPED: usize = 100;
    let terminal = Term::stdout();
    if !terminal.is_term() {
        return PIPED;
    }
    terminal.size_checked().map_or(80, |(_, columns)| usize::from(columns)).clamp(40, MOST)
}

/// Writes to standard output. A reader that has gone away (`… | head -1`) has seen enough.
pub(super) fn print(text: &str, code: ExitCode) -> ExitCode {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            refuse(format_args!("cannot write to standard output: {error}"))
        }
        _ => code,
    }
}

/// Writes a line to standard error.
pub(super) fn tell(line: impl Display) {
    // With standard error closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Tells of something that went another way than the person may have meant.
pub(super) fn warn(reason: impl Display) {
    tell(format_args!("{}: {reason}", label("warning", Style::new().yellow())));
}

/// The word before a message on standard error, in colour where it has some.
pub(super) fn label(word: &str, style: Style) -> impl Display {
    style.for_stderr().apply_to(word.to_owned())
}

/// Text that moves no cursor and changes no colour: it may hold what a tool found in a file.
pub(super) fn harmless(text: &str) -> String {
    text.chars().filter(|char| !char.is_control() || matches!(char, '\n' | '\t')).collect()
}

/// The same in one line.
pub(super) fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
