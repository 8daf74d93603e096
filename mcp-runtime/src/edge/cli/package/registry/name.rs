//! The name of a server in the registry: a namespace that its author owns, and a name.

/// The longest name.
const LONGEST: usize = 200;

/// Reads a name such as `io.github.ann/flights`.
pub(super) fn registry_name(text: &str) -> Result<String, String> {
    let is_part = |part: &str, others: &str| {
        let is_end = |end: Option<char>| end.is_some_and(|end| end.is_ascii_alphanumeric());
        part.chars().all(|char| char.is_ascii_alphanumeric() || others.contains(char))
            && is_end(part.chars().next())
            && is_end(part.chars().last())
    };
    let parts = text.split_once('/');
    let is_name = parts
        .is_some_and(|(namespace, name)| namespace.contains('.') && is_part(namespace, ".-") && is_part(name, "._-"));
    match is_name && text.len() <= LONGEST {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "not a name of the registry; write a domain in reverse order, `/`, and letters (A to Z), digits, `-`, `.` and \
             `_`, at most {LONGEST} characters in all, such as `io.github.ann/flights`"
        )),
    }
}

/// Returns the name in the namespace of the owner of a repository at GitHub.
pub(super) fn name_of_repository(repository: &str, server: &str) -> Option<String> {
    let owner = repository.strip_prefix("https://github.com/")?.split('/').next()?;
    registry_name(&format!("io.github.{owner}/{server}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_namespace_and_one_slash() {
        for text in ["io.github.ann/flights", "com.example/a_b.c-d", "io.github.A1-b/x"] {
            assert_eq!(registry_name(text).as_deref(), Ok(text));
        }
        let long = format!("io.github.ann/{}", "x".repeat(200));
        for text in
            ["", "flights", "ann/flights", "io.github.ann/", "io.github.ann/a/b", ".io/x", "io.x/-a", "io.x/a b", &long]
        {
            assert!(registry_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_owner_of_a_repository_gives_the_namespace() {
        let name = name_of_repository("https://github.com/ann/travel.git", "flights");
        assert_eq!(name.as_deref(), Some("io.github.ann/flights"));
        for repository in ["https://gitlab.com/ann/travel", "https://github.com/", "git@github.com:ann/travel.git"] {
            assert_eq!(name_of_repository(repository, "flights"), None, "{repository}");
        }
    }
}
