//! Names on the wire, of fields and of forms.

/// Names that every object of JavaScript has: a client that keeps answers in a plain object loses or confuses them.
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

/// Why a name cannot be one on the wire.
#[derive(Debug, PartialEq)]
pub(crate) enum NoName {
    Empty,
    Long(usize),
    Letter(char),
    Reserved,
}

/// # Errors
/// Whatever clients could not carry: anything but 1 to 64 ASCII letters, digits, `_`, `-` and `.`.
pub(crate) fn wire_name(name: &str) -> Result<(), NoName> {
    if name.is_empty() {
        Err(NoName::Empty)
    } else if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.')) {
        Err(NoName::Letter(odd))
    } else if name.len() > 64 {
        Err(NoName::Long(name.len()))
    } else if RESERVED.contains(&name) {
        Err(NoName::Reserved)
    } else {
        Ok(())
    }
}

impl NoName {
    /// What is wrong with the name of `owner`, and what to write.
    pub(crate) fn message(&self, owner: &str, name: &str, mend: &str) -> String {
        match self {
            Self::Empty => format!("{owner} needs a name; {mend}"),
            Self::Long(length) => {
                format!("the name of {owner} has at most 64 characters, this one has {length}; {mend}")
            }
            Self::Letter(odd) => {
                let odd = if *odd == ' ' { "no spaces".to_owned() } else { format!("no `{odd}`") };
                format!("the name of {owner} has {odd}, only ASCII letters, digits, `_`, `-` and `.`; {mend}")
            }
            Self::Reserved => {
                format!("`{name}` is a name that every object of a JavaScript client has already; {mend}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_every_client_can_carry() {
        for name in ["a", "flight_id", "Card-2.x", &"a".repeat(64), "proto", "__x__"] {
            assert_eq!(wire_name(name), Ok(()), "{name}");
        }
        for (name, problem) in [
            ("", NoName::Empty),
            ("a b", NoName::Letter(' ')),
            ("größe", NoName::Letter('ö')),
            ("a#2", NoName::Letter('#')),
            (&"a".repeat(65), NoName::Long(65)),
            ("__proto__", NoName::Reserved),
            ("toString", NoName::Reserved),
        ] {
            assert_eq!(wire_name(name), Err(problem), "{name}");
        }
    }
}
