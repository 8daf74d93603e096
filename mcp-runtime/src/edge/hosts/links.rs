//! Links that add the server to a host with one click, for a page or a README.

use base64::{Engine, prelude::BASE64_STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{
    entry::{ServerEntry, ServerTarget},
    known::host,
    own_command::named_value,
};

/// All that RFC 3986 does not call unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the hosts that have links, and the link for each.
pub(crate) fn links(entry: &ServerEntry) -> Vec<(&'static str, String)> {
    let vscode = named_vscode(entry).map(|server| encoded(&server.to_string()));
    let links = [
        ("Cursor", cursor(entry)),
        ("VS Code", vscode.as_ref().map(|server| format!("vscode:mcp/install?{server}"))),
        ("VS Code Insiders", vscode.as_ref().map(|server| format!("vscode-insiders:mcp/install?{server}"))),
        ("goose", goose(entry)),
    ];
    links.into_iter().filter_map(|(title, link)| Some((title, link?))).collect()
}

fn cursor(entry: &ServerEntry) -> Option<String> {
    let host = host("cursor")?;
    let (_, server) = host.form.values(entry, host.title).ok()?.pop()?;
    let server = encoded(&BASE64_STANDARD.encode(server.to_string()));
    Some(format!("cursor://anysphere.cursor-deeplink/mcp/install?name={}&config={server}", encoded(&entry.name)))
}

/// Returns the entry of VS Code. A link has the inputs inside of the entry.
fn named_vscode(entry: &ServerEntry) -> Option<Value> {
    let host = host("vscode")?;
    let mut values = host.form.values(entry, host.title).ok()?;
    values.pop();
    let mut server = named_value(host.name, entry)?;
    let inputs: Vec<_> = values.into_iter().map(|(_, input)| input).collect();
    if let (Value::Object(members), false) = (&mut server, inputs.is_empty()) {
        members.insert("inputs".to_owned(), inputs.into());
    }
    Some(server)
}

/// A link of goose has no variables, so there is none for an entry that needs them.
fn goose(entry: &ServerEntry) -> Option<String> {
    if !entry.variables.is_empty() || !entry.secrets.is_empty() {
        return None;
    }
    let name = encoded(&entry.name);
    let target = match &entry.target {
        ServerTarget::Url(url) => format!("url={}", encoded(url)),
        ServerTarget::Program { path, arguments } => {
            let arguments = arguments.iter().map(|argument| format!("&arg={}", encoded(argument)));
            format!("cmd={}{}", encoded(path), arguments.collect::<String>())
        }
    };
    Some(format!("goose://extension?{target}&id={name}&name={name}&description={name}"))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use percent_encoding::percent_decode_str;
    use serde_json::json;

    use super::*;
    use crate::edge::hosts::entry::SecretVariable;

    fn entry() -> ServerEntry {
        ServerEntry {
            name: "flights".to_owned(),
            target: ServerTarget::Program { path: "/opt/my flights".to_owned(), arguments: vec!["a&b".to_owned()] },
            variables: Vec::new(),
            secrets: Vec::new(),
        }
    }

    fn decoded(text: &str) -> String {
        percent_decode_str(text).decode_utf8().unwrap().into_owned()
    }

    #[test]
    fn each_link_contains_the_entry() {
        let links = links(&entry());
        assert_eq!(
            links.iter().map(|(title, _)| *title).collect::<Vec<_>>(),
            ["Cursor", "VS Code", "VS Code Insiders", "goose"]
        );
        let (before, config) = links[0].1.split_once("&config=").unwrap();
        assert_eq!(before, "cursor://anysphere.cursor-deeplink/mcp/install?name=flights");
        let config = BASE64_STANDARD.decode(decoded(config)).unwrap();
        let server: Value = serde_json::from_slice(&config).unwrap();
        assert_eq!(server, json!({ "command": "/opt/my flights", "args": ["a&b"] }));
        let server: Value =
            serde_json::from_str(&decoded(links[1].1.strip_prefix("vscode:mcp/install?").unwrap())).unwrap();
        let expected = json!({ "name": "flights", "type": "stdio", "command": "/opt/my flights", "args": ["a&b"] });
        assert_eq!(server, expected);
        assert_eq!(
            links[3].1,
            "goose://extension?cmd=%2Fopt%2Fmy%20flights&arg=a%26b&id=flights&name=flights&description=flights"
        );
    }

    #[test]
    fn a_link_names_a_secret_and_its_question_only_where_the_host_can_ask() {
        let secret = SecretVariable { name: "TOKEN".to_owned(), description: "The token.".to_owned() };
        let links = links(&ServerEntry { secrets: vec![secret], ..entry() });
        assert_eq!(
            links.iter().map(|(title, _)| *title).collect::<Vec<_>>(),
            ["Cursor", "VS Code", "VS Code Insiders"]
        );
        let server: Value =
            serde_json::from_str(&decoded(links[1].1.strip_prefix("vscode:mcp/install?").unwrap())).unwrap();
        assert_eq!(server["env"], json!({ "TOKEN": "${input:flights-TOKEN}" }));
        assert_eq!(server["inputs"][0]["id"], "flights-TOKEN");
    }
}
