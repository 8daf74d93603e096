//! The forms in which findings are written.

pub(crate) mod json;
pub(crate) mod sarif;
pub(crate) mod text;

use std::fmt::Write as _;

use super::{finding::Finding, rules::Severity};
use crate::edge::cli::terminal;

/// Returns how many findings are errors and warnings, such as "1 error, 2 warnings".
fn counted(findings: &[Finding]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.rule.severity == severity).count();
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning] {
        let (count, word) = (count(severity), severity.as_str());
        if count > 0 {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{}", terminal::counted(count, word));
        }
    }
    text
}
