//! Findings in SARIF 2.1.0, which code hosts and editors read.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::edge::cli::check::{
    finding::{Finding, Subject},
    rules::{self, CheckRule},
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What a path of a URI does not contain as it is.
const NOT_IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

#[derive(Serialize)]
struct SarifLog<'f> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'f>; 1],
}

#[derive(Serialize)]
struct SarifRun<'f> {
    tool: SarifTool,
    results: Vec<SarifResult<'f>>,
}

#[derive(Serialize)]
struct SarifTool {
    driver: SarifDriver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifDriver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<SarifRule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule {
    id: &'static str,
    short_description: SarifText,
    full_description: SarifText,
    help: SarifText,
    default_configuration: SarifConfiguration,
}

#[derive(Serialize)]
struct SarifConfiguration {
    level: &'static str,
}

#[derive(Serialize)]
struct SarifText {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'f> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: SarifText,
    locations: [SarifLocation<'f>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<SarifFile>,
    logical_locations: [SarifItem<'f>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFile {
    artifact_location: SarifArtifact,
    region: SarifRegion,
}

#[derive(Serialize)]
struct SarifArtifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: u32,
    start_column: u32,
}

#[derive(Serialize)]
struct SarifItem<'f> {
    name: &'f str,
    kind: &'static str,
}

pub(crate) fn write(findings: &[Finding]) -> String {
    let driver = SarifDriver {
        name: "mcp-runtime check",
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: rules::all().map(described).collect(),
    };
    let run = SarifRun { tool: SarifTool { driver }, results: findings.iter().map(result).collect() };
    let log = SarifLog { schema: SCHEMA, version: "2.1.0", runs: [run] };
    format!("{:#}\n", serde_json::json!(log))
}

fn described(rule: &CheckRule) -> SarifRule {
    let text = |text: &str| SarifText { text: text.to_owned() };
    SarifRule {
        id: rule.id,
        short_description: text(rule.finds),
        full_description: text(rule.why),
        help: text(rule.fix),
        default_configuration: SarifConfiguration { level: rule.severity.as_str() },
    }
}

fn result(Finding { rule, subject, found }: &Finding) -> SarifResult<'_> {
    SarifResult {
        rule_id: rule.id,
        rule_index: rules::all().position(|known| known == *rule).unwrap_or_default(),
        level: rule.severity.as_str(),
        message: SarifText {
            text: format!("{}: {found}. {}. To fix it: {}.", subject.in_words(), capital(rule.why), rule.fix),
        },
        locations: [location(subject)],
    }
}

fn location(subject: &Subject) -> SarifLocation<'_> {
    let physical_location = subject.place.map(|place| SarifFile {
        artifact_location: SarifArtifact { uri: uri(place.file()) },
        region: SarifRegion { start_line: place.line(), start_column: place.column() },
    });
    SarifLocation { physical_location, logical_locations: [SarifItem { name: &subject.name, kind: subject.kind }] }
}

/// Returns the path of a source file as a URI. Cargo passes relative paths to the compiler for the packages of a
/// workspace, which stay relative.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let encoded = utf8_percent_encode(&path, NOT_IN_PATHS).to_string();
    let is_of_drive = path.get(1..2) == Some(":");
    match path.starts_with('/') {
        true => format!("file://{encoded}"),
        false if is_of_drive => format!("file:///{encoded}"),
        false => encoded,
    }
}

/// Returns a sentence that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        for (path, expected) in [
            ("src/main.rs", "src/main.rs"),
            ("examples\\my server\\src/ä.rs", "examples/my%20server/src/%C3%A4.rs"),
            ("/home/me/x.rs", "file:///home/me/x.rs"),
            ("C:\\x.rs", "file:///C%3A/x.rs"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
