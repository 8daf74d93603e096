//! Compile-time error messages about fields.

/// A compile-time error message. `format!` does not work in constant expressions, so this type assembles the text.
#[derive(Clone, Copy)]
pub struct Problem {
    bytes: [u8; Self::MOST],
    length: usize,
}

impl Problem {
    const MOST: usize = 384;

    /// Creates a message that starts with `text`.
    pub const fn new(text: &str) -> Self {
        Self { bytes: [0; Self::MOST], length: 0 }.with(text)
    }

    /// Appends text. Text that exceeds the capacity is cut off at a character boundary.
    pub const fn with(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut room = Self::MOST - self.length;
        if room > bytes.len() {
            room = bytes.len();
        }
        while !text.is_char_boundary(room) {
            room -= 1;
        }
        let mut index = 0;
        while index < room {
            self.bytes[self.length] = bytes[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    /// Appends a whole number.
    pub const fn with_number(self, number: i128) -> Self {
        let mut digits = [0; 40];
        let mut at = digits.len();
        let mut rest = number.unsigned_abs();
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let with_sign = if number < 0 { self.with("-") } else { self };
        match std::str::from_utf8(digits.split_at(at).1) {
            Ok(text) => with_sign.with(text),
            Err(_) => with_sign,
        }
    }

    /// Returns the message.
    pub const fn text(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
