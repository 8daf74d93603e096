//! The rules of one `.gitignore`, read and matched as Git does.
//!
//! The crate `ignore` differs from Git in byte order marks, carriage returns, tabs and size, and a rule that is lost here
//! serves a secret. `gix-ignore` would bring fifteen crates.

use super::wildmatch::matches;

/// Whether names match in both cases. This is what `git init` configures on these systems (`core.ignoreCase`).
const FOLDS_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// The rules of a `.gitignore`.
#[derive(Debug, Default)]
pub(super) struct IgnoreFile {
    text: Vec<u8>,
    rules: Vec<IgnoreRule>,
}

/// One rule. Its pattern is a part of the file's text.
#[derive(Debug)]
struct IgnoreRule {
    start: usize,
    end: usize,
    kind: RuleKind,
}

#[derive(Clone, Copy, Debug)]
struct RuleKind {
    /// Whether the rule begins with `!`: it serves what an earlier rule excludes.
    is_negated: bool,
    /// Whether the rule ends with a slash.
    is_for_folders: bool,
    /// Whether the rule has no other slash: it matches names in all folders.
    is_for_names: bool,
}

impl IgnoreFile {
    /// Reads the rules. Every text is valid: Git also skips what it does not understand.
    pub(super) fn parse(text: Vec<u8>) -> Self {
        let mut rules = Vec::new();
        let mut start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        for line in text[start..].split(|byte| *byte == b'\n') {
            rules.extend(IgnoreRule::parse(line, start));
            start += line.len() + 1;
        }
        Self { text, rules }
    }

    /// Returns whether the last rule that matches the path excludes it. Returns `None` if no rule matches. The path is
    /// relative to the folder of the file, with slashes.
    pub(super) fn excludes(&self, path: &str, is_folder: bool) -> Option<bool> {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let matching = self.rules.iter().rev().find(|rule| {
            let pattern = &self.text[rule.start..rule.end];
            (is_folder || !rule.kind.is_for_folders)
                && match rule.kind.is_for_names {
                    true => matches(pattern, name.as_bytes(), FOLDS_CASE),
                    false => matches_path(pattern, path.as_bytes(), rule.kind.is_negated),
                }
        });
        matching.map(|rule| !rule.kind.is_negated)
    }
}

/// Returns whether a pattern with a slash matches the path.
///
/// Versions of Git differ about `a**/b`. Its documentation says that this `**` is like `*`, but older versions read it
/// as `a` and `**/b`. The file is served only if all versions serve it.
fn matches_path(pattern: &[u8], path: &[u8], is_negated: bool) -> bool {
    let is_match = matches(pattern, path, FOLDS_CASE);
    let wildcard = pattern.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(pattern.len());
    let (literal, rest) = pattern.split_at(wildcard);
    if literal.is_empty() || literal.ends_with(b"/") || !rest.starts_with(b"**") {
        return is_match;
    }
    let older = path.split_at_checked(wildcard).is_some_and(|(start, end)| {
        let is_start = if FOLDS_CASE { start.eq_ignore_ascii_case(literal) } else { start == literal };
        is_start && matches(rest, end, FOLDS_CASE)
    });
    if is_negated { is_match && older } else { is_match || older }
}

impl IgnoreRule {
    /// Reads a line, which begins at `start`. Returns `None` for a comment and for an empty line.
    fn parse(line: &[u8], start: usize) -> Option<Self> {
        if line.starts_with(b"#") {
            return None;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Git reads a line as a C string.
        let line = line.split(|byte| *byte == 0).next()?;
        let line = without_trailing_spaces(line);
        let (is_negated, pattern) = line.strip_prefix(b"!").map_or((false, line), |pattern| (true, pattern));
        let (is_for_folders, pattern) = pattern.strip_suffix(b"/").map_or((false, pattern), |pattern| (true, pattern));
        let is_for_names = !pattern.contains(&b'/');
        let start = start + usize::from(is_negated) + usize::from(pattern.starts_with(b"/"));
        let pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
        let kind = RuleKind { is_negated, is_for_folders, is_for_names };
        (!pattern.is_empty()).then_some(Self { start, end: start + pattern.len(), kind })
    }
}

/// Removes the spaces at the end, unless a backslash precedes them. Tabs stay.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b' ' => {}
            // Git does not remove spaces if the line ends with a backslash.
            b'\\' if at + 1 == line.len() => return line,
            b'\\' => {
                at += 1;
                end = at + 1;
            }
            _ => end = at + 1,
        }
        at += 1;
    }
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, path: &str, excludes: Option<bool>) {
        let file = IgnoreFile::parse(text.as_bytes().to_vec());
        assert_eq!(file.excludes(path, false), excludes, "{text:?}: {path:?}");
    }

    #[test]
    fn the_last_matching_rule_decides() {
        check("*.key\n!a.key\n", "a.key", Some(false));
        check("!a.key\n*.key\n", "a.key", Some(true));
        check("*.key", "a.md", None);
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_first_rule() {
        check("\u{feff}secret.key\n", "secret.key", Some(true));
        check("a\n\u{feff}secret.key\n", "secret.key", None);
    }

    #[test]
    fn lines_end_with_a_line_feed_or_with_crlf() {
        check("a\r\nb\r\n", "a", Some(true));
        check("a\r", "a", Some(true));
        check("a\rb\n", "a", None);
        check("a\rb\n", "a\rb", Some(true));
    }

    #[test]
    fn trailing_spaces_are_removed_unless_they_are_escaped() {
        check("a  \n", "a", Some(true));
        check("a\\ \n", "a ", Some(true));
        check("a\\  \n", "a ", Some(true));
        check("a\t\n", "a", None);
        check("a\t\n", "a\t", Some(true));
    }

    #[test]
    fn versions_of_git_that_differ_serve_less() {
        for path in ["abc/b", "ab", "a/x/b"] {
            check("a**/b", path, Some(true));
        }
        check("a**/b", "b", None);
        check("!a**/b", "abc/b", Some(false));
        check("!a**/b", "a/x/b", None);
    }

    #[test]
    fn a_slash_binds_a_rule_to_its_folder() {
        check("b", "a/b", Some(true));
        check("/b", "a/b", None);
        check("a/b", "a/b", Some(true));
        check("a/b", "c/a/b", None);
        check("b/", "b", None);
        check("\\!b", "!b", Some(true));
        check("\\#b", "#b", Some(true));
    }
}
