//! Splits names and texts into words, and reduces words to their stems.

/// Words that say nothing about what a tool does, in alphabetical order.
const STOP_WORDS: [&str; 18] =
    ["an", "and", "are", "at", "be", "by", "for", "from", "in", "is", "it", "me", "my", "of", "on", "or", "the", "to"];

/// The length of the longest word that is not shortened.
const SHORT_WORD: usize = 3;

/// Calls `each` with the stem of each word: `getHTTPReply2` has the words `get`, `http`, `reply` and `2`. A letter of a
/// script without spaces is a word.
pub(super) fn each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut letters = text.chars().peekable();
    let (mut word, mut last) = (String::new(), LetterKind::Other);
    while let Some(letter) = letters.next() {
        let kind = LetterKind::of(letter);
        let ends = match (last, kind) {
            // The last capital of `HTTPReply` belongs to the second word, and that of `PDFs` does not.
            (LetterKind::Upper, LetterKind::Upper) => {
                let mut next = letters.clone();
                let kind = |letter: Option<char>| letter.map(LetterKind::of);
                let is_plural = next.peek() == Some(&'s');
                kind(next.next()) == Some(LetterKind::Lower)
                    && !(is_plural && kind(next.next()) != Some(LetterKind::Lower))
            }
            (LetterKind::Upper, LetterKind::Lower) => false,
            (before, now) => before != now || now == LetterKind::Single,
        };
        if ends {
            end(&mut word, last, &mut each);
        }
        if kind != LetterKind::Other {
            word.extend(letter.to_lowercase());
        }
        last = kind;
    }
    end(&mut word, last, &mut each);
}

fn end(word: &mut String, kind: LetterKind, each: &mut impl FnMut(&str)) {
    let is_letter = matches!(kind, LetterKind::Lower | LetterKind::Upper) && word.chars().nth(1).is_none();
    if !word.is_empty() && !is_letter && STOP_WORDS.binary_search(&&**word).is_err() {
        stem(word);
        each(word);
    }
    word.clear();
}

/// What a character is for the end of a word.
#[derive(Clone, Copy, PartialEq)]
enum LetterKind {
    Lower,
    Upper,
    Digit,
    /// A letter of a script without spaces between words.
    Single,
    Other,
}

impl LetterKind {
    fn of(letter: char) -> Self {
        match letter {
            _ if letter.is_numeric() => Self::Digit,
            _ if letter.is_uppercase() => Self::Upper,
            // Chinese, Japanese, Thai and others.
            '\u{e00}'..='\u{edf}' | '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
                if letter.is_alphabetic() =>
            {
                Self::Single
            }
            _ if letter.is_alphabetic() => Self::Lower,
            _ => Self::Other,
        }
    }
}

/// Removes the endings of English plurals and verbs, so that `repositories`, `created` and `searching` match `repository`,
/// `create` and `search`. Words that match need not be words: `creat`.
fn stem(word: &mut String) {
    if word.len() <= SHORT_WORD || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    if word.ends_with("ies") && word.len() > 4 {
        word.replace_range(word.len() - 3.., "y");
    } else if word.ends_with("sses") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") {
        word.pop();
    }
    for ending in ["ing", "ed"] {
        let Some(rest) = word.strip_suffix(ending) else { continue };
        let has_vowel = rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        if rest.len() >= SHORT_WORD && has_vowel {
            word.truncate(rest.len());
            undouble(word);
            break;
        }
    }
    if word.len() > 4 && word.ends_with('e') {
        word.pop();
    }
    if word.len() > 4 && word.ends_with('y') {
        word.replace_range(word.len() - 1.., "i");
    }
}

/// Removes the second of two equal letters at the end, which `stop` gets in `stopped`. `fill` and `pass` keep theirs.
fn undouble(word: &mut String) {
    if let [.., before, last] = word.as_bytes()
        && before == last
        && word.len() > SHORT_WORD
        && !b"lsz".contains(last)
    {
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn splits_names_at_capitals_digits_and_separators() {
        assert_eq!(words("getHTTPReply2"), ["get", "http", "repli", "2"]);
        assert_eq!(words("git_log-v3.all"), ["git", "log", "3", "all"]);
        assert_eq!(words("IBM PDFs"), ["ibm", "pdf"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["repository", "repositories"][..],
            &["create", "creates", "created", "creating"],
            &["search", "searches", "searched", "searching"],
            &["stop", "stops", "stopped", "stopping"],
            &["fill", "fills", "filled", "filling"],
            &["class", "classes"],
        ] {
            let stems: Vec<_> = forms.iter().flat_map(|form| words(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?}: {stems:?}");
        }
        assert_eq!(words("string status bus 123s"), ["string", "status", "bus", "123"], "these have no ending");
    }

    #[test]
    fn words_without_meaning_are_left_out() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(words("The title of a page, and don't!"), ["titl", "page", "don"]);
    }

    #[test]
    fn reads_other_scripts() {
        assert_eq!(words("Größe ändern"), ["größe", "ändern"]);
        assert_eq!(words("天気 API"), ["天", "気", "api"]);
        assert_eq!(words("Погода"), ["погода"]);
    }
}
