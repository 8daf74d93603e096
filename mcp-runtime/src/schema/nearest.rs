//! The known word nearest to a misspelt one.

/// The candidate most likely meant by `word`, if one is near enough to be worth saying.
pub(crate) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Long values are texts, not misspelt words.
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let word = letters(word);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter_map(|candidate| Some((distance(&word, &letters(candidate))?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// What is compared: case and separators say nothing (`maxResults`, `max_results`, `max-results`).
fn letters(word: &str) -> Vec<char> {
    word.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How far the two are apart, if they are near at all.
fn distance(word: &[char], candidate: &[char]) -> Option<usize> {
    const TELLING: usize = 3;
    let (short, long) = if word.len() <= candidate.len() { (word, candidate) } else { (candidate, word) };
    if short.is_empty() {
        return None;
    }
    let edits = edits(short, long);
    if edits <= long.len() / 3 || (edits == 1 && short.len() > 1) {
        return Some(edits);
    }
    // An abbreviation (`dest`) or a part of it (`limit` for `max_limit`) beats nothing, but no near spelling.
    let part = short.len() >= TELLING && (long.starts_with(short) || long.ends_with(short));
    part.then_some(long.len())
}

/// Edits that make one of the other: insertions, deletions, replacements, swapped neighbours.
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
    fn misspelt_words_find_what_was_meant() {
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
    fn strangers_find_nothing() {
        let known = ["destination", "limit", "x"];
        for word in ["color", "y", "", "de", "id", &"l".repeat(1000)] {
            assert_eq!(nearest(word, known), None, "{word}");
        }
    }
}
