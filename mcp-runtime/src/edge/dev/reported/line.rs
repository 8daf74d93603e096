//! The lines that carry reports.

use std::io::{self, Write as _};

use crate::{edge::dev::target::Reported, wire::protocol::text};

/// Begins a report. The control character, a record separator, is in no text that a program prints.
const PREFIX: &str = "\u{1e}mcp-dev ";

/// The longest text in a report, in bytes. A longer one is cut.
const LONGEST_TEXT: usize = 1024;

/// A line of standard error, as the parent reads it.
#[derive(Debug)]
pub(crate) struct ReportLine<'a> {
    /// What stands before the report: a program can write a part of a line and then report.
    pub(crate) output: &'a str,
    pub(crate) report: Option<Reported>,
}

impl<'a> ReportLine<'a> {
    /// Reads a line. A report that cannot be read is output.
    pub(crate) fn read(line: &'a str) -> Self {
        let parts = line.split_once(PREFIX);
        match parts.and_then(|(output, report)| Some((output, serde_json::from_str(report).ok()?))) {
            Some((output, report)) => Self { output, report: Some(report) },
            None => Self { output: line, report: None },
        }
    }
}

/// Writes a report to standard error, with one write, so that the lines of several threads do not mix.
pub(super) fn write(report: &Reported) {
    if let Ok(json) = serde_json::to_string(report) {
        // The parent may be gone.
        let _ = io::stderr().lock().write_all(format!("{PREFIX}{json}\n").as_bytes());
    }
}

/// Returns a text that is short enough for a report.
pub(super) fn short(mut text: String) -> String {
    if text.len() > LONGEST_TEXT {
        text.truncate(text::beginning(&text, LONGEST_TEXT).len());
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_was_written_behind_any_output() {
        let report = Reported::Ran { request: Some("7".to_owned()), name: "`after`".to_owned() };
        let json = serde_json::to_string(&report).unwrap();
        for before in ["", "half a line "] {
            let line = format!("{before}{PREFIX}{json}");
            let read = ReportLine::read(&line);
            assert_eq!(read.output, before);
            let Some(Reported::Ran { request, name }) = read.report else { panic!("{read:?}") };
            assert_eq!((request.as_deref(), &*name), (Some("7"), "`after`"));
        }
    }

    #[test]
    fn what_is_not_a_report_is_output() {
        for line in ["", "hello", "\u{1e}mcp-dev {", "\u{1e}mcp-dev {\"type\":\"output\",\"line\":\"x\"}"] {
            let read = ReportLine::read(line);
            assert!(read.report.is_none() && read.output == line, "{read:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(short("é".repeat(600)).len(), LONGEST_TEXT + "…".len());
        assert_eq!(short("é".to_owned()), "é");
    }
}
