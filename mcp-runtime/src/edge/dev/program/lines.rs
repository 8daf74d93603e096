//! Reads the lines of a process, which can be of any length.

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once, in bytes.
const PART: u64 = 64 * 1024;

pub(super) struct BoundedLines<R> {
    input: R,
    /// A longer line is read in parts.
    longest: usize,
    /// What was read and not returned yet.
    read: Vec<u8>,
    /// How much of it has no end of a line.
    searched: usize,
    is_at_end: bool,
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Reads lines of at most `longest` bytes. Longer ones are read in parts.
    pub(super) fn new(input: R, longest: usize) -> Self {
        Self { input, longest, read: Vec::new(), searched: 0, is_at_end: false }
    }

    /// Returns the next line, without its end. Returns `None` at the end of the input, or if it cannot be read.
    /// Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.read[self.searched..]) {
                let line: Vec<u8> = self.read.drain(..=self.searched + at).collect();
                self.searched = 0;
                return Some(text(&line[..line.len() - 1]));
            }
            self.searched = self.read.len();
            if self.read.len() >= self.longest || self.is_at_end && !self.read.is_empty() {
                self.searched = 0;
                return Some(text(&std::mem::take(&mut self.read)));
            }
            if self.is_at_end {
                return None;
            }
            let mut part = (&mut self.input).take(PART);
            self.is_at_end = !matches!(part.read_buf(&mut self.read).await, Ok(1..));
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = 100_000;

    async fn lines(input: &[u8]) -> Vec<String> {
        let mut lines = BoundedLines::new(input, LONGEST);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await {
            found.push(line);
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
}
