//! The wildcards of Git's ignore rules. Works on bytes, as Git does: `?` is one byte.

/// Returns whether the text matches the pattern. `*`, `?` and `[…]` never match a slash. `**` between slashes matches
/// any number of folders. With `folds_case`, ASCII letters match in both cases.
///
/// A pattern that Git considers invalid, such as an unclosed `[`, matches nothing. The time is polynomial: after a
/// mismatch only the last `*` takes one more byte, or else the last `**` one more folder.
pub(super) fn matches(pattern: &[u8], text: &[u8], folds_case: bool) -> bool {
    let (mut at, mut read) = (0, 0);
    // Where the last `*` and the last `**` continue after a mismatch: the positions in the pattern and in the text.
    let mut star: Option<(usize, usize)> = None;
    let mut folders: Option<(usize, usize)> = None;
    loop {
        let rest = &pattern[at..];
        if rest.is_empty() && read == text.len() {
            return true;
        }
        if let Some(length) = text.get(read).and_then(|byte| step(rest, *byte, folds_case)) {
            at += length;
            read += 1;
            continue;
        }
        let stars = rest.iter().take_while(|byte| **byte == b'*').count();
        if stars > 0 {
            let is_whole_name = stars > 1 && (at == 0 || pattern[at - 1] == b'/');
            at += stars;
            match &pattern[at..] {
                [] if is_whole_name => return true,
                [b'/', ..] if is_whole_name => {
                    at += 1;
                    (folders, star) = (Some((at, read)), None);
                    continue;
                }
                // Before an escaped slash, Git expects at least one folder.
                [b'\\', b'/', ..] if is_whole_name => (folders, star) = (Some((at + 2, read)), None),
                _ => {
                    star = Some((at, read));
                    continue;
                }
            }
        }
        if let Some((after, from)) = &mut star
            && text.get(*from).is_some_and(|byte| *byte != b'/')
        {
            *from += 1;
            (at, read) = (*after, *from);
            continue;
        }
        star = None;
        let Some((after, from)) = &mut folders else { return false };
        let Some(slash) = text[*from..].iter().position(|byte| *byte == b'/') else { return false };
        *from += slash + 1;
        (at, read) = (*after, *from);
    }
}

/// Returns the length of the first element of the pattern if it matches the byte. A `*` is not matched here.
fn step(pattern: &[u8], byte: u8, folds_case: bool) -> Option<usize> {
    let is_same = |literal: u8| literal == byte || folds_case && literal.eq_ignore_ascii_case(&byte);
    match *pattern {
        [b'*', ..] => None,
        [b'?', ..] => (byte != b'/').then_some(1),
        [b'[', ..] => class(pattern, byte, folds_case).filter(|_| byte != b'/'),
        [b'\\', literal, ..] => is_same(literal).then_some(2),
        [b'\\'] | [] => None,
        [literal, ..] => is_same(literal).then_some(1),
    }
}

/// Returns the length of the `[…]` at the beginning of the pattern, if it is valid and matches the byte.
fn class(pattern: &[u8], byte: u8, folds_case: bool) -> Option<usize> {
    let cases = [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
    let any = |contains: &dyn Fn(u8) -> bool| match folds_case {
        true => cases.into_iter().any(contains),
        false => contains(byte),
    };
    let is_negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let mut at = if is_negated { 2 } else { 1 };
    let mut is_member = false;
    // The first byte of a range: the element before the `-`, unless that is itself a range or a named class.
    let mut from = None;
    // A `]` at the beginning is a member.
    let first = at;
    while at == first || *pattern.get(at)? != b']' {
        let element = *pattern.get(at)?;
        match (element, from, pattern.get(at + 1)) {
            (b'-', Some(low), Some(end)) if *end != b']' => {
                at += 1 + usize::from(*end == b'\\');
                let high = *pattern.get(at)?;
                is_member |= any(&|byte| (low..=high).contains(&byte));
                from = None;
            }
            (b'[', _, Some(b':')) => {
                let length = pattern[at + 2..].iter().position(|byte| *byte == b']')?;
                match pattern[at + 2..at + 2 + length].split_last() {
                    Some((b':', name)) => {
                        let named = named_class(name)?;
                        is_member |= any(&|byte| named(&byte));
                        at += 2 + length;
                        from = None;
                    }
                    // Without `:]` the bracket is an ordinary member.
                    _ => {
                        is_member |= byte == b'[';
                        from = Some(b'[');
                    }
                }
            }
            (_, _, next) => {
                let literal = if element == b'\\' {
                    at += 1;
                    *next?
                } else {
                    element
                };
                is_member |= any(&|byte| byte == literal);
                from = Some(literal);
            }
        }
        at += 1;
    }
    (is_member != is_negated).then_some(at + 1)
}

/// Returns the members of a class such as `[:alpha:]`, or `None` if Git has no class of this name.
fn named_class(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        for text in matching {
            assert!(matches(pattern.as_bytes(), text.as_bytes(), false), "`{pattern}` does not match `{text}`");
        }
        for text in others {
            assert!(!matches(pattern.as_bytes(), text.as_bytes(), false), "`{pattern}` matches `{text}`");
        }
    }

    #[test]
    fn one_star_stays_in_a_name() {
        check("*", &["a", ".a", ""], &["a/b"]);
        check("a*c/*d", &["ac/d", "abc/cd"], &["a/c/d", "abc/d/e"]);
        check("*a*a*b", &["aab", "caacab"], &["ab", "aa/b"]);
        check("a**b/c", &["ab/c", "axb/c"], &["a/b/c"]);
    }

    #[test]
    fn two_stars_match_any_number_of_folders() {
        check("**/a", &["a", "b/a", "b/c/a"], &["ba", "a/b"]);
        check("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a/xb", "ab"]);
        check("a/**", &["a/b", "a/b/c"], &["a", "ab"]);
        check("**/a*/**/*.c", &["a/b.c", "x/ab/y/z/b.c"], &["b/b.c", "a.c"]);
        check("**\\/a", &["b/a", "b/c/a"], &["a"]);
    }

    #[test]
    fn classes_have_ranges_names_and_escapes() {
        check("[a-c]", &["a", "b", "c"], &["d", "-", "B"]);
        check("[!a-c]", &["d", "["], &["a"]);
        check("[^a]", &["b", "^"], &["a"]);
        check("[]a-]", &["]", "a", "-"], &["b"]);
        check("[a-c-e]", &["b", "-", "e"], &["d"]);
        check("[\\]]", &["]"], &["\\"]);
        check("[a-\\c]", &["b"], &["\\"]);
        check("[[:digit:]x]", &["7", "x"], &[":", "["]);
        check("[[:x]", &["[", ":", "x"], &["]"]);
        check("a[/]b", &[], &["a/b"]);
    }

    #[test]
    fn an_invalid_pattern_matches_nothing() {
        check("[a", &[], &["a", "[a"]);
        check("[[:none:]]", &[], &["n", "none"]);
        check("a\\", &[], &["a", "a\\"]);
    }

    #[test]
    fn letters_match_in_both_cases_if_the_case_is_folded() {
        for (pattern, text) in [("Key.*", "kEY.a"), ("[a-c]", "B"), ("[[:upper:]]", "a"), ("\\K", "k")] {
            assert!(matches(pattern.as_bytes(), text.as_bytes(), true), "{pattern}");
            assert!(!matches(pattern.as_bytes(), text.as_bytes(), false), "{pattern}");
        }
    }

    #[test]
    fn many_stars_take_polynomial_time() {
        let pattern = "**/*a*a*a*a*a*a*a*a".repeat(4) + "b";
        let text = "a".repeat(100) + &"/aaaaaaaaaaaaaaaa".repeat(60);
        assert!(!matches(pattern.as_bytes(), text.as_bytes(), false));
    }
}
