//! Reads `WWW-Authenticate`, in which a server says what authorization it requires.

/// What a server says in its challenges of the scheme `Bearer`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct BearerChallenge {
    pub(super) error: Option<String>,
    /// The scopes that the request needs, separated by spaces.
    pub(super) scope: Option<String>,
    /// The URL of the metadata of the protected resource.
    pub(super) resource_metadata: Option<String>,
}

impl BearerChallenge {
    /// Reads the values of the header. What is not valid is left out.
    pub(super) fn read(values: &[String]) -> Self {
        let mut read = Self::default();
        for value in values {
            let mut is_bearer = false;
            for part in parts(value) {
                let (scheme, parameter) = split(part.trim());
                is_bearer = scheme.map_or(is_bearer, |scheme| scheme.eq_ignore_ascii_case("bearer"));
                if let (true, Some((name, value))) = (is_bearer, parameter.split_once('=')) {
                    read.add(name.trim(), value.trim());
                }
            }
        }
        read
    }

    fn add(&mut self, name: &str, value: &str) {
        let place = match &*name.to_ascii_lowercase() {
            "error" => &mut self.error,
            "scope" => &mut self.scope,
            "resource_metadata" => &mut self.resource_metadata,
            _ => return,
        };
        place.get_or_insert_with(|| unquoted(value));
    }
}

/// Splits a value at the commas that are not inside of quotes.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    value.split(move |c: char| {
        let splits = c == ',' && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && is_quoted && !is_escaped;
        splits
    })
}

/// Splits a part into the scheme that it begins with, if there is one, and a parameter.
fn split(part: &str) -> (Option<&str>, &str) {
    match part.split_once(' ') {
        Some((scheme, rest)) if !scheme.contains('=') && !rest.trim_start().starts_with('=') => (Some(scheme), rest),
        None if !part.contains('=') => (Some(part), ""),
        _ => (None, part),
    }
}

fn unquoted(value: &str) -> String {
    let Some(quoted) = value.strip_prefix('"') else { return value.to_owned() };
    let mut text = String::new();
    let mut characters = quoted.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => text.extend(characters.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> (Option<String>, Option<String>, Option<String>) {
        let values: Vec<_> = values.iter().map(|&value| value.to_owned()).collect();
        let BearerChallenge { error, scope, resource_metadata } = BearerChallenge::read(&values);
        (error, scope, resource_metadata)
    }

    #[test]
    fn reads_the_parameters_of_the_scheme_bearer() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            read(&[r#"Bearer error="insufficient_scope", scope="a b", resource_metadata="https://a/b,c""#]),
            (some("insufficient_scope"), some("a b"), some("https://a/b,c")),
        );
        assert_eq!(read(&[r#"Basic realm="a, scope=x", bearer Scope = a"#]), (None, some("a"), None));
        assert_eq!(read(&[r#"Bearer realm="a\", scope=x""#, "Bearer scope=b"]), (None, some("b"), None));
        assert_eq!(read(&["Bearer", "DPoP scope=\"x\", error=y"]), (None, None, None));
    }

    #[test]
    fn what_is_not_valid_is_left_out() {
        for value in ["", ",,,", "=", "Bearer =", "Bearer scope", "\"", "Bearer \\\", x", "Bearer  ", "é=\"é"] {
            assert_eq!(read(&[value]), (None, None, None), "{value}");
        }
        assert_eq!(read(&["Bearer scope=\"half"]).1.as_deref(), Some("half"));
    }
}
