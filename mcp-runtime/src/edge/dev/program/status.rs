//! The build and the processes, as the page shows them.

use crate::{
    base::clock,
    edge::dev::target::{Build, BuildStatus, Diagnostic, ProcessStatus, ServerStatus, TargetStatus},
    wire::protocol::text::cut,
};

/// How many lines of standard error are kept.
const LINES: usize = 100;

/// The longest line that is kept, in characters.
const LONGEST_LINE: usize = 1000;

/// How many diagnostics of a build are kept. An error has precedence over a warning.
const DIAGNOSTICS: usize = 200;

/// The longest rendered diagnostic, in characters.
const LONGEST_DIAGNOSTIC: usize = 16 * 1024;

/// The state of a target whose first build is about to begin, so that a client waits for it.
pub(super) fn before_the_first_build() -> TargetStatus {
    let build = Build { status: BuildStatus::Building, ..Build::default() };
    TargetStatus { build, server: ServerStatus::default() }
}

pub(super) fn add_output(server: &mut ServerStatus, line: &str) {
    if server.output.len() >= LINES {
        server.output.remove(0);
    }
    server.output.push(cut(line, LONGEST_LINE).into_owned());
}

pub(super) fn build_begins(build: &mut Build) {
    let number = build.number + 1;
    *build = Build { status: BuildStatus::Building, number, started_at: Some(clock::now()), ..Build::default() };
}

pub(super) fn add_diagnostic(build: &mut Build, diagnostic: &Diagnostic) {
    let rendered = cut(&diagnostic.rendered, LONGEST_DIAGNOSTIC).into_owned();
    let diagnostic = Diagnostic { rendered, ..diagnostic.clone() };
    let is_error = |diagnostic: &Diagnostic| diagnostic.level == "error";
    if build.diagnostics.len() < DIAGNOSTICS {
        build.diagnostics.push(diagnostic);
    } else if is_error(&diagnostic)
        && let Some(other) = build.diagnostics.iter_mut().rev().find(|known| !is_error(known))
    {
        *other = diagnostic;
    }
}

pub(super) fn build_ends(build: &mut Build, status: BuildStatus) {
    build.status = status;
    build.took = build.started_at.map(|started| clock::now().saturating_sub(started));
}

pub(super) fn server_is(server: &mut ServerStatus, status: ProcessStatus, reason: Option<&str>, retry_at: Option<u64>) {
    server.status = status;
    server.reason = reason.map(str::to_owned);
    server.retry_at = retry_at;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut server = ServerStatus::default();
        (0..LINES + 5).for_each(|line| add_output(&mut server, &line.to_string()));
        assert_eq!((server.output.len(), &*server.output[0]), (LINES, "5"));
        add_output(&mut server, &"é".repeat(LONGEST_LINE + 1));
        assert_eq!(server.output.last().unwrap().chars().count(), LONGEST_LINE + 1);
    }

    #[test]
    fn a_build_forgets_the_diagnostics_of_the_build_before() {
        let mut build = Build::default();
        build_begins(&mut build);
        let error = Diagnostic {
            level: "error",
            message: "m".to_owned(),
            rendered: "r".to_owned(),
            file: None,
            line: None,
            column: None,
        };
        (0..DIAGNOSTICS + 1).for_each(|_| add_diagnostic(&mut build, &error));
        build_ends(&mut build, BuildStatus::Failed);
        assert_eq!((build.number, build.diagnostics.len(), build.status), (1, DIAGNOSTICS, BuildStatus::Failed));
        assert!(build.took.is_some());
        build_begins(&mut build);
        assert_eq!((build.number, build.diagnostics.len(), build.took), (2, 0, None));
    }
}
