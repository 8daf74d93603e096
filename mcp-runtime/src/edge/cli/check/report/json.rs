//! Findings for programs.

use serde::Serialize;

use crate::edge::cli::check::{
    finding::Finding,
    rules::{CheckRule, Severity},
};

#[derive(Serialize)]
struct FindingReport<'f> {
    errors: usize,
    warnings: usize,
    findings: Vec<ReportedFinding<'f>>,
}

#[derive(Serialize)]
struct ReportedFinding<'f> {
    rule: &'static str,
    severity: Severity,
    /// `tool`, `prompt`, `resource`, `setting` or `server`.
    kind: &'static str,
    name: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    found: &'f str,
    why: &'static str,
    fix: &'static str,
}

pub(crate) fn write(findings: &[Finding]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.rule.severity == severity).count();
    let reported = findings.iter().map(|Finding { rule, subject, found }| {
        let CheckRule { id, severity, why, fix, .. } = rule;
        let (file, line) = (subject.place.map(|place| place.file()), subject.place.map(|place| place.line()));
        ReportedFinding {
            rule: id,
            severity: *severity,
            kind: subject.kind,
            name: &subject.name,
            file,
            line,
            found,
            why,
            fix,
        }
    });
    let report = FindingReport {
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        findings: reported.collect(),
    };
    format!("{:#}\n", serde_json::json!(report))
}
