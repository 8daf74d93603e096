//! Suggestions for misspelled words.

/// Returns the candidate most similar to `word`, if one is similar enough.
pub(crate) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest_of(word, &mut candidates.into_iter())
}

/// Returns a suggestion to append to the error about an unknown word, or an empty text if no known word is similar.
pub(crate) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(word, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

fn nearest_of<'c>(word: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    // Long values are text, not misspelled words.
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let word = letters(word);
    let similar = |candidate: &'c str| Some((distance(&word, candidate)?, candidate));
    let candidates = candidates.filter(|candidate| candidate.len() <= LONGEST);
    candidates.filter_map(similar).min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// Returns the letters of a word in lower case, without separators. The result is the same for `maxResults`,
/// `max_results` and `max-results`.
fn letters(word: &str) -> String {
    word.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the number of edits between two words, or `None` if the words are not similar.
fn distance(word: &str, candidate: &str) -> Option<usize> {
    const TELLING: usize = 3;
    let candidate = &*letters(candidate);
    let length = |word: &str| word.chars().count();
    let (short, long) = if length(word) <= length(candidate) { (word, candidate) } else { (candidate, word) };
    let (shorter, longer) = (length(short), length(long));
    if shorter == 0 {
        return None;
    }
    let edits = strsim::osa_distance(short, long);
    if edits <= longer / 3 || (edits == 1 && shorter > 1) {
        return Some(edits);
    }
    // An abbreviation (`dest`) or a part (`limit` for `max_limit`) counts, but ranks after similar spellings.
    let part = shorter >= TELLING && (long.starts_with(short) || long.ends_with(short));
    part.then_some(longer)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_the_most_similar_word() {
        let known = ["destination", "departure_date", "max_results", "limit", "seat"];
        for (word, meant) in [
            ("dest", "destination"),
            ("destinaton", "destination"),
            ("departureDate", "departure_date"),
            ("date", "departure_date"),
            ("Max-Results", "max_results"),
            ("limti", "limit"),
            ("seats", "seat"),
        ] {
            assert_eq!(nearest(word, known), Some(meant), "{word}");
        }
    }

    #[test]
    fn suggests_nothing_for_unrelated_words() {
        let known = ["destination", "limit", "x"];
        for word in ["color", "y", "", "de", "id", &"l".repeat(1000)] {
            assert_eq!(nearest(word, known), None, "{word}");
        }
    }
}
