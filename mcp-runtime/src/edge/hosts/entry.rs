//! What a host learns about the server, whatever the form of its file.

/// An entry for a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerEntry {
    pub(crate) name: String,
    pub(crate) target: ServerTarget,
    /// Environment variables of the program, with their values. The file contains them in plain text.
    pub(crate) variables: Vec<(String, String)>,
    /// Environment variables whose values are secrets. The file contains only their names: the host passes on the
    /// variable of its own environment, or asks the user for the value.
    pub(crate) secrets: Vec<SecretVariable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ServerTarget {
    /// The host starts this program and talks to it on standard input and output.
    Program { path: String, arguments: Vec<String> },
    /// The host connects to this URL.
    Url(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecretVariable {
    pub(crate) name: String,
    /// What a host that asks for the value tells the user.
    pub(crate) description: String,
}

/// The longest name of an entry.
const LONGEST: usize = 64;

/// Returns the name if all hosts accept it.
pub(crate) fn entry_name(name: &str) -> Result<String, String> {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || "_-".contains(char);
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_allowed) {
        return Err(format!("a name has 1 to {LONGEST} letters (A to Z), digits, `-` and `_`"));
    }
    Ok(name.to_owned())
}

/// Returns a name that all hosts accept, made from the name of the server.
pub(crate) fn entry_name_of(server: &str) -> String {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let parts = server.split(|char| !is_allowed(char)).filter(|part| !part.is_empty());
    let name: String = parts.collect::<Vec<_>>().join("-").chars().take(LONGEST).collect();
    if name.is_empty() { "server".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_any_server_is_a_name_of_an_entry() {
        for (server, name) in [
            ("flights", "flights"),
            ("My Server!", "My-Server"),
            ("io.github.me/flights", "io-github-me-flights"),
            ("a_b-c", "a_b-c"),
            ("日本", "server"),
            ("", "server"),
        ] {
            assert_eq!(entry_name_of(server), name);
            assert_eq!(entry_name(name).as_deref(), Ok(name));
        }
        assert_eq!(entry_name_of(&"x".repeat(99)).len(), LONGEST);
    }

    #[test]
    fn rejects_a_name_that_a_host_does_not_accept() {
        for name in ["", "a b", "a/b", "a.b", "ü", &"x".repeat(65)] {
            assert!(entry_name(name).is_err(), "{name}");
        }
    }
}
