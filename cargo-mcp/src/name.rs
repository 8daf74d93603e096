//! The names that a new package can have.

use std::fmt;

use crate::template::Template;

/// The longest name of a server that all hosts take.
const LONGEST: usize = 64;

/// Names that Rust or Cargo use themselves.
const RESERVED: [&str; 55] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "unsafe",
    "use",
    "where",
];

/// A name of a package that Cargo and hosts accept.
pub(crate) struct PackageName(String);

impl PackageName {
    /// # Errors
    /// If a package of this template cannot have this name.
    pub(crate) fn new(name: String, template: Template) -> Result<Self, String> {
        match problem(&name, template) {
            Some(problem) => Err(format!("a package cannot be called `{name}`: {problem}; add `--name NAME`")),
            None => Ok(Self(name)),
        }
    }
}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn problem(name: &str, template: Template) -> Option<String> {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || "-_".contains(char);
    let depends =
        template.manifest().lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" = {")));
    if !name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        Some("a name begins with a letter".to_owned())
    } else if !name.chars().all(is_allowed) {
        Some("a name has letters, digits, `-` and `_`".to_owned())
    } else if name.len() > LONGEST {
        Some(format!("a name has at most {LONGEST} characters"))
    } else if RESERVED.contains(&&*name.to_ascii_lowercase().replace('_', "-")) {
        Some("Rust or Cargo uses this name".to_owned())
    } else if depends || name == "tokio" || name == "axum" {
        Some("the package uses one of this name".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_names_of_packages() {
        for name in ["notes", "my-server", "My_Server2", &"x".repeat(64)] {
            assert!(PackageName::new(name.to_owned(), Template::Tool).is_ok(), "{name}");
        }
    }

    #[test]
    fn says_why_a_name_is_refused() {
        for (name, reason) in [
            ("", "begins with a letter"),
            ("2fast", "begins with a letter"),
            ("-x", "begins with a letter"),
            ("a b", "letters, digits"),
            ("a/b", "letters, digits"),
            ("ü", "begins with a letter"),
            ("test", "uses this name"),
            ("proc_macro", "uses this name"),
            ("match", "uses this name"),
            ("tokio", "one of this name"),
            ("mcp-runtime", "one of this name"),
            (&"x".repeat(65), "at most 64"),
        ] {
            let refused = PackageName::new(name.to_owned(), Template::Tool).err().unwrap_or_default();
            assert!(refused.contains(reason), "{name}: {refused}");
        }
        assert!(PackageName::new("service".to_owned(), Template::Contract).is_err());
    }
}
