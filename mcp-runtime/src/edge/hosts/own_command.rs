//! The commands with which hosts add a server themselves. They are shown, and never run.

use serde_json::Value;

use super::{
    entry::{ServerEntry, ServerTarget},
    known::{Scope, host},
};

pub(crate) fn claude(entry: &ServerEntry, scope: Scope) -> Option<Vec<String>> {
    let scope = if scope == Scope::User { "user" } else { "project" };
    Some(match &entry.target {
        ServerTarget::Url(url) => {
            words(&["claude", "mcp", "add", "-s", scope, "--transport", "http", &entry.name, url])
        }
        ServerTarget::Program { .. } => {
            let command = words(&["claude", "mcp", "add", "-s", scope]);
            [command, variables(entry, "-e"), words(&[&entry.name, "--"]), program(entry)].concat()
        }
    })
}

pub(crate) fn vscode(entry: &ServerEntry, scope: Scope) -> Option<Vec<String>> {
    let server = named_value("vscode", entry)?;
    (scope == Scope::User).then(|| words(&["code", "--add-mcp", &server.to_string()]))
}

pub(crate) fn codex(entry: &ServerEntry, scope: Scope) -> Option<Vec<String>> {
    let command = match &entry.target {
        ServerTarget::Url(url) => words(&["codex", "mcp", "add", &entry.name, "--url", url]),
        ServerTarget::Program { .. } => {
            let command = words(&["codex", "mcp", "add", &entry.name]);
            [command, variables(entry, "--env"), words(&["--"]), program(entry)].concat()
        }
    };
    (scope == Scope::User).then_some(command)
}

pub(crate) fn gemini(entry: &ServerEntry, scope: Scope) -> Option<Vec<String>> {
    let scope = if scope == Scope::User { "user" } else { "project" };
    Some(match &entry.target {
        ServerTarget::Url(url) => {
            words(&["gemini", "mcp", "add", "-s", scope, "--transport", "http", &entry.name, url])
        }
        ServerTarget::Program { .. } => {
            let command = words(&["gemini", "mcp", "add", "-s", scope]);
            [command, variables(entry, "-e"), words(&[&entry.name]), program(entry)].concat()
        }
    })
}

pub(crate) fn copilot(entry: &ServerEntry, _: Scope) -> Option<Vec<String>> {
    Some(match &entry.target {
        ServerTarget::Url(url) => words(&["copilot", "mcp", "add", "--transport", "http", &entry.name, url]),
        ServerTarget::Program { .. } => {
            let command = words(&["copilot", "mcp", "add", &entry.name]);
            [command, variables(entry, "--env"), words(&["--"]), program(entry)].concat()
        }
    })
}

/// Returns the entry as this host has it in its file, with its name as the first member.
pub(crate) fn named_value(host_name: &str, entry: &ServerEntry) -> Option<Value> {
    let host = host(host_name)?;
    let (_, value) = host.form.values(entry, host.title).ok()?.pop()?;
    let Value::Object(members) = value else { return None };
    let name = [("name".to_owned(), entry.name.as_str().into())];
    Some(Value::Object(name.into_iter().chain(members).collect()))
}

/// Returns the words as a command for a shell.
pub(crate) fn shell_command(words: &[String]) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "=_-./:@%+,".contains(char);
    let quoted = words.iter().map(|word| match word.chars().all(is_plain) && !word.is_empty() {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn variables(entry: &ServerEntry, option: &str) -> Vec<String> {
    entry.variables.iter().flat_map(|(name, value)| [option.to_owned(), format!("{name}={value}")]).collect()
}

fn program(entry: &ServerEntry) -> Vec<String> {
    match &entry.target {
        ServerTarget::Program { path, arguments } => [path].into_iter().chain(arguments).cloned().collect(),
        ServerTarget::Url(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::hosts::known::OwnCommand;

    #[test]
    fn quotes_words_for_a_shell() {
        assert_eq!(shell_command(&words(&["a", "b c", "it's", "", "K=V"])), r"a 'b c' 'it'\''s' '' K=V");
    }

    #[test]
    fn shows_the_command_of_each_host_that_has_one() {
        let entry = ServerEntry {
            name: "flights".to_owned(),
            target: ServerTarget::Program { path: "/opt/my flights".to_owned(), arguments: words(&["--root", "/x"]) },
            variables: vec![("A".to_owned(), "1 2".to_owned())],
            secrets: Vec::new(),
        };
        let url = ServerEntry {
            target: ServerTarget::Url("https://example.com/mcp".to_owned()),
            variables: Vec::new(),
            ..entry.clone()
        };
        let shown = |command: OwnCommand, entry, scope| {
            command(entry, scope).map(|words| shell_command(&words)).unwrap_or_default()
        };
        let program = "'/opt/my flights' --root /x";
        assert_eq!(
            shown(claude, &entry, Scope::Project),
            format!("claude mcp add -s project -e 'A=1 2' flights -- {program}")
        );
        assert_eq!(
            shown(claude, &url, Scope::User),
            "claude mcp add -s user --transport http flights https://example.com/mcp"
        );
        assert_eq!(shown(codex, &entry, Scope::User), format!("codex mcp add flights --env 'A=1 2' -- {program}"));
        assert_eq!(shown(codex, &url, Scope::User), "codex mcp add flights --url https://example.com/mcp");
        assert_eq!(shown(codex, &url, Scope::Project), "");
        assert_eq!(shown(gemini, &entry, Scope::User), format!("gemini mcp add -s user -e 'A=1 2' flights {program}"));
        assert_eq!(shown(copilot, &entry, Scope::User), format!("copilot mcp add flights --env 'A=1 2' -- {program}"));
        assert_eq!(
            shown(vscode, &url, Scope::User),
            r#"code --add-mcp '{"name":"flights","type":"http","url":"https://example.com/mcp"}'"#
        );
    }
}
