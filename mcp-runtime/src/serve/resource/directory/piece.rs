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
pub(super) struct Piece {
    pub(super) body: PieceBody,
    pub(super) offset: u64,
    /// The position of the first byte after this part. `None` if this part is the last one.
    pub(super) next: Option<u64>,
    /// The size of the whole file.
    pub(super) size: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum PieceBody {
    Text(String),
    Bytes(Vec<u8>),
}

impl Piece {
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
        let body = if is_text(&head) { text_of(bytes, is_end) } else { PieceBody::Bytes(bytes) };
        let next = (!is_end).then(|| offset + body.len() as u64);
        Ok(Self { body, offset, next, size })
    }

    /// Returns whether this is the whole file.
    pub(super) fn is_whole(&self) -> bool {
        self.offset == 0 && self.next.is_none()
    }
}

impl PieceBody {
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
fn text_of(mut bytes: Vec<u8>, is_end: bool) -> PieceBody {
    if let Err(error) = str::from_utf8(&bytes)
        && !is_end
        && error.valid_up_to() > 0
        && is_cut(&bytes, error)
    {
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes).map_or_else(|error| PieceBody::Bytes(error.into_bytes()), PieceBody::Text)
}

/// Returns whether the text is valid except for an incomplete character at its end.
fn is_cut(bytes: &[u8], error: Utf8Error) -> bool {
    error.error_len().is_none() && bytes.len() - error.valid_up_to() < 4
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read(file: &[u8], range: ByteRange, most: usize) -> Piece {
        Piece::read(Cursor::new(file), file.len() as u64, range, most).unwrap()
    }

    /// Reads a file as a client does, until no part follows.
    fn pieces(file: &[u8], length: Option<u64>, most: usize) -> Vec<PieceBody> {
        let mut bodies = Vec::new();
        let mut offset = 0;
        loop {
            let piece = read(file, ByteRange { offset, length }, most);
            bodies.push(piece.body);
            match piece.next {
                Some(next) => {
                    assert!(next > offset, "{next} follows {offset}");
                    offset = next;
                }
                None => return bodies,
            }
        }
    }

    fn text(text: &str) -> PieceBody {
        PieceBody::Text(text.to_owned())
    }

    #[test]
    fn the_pieces_of_a_text_are_texts_that_can_be_joined() {
        let file = "aé€😀z".repeat(5);
        for most in 4..40 {
            let mut joined = String::new();
            for piece in pieces(file.as_bytes(), None, most) {
                let PieceBody::Text(part) = piece else { panic!("{piece:?}") };
                assert!(part.len() <= most);
                joined.push_str(&part);
            }
            assert_eq!(joined, file, "{most}");
        }
    }

    #[test]
    fn a_small_file_is_one_piece() {
        let whole = read(b"abc", ByteRange::default(), 16);
        assert!(whole.is_whole());
        assert_eq!((whole.body, whole.next, whole.size), (text("abc"), None, 3));
        assert_eq!(pieces(b"", None, 16), [text("")]);
        assert_eq!(pieces(b"ab", Some(1), 16), [text("a"), text("b")]);
    }

    #[test]
    fn a_part_smaller_than_a_character_is_bytes() {
        let bytes = pieces("é".as_bytes(), Some(1), 16);
        assert_eq!(bytes, [PieceBody::Bytes(vec![0xc3]), PieceBody::Bytes(vec![0xa9])]);
    }

    #[test]
    fn the_beginning_decides_whether_a_file_is_text() {
        assert_eq!(
            pieces(b"a\0bcdef", None, 4),
            [PieceBody::Bytes(b"a\0bc".to_vec()), PieceBody::Bytes(b"def".to_vec())]
        );
        assert_eq!(pieces(b"\xff", None, 4), [PieceBody::Bytes(vec![0xff])]);
        let mut late = vec![b'a'; 9_000];
        late.push(0xff);
        assert!(matches!(pieces(&late, None, 8_500)[..], [PieceBody::Text(_), PieceBody::Bytes(_)]));
    }

    #[test]
    fn nothing_follows_the_end() {
        let after = read(b"abc", ByteRange { offset: 9, length: None }, 16);
        assert_eq!((&after.body, after.next), (&text(""), None));
        assert!(!after.is_whole());
    }
}
