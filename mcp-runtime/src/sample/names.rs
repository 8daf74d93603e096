//! Names that models take: of tools, of schemas.

/// How many characters a name has at most, for models.
pub(crate) const LONGEST_NAME: usize = 64;

/// What names consist of, for models.
fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// A name as models take it, with `_` for what is not allowed.
pub(crate) fn as_name(name: &str) -> String {
    name.chars().take(LONGEST_NAME).map(|letter| if is_of_a_name(letter) { letter } else { '_' }).collect()
}

/// Whether models take this name.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_of_a_name)
}
