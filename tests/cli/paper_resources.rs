//! The commands `resources` and `read`.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::cli::program::{failed, printed, program, run};

#[test]
fn shows_resources_and_templates_in_tables() {
    let expected = "\
URI                     WHAT IT IS                TYPE            SIZE
papers://rules          The rules of the house.   text/plain
papers://logo           The logo of the house.    image/png       8 bytes
papers://secret         What is secret.
papers://reports/2024                             text/markdown   1.5 KB
papers://reports/2025                             text/markdown   1.5 KB

TEMPLATE                  WHAT IT IS              TYPE
papers://reports/{year}   The report of a year.   text/markdown

Read one: `cli_server read URI`.
";
    assert_eq!(run(["resources"]), printed(expected));
    let whole: Value = serde_json::from_str(run(["resources", "--json"]).result()).unwrap();
    assert_eq!(whole["resources"].as_array().unwrap().len(), 5);
    assert_eq!(whole["resourceTemplates"][0]["uriTemplate"], "papers://reports/{year}");
}

#[test]
fn help_lists_the_commands_of_resources() {
    let help = run(["help"]).output;
    for command in ["resources", "read"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
}

#[test]
fn prints_text_and_bytes_as_they_are() {
    let rules = run(["read", "papers://rules"]);
    assert_eq!((rules.code, rules.output.as_str()), (Some(0), "Be kind.\nBe brief."));
    assert_eq!(rules.errors, "info: reading\n");
    assert_eq!(run(["read", "papers://rules", "--log", "off"]).errors, "");

    let logo = program("cli_server").args(["read", "papers://logo"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(logo.stdout, b"\x89PNG\r\n\x1a\n");

    let whole: Value = serde_json::from_str(run(["read", "papers://logo", "--json"]).result()).unwrap();
    let contents = json!([{ "uri": "papers://logo", "mimeType": "image/png", "blob": "iVBORw0KGgo=" }]);
    assert_eq!(whole["contents"], contents);
}

#[test]
fn names_the_uri_of_the_part_that_follows() {
    let report = run(["read", "papers://reports/2025"]);
    assert_eq!(report.result(), "# 2025");
    assert_eq!(report.errors, "more follows: `cli_server read 'papers://reports/2026'`\n");
}

#[test]
fn answers_the_questions_of_a_resource_in_advance() {
    assert_eq!(run(["read", "papers://secret", "--answer", "password=sesame"]), printed("sesame is right."));
    let unasked = run(["read", "papers://secret"]);
    assert_eq!(unasked.code, Some(1));
    assert!(unasked.errors.contains("--answer password=…"), "{}", unasked.errors);
    assert!(unasked.errors.ends_with("`KEY=decline` and `KEY=cancel` are also answers.\n"), "{}", unasked.errors);
}

#[test]
fn explains_mistakes() {
    let unknown = "error: there is no resource `papers://rule`; did you mean `papers://rules`?\n\n\
                   All resources: `cli_server resources`\n";
    assert_eq!(run(["read", "papers://rule"]), failed(2, unknown));
    let gone = failed(1, "error: Unknown resource: papers://reports/2026\n");
    assert_eq!(run(["read", "papers://reports/2026"]), gone);
    let word = run(["read", "papers://reports/abc"]);
    assert_eq!(word.code, Some(1));
    assert!(word.errors.contains("`year` must be an integer from 0 to 65535"), "{}", word.errors);
}

#[test]
fn completes_a_variable_of_a_template() {
    assert_eq!(run(["complete", "papers://reports/{year}", "year", "5"]), printed("2025\n"));
    let unknown = run(["complete", "papers://reports/{month}", "month"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.errors.contains("papers://reports/{month}"), "{}", unknown.errors);
}

#[test]
fn the_manifest_lists_the_resources() {
    let manifest: Value = serde_json::from_str(run(["manifest"]).result()).unwrap();
    assert_eq!(manifest["resources"].as_array().unwrap().len(), 3);
    assert_eq!(manifest["resourceTemplates"].as_array().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn asks_and_describes_bytes_at_a_terminal() {
    use crate::cli::terminal::{ENTER, Terminal};

    let mut terminal = Terminal::start(&["read", "papers://secret"]);
    terminal.sees("The password?").press("sesame").press(ENTER);
    assert_eq!(terminal.ends().result(), "sesame is right.");
}
