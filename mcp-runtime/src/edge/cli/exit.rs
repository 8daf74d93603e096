//! How a command ends: its exit code, and its error on standard error.

use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

use crate::serve::server::Service;

/// The exit code of a program whose server cannot be built or served, or whose command line is invalid.
pub(super) const REFUSED: u8 = 2;

/// The exit code after Ctrl-C, as shells use it.
pub(super) const INTERRUPTED: u8 = 130;

/// The exit code of a command. The error is the exit code of a command that has written its error to standard error.
pub(super) type CommandEnd = Result<ExitCode, ExitCode>;

/// Serves the client on standard input and output.
pub(super) async fn serve(service: &Service) -> ExitCode {
    match service.serve_stdio().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(format_args!("cannot serve standard input and output: {error}")),
    }
}

/// Writes an error to standard error, and returns the exit code [`REFUSED`].
pub(super) fn refuse(reason: impl Display) -> ExitCode {
    error(reason, ExitCode::from(REFUSED))
}

/// Writes the reason why a call has no result to standard error, and returns the exit code of a failed call.
pub(super) fn fail(reason: impl Display) -> ExitCode {
    error(reason, ExitCode::FAILURE)
}

fn error(reason: impl Display, code: ExitCode) -> ExitCode {
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "error: {reason}");
    code
}
