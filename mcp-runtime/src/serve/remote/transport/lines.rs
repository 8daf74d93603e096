//! Reads the lines of a process, which can be of any length.

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once, in bytes.
const PART: u64 = 64 * 1024;

pub(crate) struct BoundedLines<R> {
    input: R,
    /// A longer line is read in parts.
    longest: usize,
    /// What was read and not returned yet.
    read: Vec<u8>,
    /// How much of it has no end of a line.
    searched: usize,
    /// Whether the line has begun with a part that was returned.
    is_rest: bool,
    is_at_end: bool,
}

/// A line that was read, without its end.
pub(crate) enum BoundedLine {
    Whole(String),
    /// A part of a line above the limit, or its rest.
    Part(String),
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Reads lines of at most `longest` bytes. Longer ones are read in parts.
    pub(crate) fn new(input: R, longest: usize) -> Self {
        Self { input, longest, read: Vec::new(), searched: 0, is_rest: false, is_at_end: false }
    }

    /// Returns the next line, without its end. Returns `None` at the end of the input, or if it cannot be read.
    /// Cancel-safe.
    pub(crate) async fn next(&mut self) -> Option<BoundedLine> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.read[self.searched..]) {
                let end = self.searched + at;
                let is_rest = std::mem::take(&mut self.is_rest);
                let line = read(&self.read[..end], is_rest);
                self.read.drain(..=end);
                self.searched = 0;
                return Some(line);
            }
            self.searched = self.read.len();
            let is_too_long = self.read.len() >= self.longest;
            if is_too_long || self.is_at_end && !self.read.is_empty() {
                self.searched = 0;
                let is_part = std::mem::replace(&mut self.is_rest, is_too_long) || is_too_long;
                return Some(read(&std::mem::take(&mut self.read), is_part));
            }
            if self.is_at_end {
                return None;
            }
            let mut part = (&mut self.input).take(PART);
            self.is_at_end = !matches!(part.read_buf(&mut self.read).await, Ok(1..));
        }
    }
}

impl BoundedLine {
    pub(crate) fn into_text(self) -> String {
        let (Self::Whole(text) | Self::Part(text)) = self;
        text
    }
}

fn read(line: &[u8], is_part: bool) -> BoundedLine {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let text = match simdutf8::basic::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(line).into_owned(),
    };
    if is_part { BoundedLine::Part(text) } else { BoundedLine::Whole(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = 100_000;

    async fn lines(input: &[u8]) -> Vec<String> {
        let mut lines = BoundedLines::new(input, LONGEST);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await {
            found.push(line.into_text());
        }
        found
    }

    #[tokio::test]
    async fn reads_lines_of_every_kind() {
        assert_eq!(lines(b"a\r\n\nb\xff\nlast").await, ["a", "", "b\u{fffd}", "last"]);
        assert_eq!(lines(b"").await, [""; 0]);
    }

    #[tokio::test]
    async fn an_endless_line_is_read_in_parts() {
        let found = lines(&vec![b'x'; 3 * LONGEST + 7]).await;
        assert_eq!(found.iter().map(String::len).sum::<usize>(), 3 * LONGEST + 7);
        assert!(found.len() > 2 && found.iter().all(|part| part.len() <= LONGEST + PART as usize));
    }

    #[tokio::test]
    async fn every_part_of_a_long_line_is_told_from_a_whole_line() {
        let input = [&b"a\n"[..], &vec![b'x'; LONGEST + PART as usize + 7], b"\nb\nc"].concat();
        let mut lines = BoundedLines::new(&input[..], LONGEST);
        let mut kinds = String::new();
        while let Some(line) = lines.next().await {
            kinds.push(if matches!(line, BoundedLine::Whole(_)) { 'w' } else { 'p' });
        }
        assert_eq!(kinds, "wppww");
    }
}
