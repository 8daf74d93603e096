//! Splits a byte stream into lines of a bounded length.

use std::io::{self, Read};

use memchr::memchr;

use crate::wire::protocol::oversized::{EnvelopeScanner, OversizedMessage};

const BLOCK: usize = 64 * 1024;

/// A buffer that splits the input into lines.
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// The start of the next line in the buffer.
    start: usize,
    /// The position up to which `next_line` has searched for a line feed.
    searched: usize,
    /// The end of the bytes that were read into the buffer.
    end: usize,
    limit: usize,
    /// Reads a line that is too long, while the line is discarded.
    too_long: Option<Box<EnvelopeScanner>>,
}

/// A line, without its line feed.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    TooLong(OversizedMessage),
}

impl Lines {
    /// Creates a buffer for lines of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: vec![0; BLOCK], start: 0, searched: 0, end: 0, limit, too_long: None }
    }

    /// Reads the available input. Returns `false` at the end of the input.
    pub(super) fn fill(&mut self, input: &mut impl Read) -> io::Result<bool> {
        self.make_room();
        loop {
            match input.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the next complete line.
    pub(super) fn next_line(&mut self) -> Option<Line<'_>> {
        if let Some(offset) = memchr(b'\n', &self.buffer[self.searched..self.end]) {
            let (start, end) = (self.start, self.searched + offset);
            self.start = end + 1;
            self.searched = self.start;
            return Some(self.line(start, end));
        }
        self.searched = self.end;
        if self.too_long.is_some() || self.end - self.start > self.limit {
            let scanner = self.too_long.get_or_insert_default();
            scanner.push(&self.buffer[self.start..self.end]);
            self.start = self.end;
        }
        None
    }

    /// Returns the text after the last line feed. Call it after the end of the input.
    pub(super) fn rest(&mut self) -> Line<'_> {
        self.line(self.start, self.end)
    }

    /// Returns the line that ends with these bytes of the buffer.
    fn line(&mut self, start: usize, end: usize) -> Line<'_> {
        let bytes = &self.buffer[start..end];
        if self.too_long.is_none() && bytes.len() <= self.limit {
            return Line::Whole(bytes);
        }
        let mut scanner = self.too_long.take().unwrap_or_default();
        scanner.push(bytes);
        Line::TooLong(scanner.finish())
    }

    fn make_room(&mut self) {
        if self.start == self.end {
            (self.start, self.searched, self.end) = (0, 0, 0);
            // Frees the memory of a large message.
            if self.buffer.len() > 16 * BLOCK {
                self.buffer.truncate(BLOCK);
                self.buffer.shrink_to_fit();
            }
        } else if self.buffer.len() - self.end < BLOCK / 4 && self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.searched, self.end) = (self.searched - self.start, self.end - self.start);
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            let grown = (self.buffer.len() * 2).min(self.limit.saturating_add(BLOCK)).max(self.end + BLOCK);
            self.buffer.resize(grown, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An input that is read in chunks of these sizes.
    struct Chunks<'a> {
        bytes: &'a [u8],
        sizes: Vec<usize>,
    }

    impl Read for Chunks<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes.pop().unwrap_or(7).min(buffer.len()).min(self.bytes.len());
            buffer[..size].copy_from_slice(&self.bytes[..size]);
            self.bytes = &self.bytes[size..];
            Ok(size)
        }
    }

    /// Returns the lines and the rest. `None` is a line that is too long.
    fn cut(bytes: &[u8], sizes: Vec<usize>, limit: usize) -> Vec<Option<Vec<u8>>> {
        let whole = |line: Line<'_>| match line {
            Line::Whole(line) => Some(line.to_vec()),
            Line::TooLong(_) => None,
        };
        let mut lines = Lines::new(limit);
        let mut input = Chunks { bytes, sizes };
        let mut found = Vec::new();
        loop {
            let more = lines.fill(&mut input).unwrap();
            while let Some(line) = lines.next_line() {
                found.push(whole(line));
            }
            if !more {
                found.push(whole(lines.rest()));
                return found;
            }
        }
    }

    #[test]
    fn reports_a_long_line_once_and_reads_the_next() {
        let input = [b"ab\n".as_slice(), &[b'x'; 300_000], b"\ncd\n"].concat();
        let expected = [Some(b"ab".to_vec()), None, Some(b"cd".to_vec()), Some(Vec::new())];
        assert_eq!(cut(&input, vec![70_000; 10], 1000), expected);
        assert_eq!(cut(&input, vec![], 299_999), expected);
        assert_eq!(cut(&input, vec![9000; 99], 300_000)[1].as_ref().unwrap().len(), 300_000);
    }

    proptest! {
        #[test]
        fn splits_the_same_lines_from_any_chunks(
            bytes in prop::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..400),
            sizes in prop::collection::vec(1_usize..50, 0..40),
            limit in 1_usize..100,
        ) {
            let lines = bytes.split(|&byte| byte == b'\n');
            let expected: Vec<_> = lines.map(|line| (line.len() <= limit).then(|| line.to_vec())).collect();
            prop_assert_eq!(cut(&bytes, sizes, limit), expected);
        }
    }
}
