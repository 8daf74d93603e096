//! Finds values in JSON text without parsing them.
//!
//! A message is read in layers (envelope, params, `_meta`, arguments), and most of a large message is one string.
//! `serde_json` would read the text once for each layer. This scanner finds the members of all outer layers in one pass
//! and leaves the values as text. `serde_json` then parses only the values that are needed. The scanner accepts only
//! valid JSON, with one exception: it accepts lone surrogates in strings. The function that later reads such a string
//! rejects it.

mod strings;

use std::borrow::Cow;

pub(super) use self::strings::is_plain;

/// The maximum depth of nesting. It is the same as in `serde_json`.
const DEEPEST: u32 = 128;

/// A position in a JSON text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// The error for text that is not JSON. It says what the scanner expected, and where. It is boxed, so that a `Result`
/// stays small.
#[derive(Debug, PartialEq)]
pub(crate) struct NotJson(Box<Unexpected>);

#[derive(Debug, PartialEq)]
struct Unexpected {
    what: &'static str,
    at: usize,
}

/// The function that reads a member of an object. All objects use this one type, so that a program contains the code of
/// the loop only once.
type Member<'m, 'a> = dyn FnMut(&mut Scanner<'a>, Cow<'a, str>) -> Result<(), NotJson> + 'm;

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the position in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the text after the position.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips `bytes` bytes that are already known to be a value.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Returns the next value as text.
    pub(crate) fn value(&mut self) -> Result<&'a str, NotJson> {
        self.skip_space();
        let start = self.at;
        // Most values are strings.
        match self.peek() {
            Some(b'"') => self.skip_string().map(drop)?,
            _ => self.skip_value()?,
        }
        Ok(&self.text[start..self.at])
    }

    /// Returns the next value as text if it is a string, and whether the string contains an escape.
    pub(crate) fn string(&mut self) -> Result<Option<(&'a str, bool)>, NotJson> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Ok(None);
        }
        let start = self.at;
        let is_escaped = self.skip_string()?;
        Ok(Some((&self.text[start..self.at], is_escaped)))
    }

    /// Returns whether the next value is an object. If so, calls the function `member` with the name of each
    /// member. During this call the scanner is at the member's value. The function must consume the value.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), NotJson>,
    ) -> Result<bool, NotJson> {
        self.members(&mut member)
    }

    fn members(&mut self, member: &mut Member<'_, 'a>) -> Result<bool, NotJson> {
        self.container(b'{', b'}', "`,` or `}`", |scanner| {
            scanner.skip_space();
            let name = scanner.key()?;
            member(scanner, name)
        })
    }

    /// Returns whether the next value is an array. If so, calls the function `element` at each value of the array.
    /// The function must consume the value.
    pub(crate) fn elements(&mut self, element: impl FnMut(&mut Self) -> Result<(), NotJson>) -> Result<bool, NotJson> {
        self.container(b'[', b']', "`,` or `]`", element)
    }

    /// Returns whether the next value begins with `open`. If so, calls `part` at each part up to `close`.
    #[inline]
    fn container(
        &mut self,
        open: u8,
        close: u8,
        expected: &'static str,
        mut part: impl FnMut(&mut Self) -> Result<(), NotJson>,
    ) -> Result<bool, NotJson> {
        self.skip_space();
        if !self.take(open) {
            return Ok(false);
        }
        self.skip_space();
        if self.take(close) {
            return Ok(true);
        }
        loop {
            part(self)?;
            self.skip_space();
            if self.take(close) {
                return Ok(true);
            }
            self.expect(b',', expected)?;
        }
    }

    /// Returns whether the next value is `null`, without consuming it.
    pub(crate) fn is_null(&mut self) -> bool {
        self.skip_space();
        self.peek() == Some(b'n')
    }

    /// Fails if text is left after the last value.
    pub(crate) fn end(&mut self) -> Result<(), NotJson> {
        self.skip_space();
        if self.at == self.text.len() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// Skips a value of any depth, without recursion. One bit for each open container says whether the container is an
    /// object.
    fn skip_value(&mut self) -> Result<(), NotJson> {
        let mut depth = 0;
        let mut objects = 0_u128;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'"') => self.skip_string().map(drop)?,
                Some(opening @ (b'{' | b'[')) => {
                    if depth == DEEPEST {
                        return Err(self.error("at most 128 levels of nesting"));
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
            // The value has ended; its containers may end too.
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

    /// Returns the name of a member and skips its colon.
    fn key(&mut self) -> Result<Cow<'a, str>, NotJson> {
        let start = self.at;
        let escaped = self.skip_name()?;
        let end = self.at;
        self.skip_colon()?;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start + 1..end - 1]));
        }
        let name = serde_json::from_str(&self.text[start..end]);
        name.map(Cow::Owned).map_err(|_| NotJson::new("a string", start))
    }

    fn skip_key(&mut self) -> Result<(), NotJson> {
        self.skip_name()?;
        self.skip_colon()
    }

    fn skip_name(&mut self) -> Result<bool, NotJson> {
        if self.peek() == Some(b'"') { self.skip_string() } else { Err(self.error("a member's name")) }
    }

    fn skip_colon(&mut self) -> Result<(), NotJson> {
        self.skip_space();
        self.expect(b':', "`:`")
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
        NotJson::new(expected, self.at)
    }
}

impl NotJson {
    #[cold]
    fn new(what: &'static str, at: usize) -> Self {
        Self(Unexpected { what, at }.into())
    }
}

impl std::fmt::Display for NotJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Unexpected { what, at } = *self.0;
        write!(f, "expected {what} at byte {at}")
    }
}

/// Returns these members of a JSON object, as text. Returns `None` if the text is not an object, or if it has one of the
/// members twice.
pub(crate) fn members<'a, const N: usize>(object: &'a str, names: [&str; N]) -> Option<[Option<&'a str>; N]> {
    let mut found = [None; N];
    let mut scanner = Scanner::new(object);
    let is_object = scanner.object(|scanner, name| {
        let value = scanner.value()?;
        match names.iter().position(|wanted| *wanted == name).map(|index| found[index].replace(value)) {
            Some(Some(_)) => Err(scanner.error("no repeated member")),
            _ => Ok(()),
        }
    });
    (is_object == Ok(true) && scanner.end().is_ok()).then_some(found)
}

/// Returns the value of a JSON string, without a copy if it contains no escape.
pub(crate) fn read_string(text: &str) -> Option<Cow<'_, str>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    // Names are short, and `memchr` is faster only for longer text.
    let is_escaped = match inner.len() {
        ..16 => inner.as_bytes().contains(&b'\\'),
        _ => memchr::memchr(b'\\', inner.as_bytes()).is_some(),
    };
    if is_escaped { serde_json::from_str(text).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
}

#[cfg(test)]
mod tests;
