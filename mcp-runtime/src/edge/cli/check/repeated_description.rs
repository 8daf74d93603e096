//! Finds descriptions that only repeat a name.
//!
//! Both crates have this file, because the macros cannot use the runtime. A test compares the two copies.

/// Words that say nothing about an item.
const EMPTY_WORDS: &[&str] = &[
    "a", "an", "and", "does", "execute", "for", "function", "is", "of", "perform", "prompt", "resource", "run",
    "setting", "the", "this", "to", "tool", "use", "used",
];

/// Returns whether the description says no more than the name: `Searches files.` of `search_files`.
pub(crate) fn repeats_name(name: &str, description: &str) -> bool {
    let known = stems(name);
    let mut words = stems(description).into_iter();
    words.all(|word| known.contains(&word) || EMPTY_WORDS.iter().any(|empty| stem(empty) == word))
}

/// Returns the words of a text, without their endings. A name has any style, such as `pick_flight` or `PickFlight`.
fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    let mut word = String::new();
    for letter in text.chars().chain([' ']) {
        let begins = letter.is_uppercase() && word.chars().next_back().is_some_and(char::is_lowercase);
        if (begins || !letter.is_alphanumeric()) && !word.is_empty() {
            stems.push(stem(&word.to_lowercase()));
            word.clear();
        }
        if letter.is_alphanumeric() {
            word.push(letter);
        }
    }
    stems
}

/// Removes the ending of an English word: `search` for `searches`, and `copy` for `copies`.
fn stem(word: &str) -> String {
    if let Some(begin) = word.strip_suffix("ies").filter(|begin| begin.len() > 1) {
        return format!("{begin}y");
    }
    if word.ends_with("ss") {
        return word.to_owned();
    }
    let cut = ["es", "s", "ing", "ed", "e"].iter().filter_map(|ending| word.strip_suffix(ending));
    cut.filter(|begin| begin.len() > 1).map(str::to_owned).next().unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_repeats_a_name_if_it_has_no_other_word() {
        for (name, description) in [
            ("search", "Searches."),
            ("search_files", "Search the files"),
            ("copyFile", "Copies a file."),
            ("handle_dialog", "Handle a dialog"),
            ("roll", "A tool."),
            ("roll", "…"),
        ] {
            assert!(repeats_name(name, description), "{name}: {description}");
        }
        for (name, description) in [
            ("search", "Searches files."),
            ("roll", "Rolls a die."),
            ("file_upload", "Upload one or multiple files"),
            ("count", "Counts its calls"),
            ("browser_resize", "Resize the browser window"),
            ("list_branches", "List branches in a GitHub repository"),
            ("greet", "日本語"),
        ] {
            assert!(!repeats_name(name, description), "{name}: {description}");
        }
    }
}
