//! Findings for people, as compilers write them.

use super::counted;
use crate::edge::cli::{
    check::finding::Finding,
    terminal::{harmless, layout::wrap, one_line},
};

/// The width of `  why: ` in columns.
const LABEL: usize = 7;

pub(crate) fn write(findings: &[Finding], width: usize) -> String {
    if findings.is_empty() {
        return "nothing found\n".to_owned();
    }
    let mut text = String::new();
    for Finding { rule, subject, found } in findings {
        text.push_str(&format!(
            "{}[{}]: {}: {}\n",
            rule.severity.as_str(),
            rule.id,
            subject.in_words(),
            one_line(found)
        ));
        if let Some(place) = subject.place {
            text.push_str(&format!("  --> {}:{}\n", place.file(), place.line()));
        }
        for (label, sentence) in [("why", rule.why), ("fix", rule.fix)] {
            for (at, line) in wrap(sentence, width.saturating_sub(LABEL)).iter().enumerate() {
                let label = if at == 0 { format!("{label}:") } else { String::new() };
                text.push_str(&format!("  {label:4} {line}\n"));
            }
        }
        text.push('\n');
    }
    harmless(&format!("{text}{}\n", counted(findings)))
}
