//! Implements `read_lines`, which returns a part of a file with line numbers.

use std::{fmt::Write, fs};

use crate::{
    error::CodeError,
    root::{Entry, Root},
};

/// The longest file that is read into memory, in bytes.
const LONGEST_FILE: u64 = 8 << 20;

/// The maximum number of characters shown of one line.
const WIDTH: usize = 1000;

impl Root {
    /// Returns `count` lines of a file from line `first` on, with their numbers, below a heading.
    pub(crate) fn read_lines(&self, path: &str, first: usize, count: usize) -> Result<String, CodeError> {
        let file = self.file(path)?;
        let text = text_of(&file)?;
        numbered(&file.name, &text, first, count)
    }
}

/// Returns the text of a file. Bytes that are not UTF-8 are replaced. Fails for a large or binary file.
pub(super) fn text_of(file: &Entry) -> Result<String, CodeError> {
    let path = || file.name.clone();
    let io = |source| CodeError::Io { path: path(), source };
    let bytes = fs::metadata(&file.path).map_err(io)?.len();
    if bytes > LONGEST_FILE {
        return Err(CodeError::TooLong { path: path(), bytes, limit: LONGEST_FILE });
    }
    let bytes = fs::read(&file.path).map_err(io)?;
    if bytes.contains(&0) {
        return Err(CodeError::Binary { path: path() });
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn numbered(path: &str, text: &str, first: usize, count: usize) -> Result<String, CodeError> {
    let total = text.lines().count();
    if total == 0 {
        return Ok(format!("`{path}` is empty"));
    }
    if first > total {
        return Err(CodeError::PastEnd { path: path.into(), first, last: total });
    }
    let last = total.min(first.saturating_add(count).saturating_sub(1));
    let digits = last.to_string().len();
    let mut shown = format!("`{path}`, lines {first} to {last} of {total}");
    for (number, line) in (1..=last).zip(text.lines()).skip(first.saturating_sub(1)) {
        let cut: String = line.chars().take(WIDTH).collect();
        let more = if cut.len() < line.len() { "…" } else { "" };
        write!(shown, "\n{number:>digits$}  {cut}{more}").expect("writing to a string does not fail");
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> Root {
        Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixture")).unwrap()
    }

    #[test]
    fn lines_come_with_their_numbers() {
        assert_eq!(
            fixture().read_lines("src/lib.rs", 9, 2).unwrap(),
            "`src/lib.rs`, lines 9 to 10 of 54\n 9  pub struct Reading {\n10      pub sensor: u16,"
        );
    }

    #[test]
    fn the_end_of_the_file_ends_the_lines() {
        let text = fixture().read_lines("src/average.rs", 5, usize::MAX).unwrap();
        assert_eq!(text, "`src/average.rs`, lines 5 to 5 of 5\n5  }");
        assert_eq!(
            fixture().read_lines("src/average.rs", 6, 1).unwrap_err().to_string(),
            "`first` is 6, but the last line of `src/average.rs` is 5"
        );
        assert_eq!(numbered("empty", "", 1, 1).unwrap(), "`empty` is empty");
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = numbered("long", &"ä".repeat(WIDTH + 1), 1, 1).unwrap();
        assert!(text.ends_with("ä…"));
        assert_eq!(text.matches('ä').count(), WIDTH);
    }

    #[test]
    fn binary_files_have_no_lines() {
        assert_eq!(
            fixture().read_lines("docs/logo.png", 1, 1).unwrap_err().to_string(),
            "`docs/logo.png` is binary: it has no lines"
        );
    }

    #[test]
    fn long_files_are_refused_before_they_are_read() {
        let path = std::env::temp_dir().join(format!("code_search-{}", std::process::id()));
        fs::File::create(&path).unwrap().set_len(LONGEST_FILE + 1).unwrap();
        let file = Entry { name: "long.txt".into(), path: path.clone(), is_dir: false };
        let refused = text_of(&file);
        fs::remove_file(path).unwrap();
        assert_eq!(
            refused.unwrap_err().to_string(),
            "`long.txt` has 8388609 bytes, the limit is 8388608; find what you need in it with `search`"
        );
    }
}
