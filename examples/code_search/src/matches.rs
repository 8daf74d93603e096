//! The result of `search`: the lines that match a pattern.

use std::io;

use grep_matcher::LineTerminator;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    error::CodeError,
    line::Line,
    query::Query,
    root::{Entry, Root},
    watch::Watch,
};

/// What a search found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Matches {
    /// The files with at least one line that matches, sorted by path.
    pub(crate) files: Vec<FileMatches>,
    /// The number of matching lines in `files`.
    pub(crate) matching_lines: usize,
    /// The number of files that were searched.
    pub(crate) files_searched: usize,
    /// The number of files that were skipped because they are binary or could not be read.
    pub(crate) files_skipped: usize,
    /// Whether the limit was reached and more lines match than are shown.
    pub(crate) truncated: bool,
}

/// The lines of one file that match, and the lines around them.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileMatches {
    /// The file's path, as `read_lines` and `outline` take it.
    pub(crate) path: String,
    /// The lines, in order.
    pub(crate) lines: Vec<Line>,
}

/// The longest line that is searched, in bytes. It limits the memory for a file without line breaks.
const LONGEST_LINE: usize = 8 << 20;

impl Root {
    /// Searches the tree.
    pub(crate) fn search(&self, query: &Query, watch: &impl Watch) -> Result<Matches, CodeError> {
        /// How many files are searched between two reports of progress.
        const STEP: usize = 100;

        let matcher = query.matcher()?;
        let mut searcher = searcher(query.context);
        let files = self.files(&self.entry(&query.path)?, &query.globs, watch)?;

        let mut found =
            Matches { files: Vec::new(), matching_lines: 0, files_searched: 0, files_skipped: 0, truncated: false };
        for (done, file) in files.iter().enumerate() {
            if done % STEP == 0 {
                watch.files(done, files.len());
            }
            if watch.is_cancelled() {
                return Err(CodeError::Cancelled);
            }
            let left = query.limit - found.matching_lines;
            match search_file(&mut searcher, &matcher, file, left) {
                Ok(hits) => {
                    found.files_searched += 1;
                    found.matching_lines += hits.matching;
                    found.truncated = hits.truncated;
                    if !hits.lines.is_empty() {
                        found.files.push(FileMatches { path: file.name.clone(), lines: hits.lines });
                    }
                }
                Err(reason) => {
                    found.files_skipped += 1;
                    watch.skipped(&reason);
                }
            }
            if found.truncated {
                return Ok(found);
            }
        }
        watch.files(files.len(), files.len());
        Ok(found)
    }
}

fn searcher(context: usize) -> Searcher {
    SearcherBuilder::new()
        .line_terminator(LineTerminator::crlf())
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(LONGEST_LINE))
        .before_context(context)
        .after_context(context)
        .build()
}

/// Collects the lines of one file, with at most `limit` matches.
fn search_file(searcher: &mut Searcher, matcher: &RegexMatcher, file: &Entry, limit: usize) -> Result<Hits, CodeError> {
    let path = || file.name.clone();
    let mut collector = Collector { matcher, limit, hits: Hits::default(), is_binary: false };
    let searched = searcher.search_path(matcher, &file.path, &mut collector);
    searched.map_err(|source| CodeError::Io { path: path(), source })?;
    if collector.is_binary { Err(CodeError::Binary { path: path() }) } else { Ok(collector.hits) }
}

#[derive(Default)]
struct Hits {
    lines: Vec<Line>,
    matching: usize,
    truncated: bool,
}

/// Collects the lines of one file. The searcher calls a method of this type for each line that it finds.
struct Collector<'a> {
    matcher: &'a RegexMatcher,
    limit: usize,
    hits: Hits,
    is_binary: bool,
}

impl Sink for Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, line: &SinkMatch<'_>) -> io::Result<bool> {
        if self.hits.matching == self.limit {
            self.hits.truncated = true;
            return Ok(false);
        }
        self.hits.matching += 1;
        self.hits.lines.push(Line::matching(line.line_number().unwrap_or(0), line.bytes(), self.matcher));
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        self.hits.lines.push(Line::context(line.line_number().unwrap_or(0), line.bytes()));
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> io::Result<()> {
        self.is_binary = end.binary_byte_offset().is_some();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, fs};

    use super::{
        super::{
            query::tests::query,
            watch::tests::{Impatient, Patient},
        },
        *,
    };

    fn fixture() -> Root {
        Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixture")).unwrap()
    }

    fn search(query: &Query) -> Matches {
        fixture().search(query, &Patient).unwrap()
    }

    fn shown(matches: &Matches) -> Vec<String> {
        let of_file = |file: &FileMatches| {
            file.lines.iter().map(|line| format!("{}:{}", file.path, line.line)).collect::<Vec<_>>()
        };
        matches.files.iter().flat_map(of_file).collect()
    }

    #[test]
    fn finds_lines_and_leaves_out_binary_files() {
        let found = search(&query("TODO"));
        assert_eq!(shown(&found), ["src/average.rs:3", "tools/report.py:12", "web/chart.ts:24"]);
        assert_eq!((found.matching_lines, found.files_searched, found.files_skipped), (3, 7, 1));
        assert!(!found.truncated);
    }

    #[test]
    fn a_path_and_globs_limit_the_search() {
        assert_eq!(shown(&search(&Query { path: "web".into(), ..query("TODO") })), ["web/chart.ts:24"]);
        assert_eq!(shown(&search(&Query { path: "src/average.rs".into(), ..query("TODO") })), ["src/average.rs:3"]);
        assert_eq!(shown(&search(&Query { globs: vec!["*.py".into()], ..query("TODO") })), ["tools/report.py:12"]);
    }

    #[test]
    fn case_is_ignored_when_asked() {
        assert!(search(&query("todo")).files.is_empty());
        assert_eq!(search(&Query { ignore_case: true, ..query("todo") }).matching_lines, 3);
    }

    #[test]
    fn context_lines_match_nothing() {
        let found = search(&Query { context: 1, globs: vec!["average.rs".into()], ..query("TODO") });
        assert_eq!(shown(&found), ["src/average.rs:2", "src/average.rs:3", "src/average.rs:4"]);
        let matching: Vec<_> = found.files[0].lines.iter().map(|line| line.matches.len()).collect();
        assert_eq!((matching, found.matching_lines), (vec![0, 1, 0], 1));
    }

    #[test]
    fn the_result_says_whether_the_limit_was_reached() {
        let found = search(&Query { limit: 2, ..query("TODO") });
        assert_eq!((found.matching_lines, found.truncated), (2, true));
        let found = search(&Query { limit: 3, ..query("TODO") });
        assert_eq!((found.matching_lines, found.truncated), (3, false));
    }

    #[test]
    fn anchors_match_at_the_ends_of_a_line() {
        assert_eq!(shown(&search(&query(r"^pub trait \w+ \{$"))), ["src/lib.rs:20"]);
        let mut hits =
            Collector { matcher: &query("a;$").matcher().unwrap(), limit: 9, hits: Hits::default(), is_binary: false };
        searcher(0).search_slice(hits.matcher, b"a;\r\nb;\r\na;\n", &mut hits).unwrap();
        assert_eq!(hits.hits.lines.iter().map(|line| line.line).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn progress_is_reported_and_cancellation_stops_the_search() {
        let watch = Impatient { heard: RefCell::default(), enough: 1 };
        let error = fixture().search(&query("TODO"), &watch).unwrap_err();
        assert!(matches!(error, CodeError::Cancelled));
        assert_eq!(*watch.heard.borrow(), ["0 of 8"]);
    }

    #[test]
    fn skipped_files_are_reported_with_the_reason() {
        let watch = Impatient { heard: RefCell::default(), enough: 9 };
        fixture().search(&query("TODO"), &watch).unwrap();
        assert_eq!(*watch.heard.borrow(), ["0 of 8", "`docs/logo.png` is binary: it has no lines", "8 of 8"]);
    }

    #[test]
    fn a_line_too_long_to_hold_is_an_error_of_its_file() {
        let path = std::env::temp_dir().join(format!("code_search-line-{}", std::process::id()));
        fs::write(&path, "x".repeat(LONGEST_LINE + 1)).unwrap();
        let file = Entry { name: "long.txt".into(), path: path.clone(), is_dir: false };
        let searched = search_file(&mut searcher(0), &query("x").matcher().unwrap(), &file, 1);
        fs::remove_file(path).unwrap();
        let Err(CodeError::Io { path, .. }) = searched else { panic!("it was searched") };
        assert_eq!(path, "long.txt");
    }
}
