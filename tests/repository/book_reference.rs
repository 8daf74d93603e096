//! The reference pages of the book list what the code has: rules of `check`, settings, options and revisions.

use std::collections::BTreeSet;

use mcp_runtime::Revision;

use super::{path, read, sources::for_each_source};

const RULES: &str = "mcp-runtime/src/edge/cli/check/rules.rs";
const RESERVED: &str = "mcp-runtime/src/serve/settings/reserved.rs";
const OPERATOR: &str = "mcp-runtime/src/edge/cli/operator.rs";
const COMMANDS: &str = "mcp-runtime/src/edge/cli";

#[test]
fn page_lists_every_rule_of_check() {
    let rules = read(RULES);
    let severities = between(&rules, "severity: Severity::", ",");
    let of_code: Vec<_> = between(&rules, "    id: \"", "\"").into_iter().zip(severities).collect();
    assert!(of_code.len() > 10, "{RULES} is written in another way: {of_code:?}");
    let of_code: BTreeSet<_> = of_code.into_iter().map(|(id, severity)| (id, severity.to_lowercase())).collect();

    let page = read("docs/src/reference/checks.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells =
        rows.filter_map(|row| row.split_once("` | ").and_then(|(id, rest)| Some((id, rest.split_once(" |")?.0))));
    let severity = |(_, severity): &(&str, &str)| ["error", "warning"].contains(severity);
    let on_page: BTreeSet<_> = cells.filter(severity).map(|(id, severity)| (id, severity.to_owned())).collect();
    assert_eq!(on_page, of_code);
}

#[test]
fn page_lists_every_variable_of_the_server() {
    let reserved = read(RESERVED);
    let of_code: BTreeSet<_> = names(&reserved).into_iter().collect();
    assert!(of_code.contains("MCP_STORE"), "{RESERVED} is written in another way: {of_code:?}");
    let page = read("docs/src/reference/settings.md");
    assert_eq!(names(&page).into_iter().collect::<BTreeSet<_>>(), of_code);
}

#[test]
fn page_has_the_defaults_of_the_server_settings() {
    let (operator, page) = (read(OPERATOR), read("docs/src/reference/settings.md"));
    let mut found = 0;
    for declared in operator.split("default = ").skip(1) {
        let (default, rest) = declared.split_once(")]").expect("the end of the attribute");
        let field = rest.split_once("pub(super) ").and_then(|(_, rest)| rest.split_once(':')).expect("a field").0;
        let default = default.trim_matches('"');
        let row = format!("| `MCP_{}` |", field.to_uppercase());
        let row = page.lines().find(|line| line.starts_with(&row)).unwrap_or_else(|| panic!("no row {row}"));
        assert!(row.contains(&format!("| `{default}` |")), "the default of `{field}` is {default}: {row}");
        found += 1;
    }
    assert_eq!(found, 3, "{OPERATOR} is written in another way");
}

#[test]
fn page_lists_every_option_of_the_command_line() {
    let page = read("docs/src/reference/settings.md");
    let mut options: BTreeSet<String> = BTreeSet::new();
    for_each_source(&path(COMMANDS), &mut |file, text| {
        if file.iter().any(|part| part == "tests") {
            return;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for begin in ["Arg::new(\"", "option(\"", "list(\"", "flag(\"", "mode(\"", "flag = \""] {
            let names = between(code, begin, "\"");
            // An argument without a name for the command line is a position.
            let is_option = |name: &&str| !begin.starts_with("Arg") || code.contains(&format!(".long(\"{name}\")"));
            options.extend(names.into_iter().filter(is_option).map(str::to_owned));
        }
    });
    let reserved = read(RESERVED);
    let flags =
        reserved.split_once("FLAGS: &[&str] = &[").and_then(|(_, rest)| rest.split_once("];")).expect("FLAGS").0;
    options.extend(between(flags, "\"", "\",").into_iter().map(str::to_owned));
    assert!(options.len() > 40, "{COMMANDS} is written in another way: {options:?}");
    let words = page.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    let on_page: BTreeSet<_> = words.filter_map(|word| word.strip_prefix("--")).collect();
    let missing: Vec<_> = options.iter().filter(|option| !on_page.contains(option.as_str())).collect();
    assert!(missing.is_empty(), "the page of settings lacks the options {missing:?}");
}

#[test]
fn page_has_a_column_for_every_revision() {
    let page = read("docs/src/reference/revisions.md");
    let columns = Revision::ALL.map(|revision| format!("| {revision} ")).concat();
    let heads = page.lines().filter(|line| line.contains(&columns)).count();
    assert!(heads >= 5, "{heads} tables have the columns {columns}");
}

/// Returns the texts between `begin` and the next `end`.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Vec<&'t str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split_once(end)).map(|(found, _)| found).collect()
}

/// Returns the names of variables that begin with `MCP_`.
fn names(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'));
    words.filter(|word| word.strip_prefix("MCP_").is_some_and(|rest| !rest.is_empty())).collect()
}
