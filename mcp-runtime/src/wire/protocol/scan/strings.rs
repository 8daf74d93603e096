//! Skips strings. Finds the end of plain text several bytes at a time. Special bytes are the quote, the backslash and the
//! control characters.

use super::{NotJson, Scanner};

impl Scanner<'_> {
    /// Skips a string and returns whether it contains an escape. Most strings end within their first word.
    #[inline]
    pub(super) fn skip_string(&mut self) -> Result<bool, NotJson> {
        self.at += 1;
        if let Some(word) = self.text.as_bytes().get(self.at..).and_then(<[u8]>::first_chunk)
            && let Some(plain) = plain_before_special(*word)
            && word.get(plain) == Some(&b'"')
        {
            self.at += plain + 1;
            return Ok(false);
        }
        self.skip_rest_of_string()
    }

    /// Skips the rest of a string, like [`skip_string`](Self::skip_string). Most strings are short and have no escape.
    #[inline(never)]
    fn skip_rest_of_string(&mut self) -> Result<bool, NotJson> {
        const SHORT: usize = 6;
        let (words, _) = self.text.as_bytes()[self.at..].as_chunks();
        for word in words.iter().take(SHORT) {
            if let Some(plain) = plain_before_special(*word) {
                self.at += plain;
                return if self.take(b'"') { Ok(false) } else { self.skip_long_string() };
            }
            self.at += size_of_val(word);
        }
        self.skip_long_string()
    }

    /// Skips the rest of a string. The scanner can be at any position in the string.
    #[inline(never)]
    fn skip_long_string(&mut self) -> Result<bool, NotJson> {
        let mut escaped = false;
        loop {
            self.at += plain_length(&self.text.as_bytes()[self.at..]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 1;
                    self.skip_escape()?;
                }
                Some(_) => return Err(self.error("no control character in a string")),
                None => return Err(self.error("the end of a string")),
            }
        }
        self.at += 1;
        Ok(escaped)
    }

    /// Skips the characters after a backslash.
    fn skip_escape(&mut self) -> Result<(), NotJson> {
        let rest = &self.text.as_bytes()[self.at..];
        let length = match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 1,
            [b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => 5,
            _ => return Err(self.error("an escape")),
        };
        self.at += length;
        Ok(())
    }
}

/// Returns how many bytes come before the first quote, backslash or control character.
#[inline]
fn plain_length(bytes: &[u8]) -> usize {
    const WORDS: usize = 4;
    const BLOCK: usize = WORDS * 8;
    let mut length = 0;
    loop {
        let (words, tail) = bytes[length..].as_chunks();
        for word in words.iter().take(WORDS) {
            match plain_before_special(*word) {
                Some(plain) => return length + plain,
                None => length += size_of_val(word),
            }
        }
        if words.len() < WORDS {
            let is_special = |byte: &u8| specials(u64::from(*byte) | !0xff) != 0;
            return length + tail.iter().position(is_special).unwrap_or(tail.len());
        }
        // Written so that the compiler can use vector instructions.
        let (blocks, _) = bytes[length..].as_chunks::<BLOCK>();
        length += BLOCK * blocks.iter().take_while(|block| any_special(block.as_chunks().0) == 0).count();
    }
}

/// Returns whether a JSON string can contain these bytes without escapes.
#[inline]
pub(in super::super) fn is_plain(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk() else {
        // No byte of the rest of this word is special.
        let mut word = [0xff; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        return any_special(&[word]) == 0;
    };
    // The last word overlaps the one before it.
    any_special(bytes.as_chunks().0) | any_special(&[*last]) == 0
}

/// Returns 0 if these words contain no special byte.
#[inline]
fn any_special(words: &[[u8; 8]]) -> u64 {
    words.iter().fold(0, |any, word| any | specials(u64::from_le_bytes(*word)))
}

/// Returns how many of these eight bytes come before the first quote, backslash or control character. Returns `None` if
/// there is none.
#[inline]
fn plain_before_special(word: [u8; 8]) -> Option<usize> {
    let specials = specials(u64::from_le_bytes(word));
    (specials != 0).then(|| specials.trailing_zeros() as usize / 8)
}

/// Marks the special bytes of `word`. Returns 0 if there are none. Otherwise the lowest nonzero byte of the result is
/// at the position of the first special byte.
#[inline]
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES * 0x80;
    // Flipping this bit moves the quote next to the control characters, to the place of the space.
    let control_or_quote = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
    // If the highest bit of a byte is set now but was not set in `word`, the subtraction caused an underflow. Borrows
    // only reach higher bytes.
    (control_or_quote | backslash) & !word & HIGH
}
