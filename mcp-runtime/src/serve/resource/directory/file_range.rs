//! A part of a file, as text or as bytes.

use std::{
    io::{self, Read, Seek, SeekFrom},
    str::Utf8Error,
};

use super::file_uri::ByteRange;

/// The number of bytes at the beginning of a file that decide whether the file is text.
const HEAD: u64 = 8 * 1024;

/// A part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileRange {
    pub(super) body: FileRangeBody,
    pub(super) offset: u64,
    /// The position of the first byte after this part. `None` if this part is the last one.
    pub(super) next: Option<u64>,
    /// The size of the whole file.
    pub(super) size: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum FileRangeBody {
    Text(String),
    Bytes(Vec<u8>),
}

impl FileRange {
    /// Reads a part of a file. `size` is the size of the file. The part has at most `most` bytes.
    pub(super) fn read(mut file: impl Read + Seek, size: u64, range: ByteRange, most: usize) -> io::Result<Self> {
        let ByteRange { offset, length } = range;
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head)?;
        let wanted = length.unwrap_or(u64::MAX).min(most as u64);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset))?;
        file.take(wanted).read_to_end(&mut bytes)?;

        let end = offset.saturating_add(bytes.len() as u64);
        let is_end = bytes.is_empty() || size <= end;
        let body = if is_text(&head) { text_of(bytes, is_end) } else { FileRangeBody::Bytes(bytes) };
        let next = (!is_end).then(|| offset + body.len() as u64);
        Ok(Self { body, offset, next, size })
    }

    /// Returns whether this is the whole file.
    pub(super) fn is_whole(&self) -> bool {
        self.offset == 0 && self.next.is_none()
    }
}

impl FileRangeBody {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

/// Returns whether a file with these first bytes is text. The last character can be incomplete.
fn is_text(head: &[u8]) -> bool {
    !head.contains(&0) && str::from_utf8(head).map_or_else(|error| is_cut(head, error), |_| true)
}

/// Converts these bytes to text. Without `is_end`, leaves out an incomplete character at the end. Bytes that are not
/// valid text stay bytes.
fn text_of(mut bytes: Vec<u8>, is_end: bool) -> FileRangeBody {
    if let Err(error) = str::from_utf8(&bytes)
        && !is_end
        && error.valid_up_to() > 0
        && is_cut(&bytes, error)
    {
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes).map_or_else(|error| FileRangeBody::Bytes(error.into_bytes()), FileRangeBody::Text)
}

/// Returns whether the text is valid except for an incomplete character at its end.
fn is_cut(bytes: &[u8], error: Utf8Error) -> bool {
    error.error_len().is_none() && bytes.len() - error.valid_up_to() < 4
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read(file: &[u8], range: ByteRange, most: usize) -> FileRange {
        FileRange::read(Cursor::new(file), file.len() as u64, range, most).unwrap()
    }

    /// Reads a file as a client does, until no part follows.
    fn parts(file: &[u8], length: Option<u64>, most: usize) -> Vec<FileRangeBody> {
        let mut bodies = Vec::new();
        let mut offset = 0;
        loop {
            let part = read(file, ByteRange { offset, length }, most);
            bodies.push(part.body);
            match part.next {
                Some(next) => {
                    assert!(next > offset, "{next} follows {offset}");
                    offset = next;
                }
                None => return bodies,
            }
        }
    }

    fn text(text: &str) -> FileRangeBody {
        FileRangeBody::Text(text.to_owned())
    }

    #[test]
    fn the_parts_of_a_text_are_texts_that_can_be_joined() {
        let file = "aé€😀z".repeat(5);
        for most in 4..40 {
            let mut joined = String::new();
            for part in parts(file.as_bytes(), None, most) {
                let FileRangeBody::Text(part) = part else { panic!("{part:?}") };
                assert!(part.len() <= most);
                joined.push_str(&part);
            }
            assert_eq!(joined, file, "{most}");
        }
    }

    #[test]
    fn a_small_file_is_one_part() {
        let whole = read(b"abc", ByteRange::default(), 16);
        assert!(whole.is_whole());
        assert_eq!((whole.body, whole.next, whole.size), (text("abc"), None, 3));
        assert_eq!(parts(b"", None, 16), [text("")]);
        assert_eq!(parts(b"ab", Some(1), 16), [text("a"), text("b")]);
    }

    #[test]
    fn a_part_smaller_than_a_character_is_bytes() {
        let bytes = parts("é".as_bytes(), Some(1), 16);
        assert_eq!(bytes, [FileRangeBody::Bytes(vec![0xc3]), FileRangeBody::Bytes(vec![0xa9])]);
    }

    #[test]
    fn the_beginning_decides_whether_a_file_is_text() {
        assert_eq!(
            parts(b"a\0bcdef", None, 4),
            [FileRangeBody::Bytes(b"a\0bc".to_vec()), FileRangeBody::Bytes(b"def".to_vec())]
        );
        assert_eq!(parts(b"\xff", None, 4), [FileRangeBody::Bytes(vec![0xff])]);
        let mut late = vec![b'a'; 9_000];
        late.push(0xff);
        assert!(matches!(parts(&late, None, 8_500)[..], [FileRangeBody::Text(_), FileRangeBody::Bytes(_)]));
    }

    #[test]
    fn nothing_follows_the_end() {
        let after = read(b"abc", ByteRange { offset: 9, length: None }, 16);
        assert_eq!((&after.body, after.next), (&text(""), None));
        assert!(!after.is_whole());
    }
}
