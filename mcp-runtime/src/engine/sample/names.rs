//! The names of tools and schemas that model APIs accept.

/// The maximum length of a name, in characters.
pub(crate) const LONGEST_NAME: usize = 64;

fn is_allowed(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// Converts a text to a valid name: cuts it to the maximum length, and replaces each invalid character by `_`.
pub(crate) fn as_name(name: &str) -> String {
    name.chars().take(LONGEST_NAME).map(|letter| if is_allowed(letter) { letter } else { '_' }).collect()
}

pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_allowed)
}
