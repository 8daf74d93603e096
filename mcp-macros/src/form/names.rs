//! Names of fields and forms on the wire.

/// Property names that every JavaScript object has. If a client stores answers in a plain object, it could lose an
/// answer with such a name.
const RESERVED: &[&str] = &[
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "prototype",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Why a name is invalid on the wire.
#[derive(Debug, PartialEq)]
pub(crate) enum InvalidName {
    Empty,
    Long(usize),
    Letter(char),
    Reserved,
}

/// Checks that every client can use the name. A valid name has 1 to 64 characters: ASCII letters, digits, `_`, `-` and
/// `.`. A property of every JavaScript object, such as `toString`, is not a valid name.
pub(crate) fn wire_name(name: &str) -> Result<(), InvalidName> {
    if name.is_empty() {
        Err(InvalidName::Empty)
    } else if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.')) {
        Err(InvalidName::Letter(odd))
    } else if name.len() > 64 {
        Err(InvalidName::Long(name.len()))
    } else if RESERVED.contains(&name) {
        Err(InvalidName::Reserved)
    } else {
        Ok(())
    }
}

impl InvalidName {
    /// Returns the message for the invalid `name` of `owner`. The message ends with `mend`, which tells the author what
    /// to write.
    pub(crate) fn message(&self, owner: &str, name: &str, mend: &str) -> String {
        match self {
            Self::Empty => format!("the name of {owner} is empty; {mend}"),
            Self::Long(length) => {
                format!("the name of {owner} can have at most 64 characters, but this one has {length}; {mend}")
            }
            Self::Letter(odd) => {
                let odd = if *odd == ' ' { "spaces".to_owned() } else { format!("`{odd}`") };
                format!(
                    "the name of {owner} cannot contain {odd}; \
                     allowed are ASCII letters, digits, `_`, `-` and `.`; {mend}"
                )
            }
            Self::Reserved => {
                format!(
                    "every JavaScript object has a property `{name}`, so some clients would lose the answer; {mend}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_names_that_every_client_can_carry() {
        for name in ["a", "flight_id", "Card-2.x", &"a".repeat(64), "proto", "__x__"] {
            assert_eq!(wire_name(name), Ok(()), "{name}");
        }
        for (name, problem) in [
            ("", InvalidName::Empty),
            ("a b", InvalidName::Letter(' ')),
            ("größe", InvalidName::Letter('ö')),
            ("a#2", InvalidName::Letter('#')),
            (&"a".repeat(65), InvalidName::Long(65)),
            ("__proto__", InvalidName::Reserved),
            ("toString", InvalidName::Reserved),
        ] {
            assert_eq!(wire_name(name), Err(problem), "{name}");
        }
    }
}
