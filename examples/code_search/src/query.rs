//! The arguments of `search`, as one struct.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::CodeError;

/// What to search for, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// A regular expression (Rust syntax: no look-around, no back references), matched against one line at a time.
    /// Write `\(` for a literal parenthesis.
    #[schemars(length(min = 1, max = 1000))]
    pub(crate) pattern: String,
    /// A directory or file below the root: search only there.
    #[schemars(length(max = 1000))]
    #[serde(default = "everywhere")]
    pub(crate) path: String,
    /// Search only files that fit these globs, written as in a `.gitignore`: `*.rs` is in any directory, `src/**` is
    /// all below `src`, `!*.lock` leaves files out.
    #[serde(default)]
    pub(crate) globs: Vec<String>,
    /// Whether to ignore case.
    #[serde(default)]
    pub(crate) ignore_case: bool,
    /// How many lines to show before and after each line that matches.
    #[schemars(range(max = 10))]
    #[serde(default)]
    pub(crate) context: usize,
    /// How many lines that match to show at most.
    #[schemars(range(min = 1, max = 500))]
    #[serde(default = "hundred")]
    pub(crate) limit: usize,
}

fn everywhere() -> String {
    ".".into()
}

fn hundred() -> usize {
    100
}

impl Query {
    /// Returns the compiled pattern.
    pub(crate) fn matcher(&self) -> Result<RegexMatcher, CodeError> {
        let pattern = &self.pattern;
        // The matcher changes the pattern before it parses it, and its errors show the changed pattern. So the pattern
        // is parsed here first. The last line of the error says what is wrong.
        if let Err(error) = Regex::new(pattern) {
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default();
            let reason = reason.trim_start_matches("error: ").trim_end_matches('.');
            return Err(CodeError::Pattern { pattern: pattern.clone(), reason: reason.into() });
        }
        let mut builder = RegexMatcherBuilder::new();
        // `crlf`: a `$` also matches before the `\r\n` of files from Windows.
        let built = builder.case_insensitive(self.ignore_case).multi_line(true).crlf(true).build(pattern);
        built.map_err(|reason| CodeError::PatternOfLines { pattern: pattern.clone(), reason })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Creates a search for this pattern in all files.
    pub(crate) fn query(pattern: &str) -> Query {
        serde_json::from_value(serde_json::json!({ "pattern": pattern })).unwrap()
    }

    #[test]
    fn an_invalid_pattern_is_rejected_with_the_reason() {
        let refused = |pattern| query(pattern).matcher().unwrap_err().to_string();
        assert_eq!(refused("fn ("), "`fn (` is not a regular expression: unclosed group");
        assert!(refused(r"\w{1000}{1000}").starts_with(r"`\w{1000}{1000}` is not a regular expression: "));
        assert_eq!(
            refused(r"a\nb"),
            r#"`a\nb` cannot be searched for, as lines are matched one by one: the literal "\n" is not allowed in a regex"#
        );
    }
}
