//! JSON text, gone over once: where each value begins and ends.
//!
//! A message is read in layers (envelope, params, `_meta`, arguments), and most of a large one is a string. `serde_json`
//! cannot tell the layers apart without going over the text once for each; this scanner finds the members of all outer
//! layers in one pass and leaves the values as text, for `serde_json` to read those that are wanted. What it lets pass
//! is JSON, but for lone surrogates, which the reader of the string refuses.

use std::borrow::Cow;

/// Deeper text is refused, as `serde_json` refuses to read it.
const DEEPEST: u32 = 128;

/// A place in a text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// Why a text is no JSON, and where.
#[derive(Debug, PartialEq)]
pub(crate) struct NotJson {
    expected: &'static str,
    at: usize,
}

/// A string as it stands in the text, quotes included.
struct Raw<'a> {
    text: &'a str,
    escaped: bool,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// How many bytes are behind it.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next value, as text.
    pub(crate) fn value(&mut self) -> Result<&'a str, NotJson> {
        self.skip_space();
        let start = self.at;
        // Most are strings.
        match self.peek() {
            Some(b'"') => {
                self.skip_string()?;
            }
            _ => self.skip_value()?,
        }
        Ok(&self.text[start..self.at])
    }

    /// Whether the next value is an object. If so `member` is called for each member with its name, the scanner in front
    /// of the value, and must take the value.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), NotJson>,
    ) -> Result<bool, NotJson> {
        self.skip_space();
        if !self.take(b'{') {
            return Ok(false);
        }
        self.skip_space();
        if self.take(b'}') {
            return Ok(true);
        }
        loop {
            self.skip_space();
            let start = self.at;
            let name = self.skip_key()?.read();
            member(self, name.ok_or(NotJson { expected: "a string", at: start })?)?;
            self.skip_space();
            if self.take(b'}') {
                return Ok(true);
            }
            self.expect(b',', "`,` or `}`")?;
        }
    }

    /// Whether the next value is an array. If so `element` is called in front of each value, and must take it.
    pub(crate) fn elements(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), NotJson>,
    ) -> Result<bool, NotJson> {
        self.skip_space();
        if !self.take(b'[') {
            return Ok(false);
        }
        self.skip_space();
        if self.take(b']') {
            return Ok(true);
        }
        loop {
            element(self)?;
            self.skip_space();
            if self.take(b']') {
                return Ok(true);
            }
            self.expect(b',', "`,` or `]`")?;
        }
    }

    /// The values of an array, as text; `None` if the next value is none.
    pub(crate) fn array(&mut self) -> Result<Option<Vec<&'a str>>, NotJson> {
        let mut values = Vec::new();
        let array = self.elements(|scanner| {
            values.push(scanner.value()?);
            Ok(())
        })?;
        Ok(array.then_some(values))
    }

    /// Nothing may stand behind the last value.
    pub(crate) fn end(&mut self) -> Result<(), NotJson> {
        self.skip_space();
        if self.at == self.text.len() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// Goes over a value of any depth without recursion: a bit for each open container says whether it is an object.
    fn skip_value(&mut self) -> Result<(), NotJson> {
        let mut depth = 0;
        let mut objects = 0_u128;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'"') => self.skip_string().map(drop)?,
                Some(opening @ (b'{' | b'[')) => {
                    if depth == DEEPEST {
                        return Err(self.error("no more than 128 levels"));
                    }
                    let object = opening == b'{';
                    self.at += 1;
                    self.skip_space();
                    if !self.take(if object { b'}' } else { b']' }) {
                        depth += 1;
                        objects = objects << 1 | u128::from(object);
                        if object {
                            self.skip_key()?;
                        }
                        continue;
                    }
                }
                Some(b't') => self.skip_word("true")?,
                Some(b'f') => self.skip_word("false")?,
                Some(b'n') => self.skip_word("null")?,
                Some(b'-' | b'0'..=b'9') => self.skip_number()?,
                _ => return Err(self.error("a value")),
            }
            // A value is over; so may be what holds it.
            loop {
                if depth == 0 {
                    return Ok(());
                }
                self.skip_space();
                let object = objects & 1 == 1;
                if self.take(b',') {
                    self.skip_space();
                    if object {
                        self.skip_key()?;
                    }
                    break;
                }
                self.expect(if object { b'}' } else { b']' }, "`,` or the end of the container")?;
                depth -= 1;
                objects >>= 1;
            }
        }
    }

    /// Goes over a name and its colon and gives the name back.
    fn skip_key(&mut self) -> Result<Raw<'a>, NotJson> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a member's name"));
        }
        let name = self.skip_string()?;
        self.skip_space();
        self.expect(b':', "`:`")?;
        Ok(name)
    }

    fn skip_string(&mut self) -> Result<Raw<'a>, NotJson> {
        let start = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            self.skip_plain();
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
        Ok(Raw { text: &self.text[start..self.at], escaped })
    }

    /// Goes over what stands for itself in a string. Most strings are short, and looked at eight bytes at a time: a byte's
    /// highest bit is set where it does not.
    fn skip_plain(&mut self) {
        const ONES: u64 = u64::MAX / 0xff;
        const HIGH: u64 = ONES * 0x80;
        const SHORT: usize = 4;
        let (words, _) = self.text.as_bytes()[self.at..].as_chunks();
        for word in &words[..words.len().min(SHORT)] {
            let word = u64::from_le_bytes(*word);
            let (quote, backslash) = (word ^ (ONES * u64::from(b'"')), word ^ (ONES * u64::from(b'\\')));
            // Less than 1, or less than 32. Borrows reach higher bytes only, and the lowest is what counts.
            let found = quote.wrapping_sub(ONES) & !quote
                | backslash.wrapping_sub(ONES) & !backslash
                | word.wrapping_sub(ONES * 0x20) & !word;
            if found & HIGH != 0 {
                self.at += (found & HIGH).trailing_zeros() as usize / 8;
                return;
            }
            self.at += 8;
        }
        let rest = &self.text.as_bytes()[self.at..];
        let plain = &rest[..memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len())];
        let is_control = |byte: &u8| *byte < 0x20;
        // The compiler looks at a vector at once where it need not stop at the first.
        let has_control = plain.iter().fold(false, |any, byte| any | is_control(byte));
        self.at += if has_control { plain.iter().position(is_control).unwrap_or(plain.len()) } else { plain.len() };
    }

    /// What stands behind a backslash.
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

    fn skip_number(&mut self) -> Result<(), NotJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.skip_digits()?;
        }
        if self.take(b'.') {
            self.skip_digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.skip_digits()?;
        }
        Ok(())
    }

    fn skip_digits(&mut self) -> Result<(), NotJson> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if start < self.at { Ok(()) } else { Err(self.error("a digit")) }
    }

    fn skip_word(&mut self, word: &'static str) -> Result<(), NotJson> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.error(word));
        }
        self.at += word.len();
        Ok(())
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), NotJson> {
        if self.take(byte) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn error(&self, expected: &'static str) -> NotJson {
        NotJson { expected, at: self.at }
    }
}

impl<'a> Raw<'a> {
    fn read(self) -> Option<Cow<'a, str>> {
        if self.escaped {
            serde_json::from_str(self.text).ok().map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(&self.text[1..self.text.len() - 1]))
        }
    }
}

impl std::fmt::Display for NotJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.at)
    }
}

/// The string this JSON text is, without a copy where it holds no escape.
pub(crate) fn read_string(text: &str) -> Option<Cow<'_, str>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_some() {
        serde_json::from_str(text).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

#[cfg(test)]
mod tests;
