//! Suggestions for misspelled words.

/// Returns the candidate most similar to `word`, if one is similar enough.
pub(crate) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest_of(word, &mut candidates.into_iter())
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
fn letters(word: &str) -> Vec<char> {
    word.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the number of edits between two words, or `None` if the words are not similar.
fn distance(word: &[char], candidate: &str) -> Option<usize> {
    const TELLING: usize = 3;
    let candidate = &*letters(candidate);
    let (short, long) = if word.len() <= candidate.len() { (word, candidate) } else { (candidate, word) };
    if short.is_empty() {
        return None;
    }
    let edits = edits(short, long);
    if edits <= long.len() / 3 || (edits == 1 && short.len() > 1) {
        return Some(edits);
    }
    // An abbreviation (`dest`) or a part (`limit` for `max_limit`) counts, but ranks after similar spellings.
    let part = short.len() >= TELLING && (long.starts_with(short) || long.ends_with(short));
    part.then_some(long.len())
}

/// Counts the edits between two words: insertions, deletions, replacements, swapped neighbours.
fn edits(left: &[char], right: &[char]) -> usize {
    let mut before_last = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut row = vec![0; right.len() + 1];
    for (i, &char) in left.iter().enumerate() {
        row[0] = i + 1;
        for (j, &other) in right.iter().enumerate() {
            let replaced = last[j] + usize::from(char != other);
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && char == right[j - 1] && left[i - 1] == other {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[right.len()]
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
