//! The bytes that stand for themselves in a JSON string, found several at a time. Special are the quote, the backslash
//! and the control characters.

/// How many bytes stand for themselves in a string.
#[inline]
pub(super) fn plain_length(bytes: &[u8]) -> usize {
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
        // Together, the compiler looks at several of them at once.
        let (blocks, _) = bytes[length..].as_chunks::<BLOCK>();
        length += BLOCK * blocks.iter().take_while(|block| is_plain(*block)).count();
    }
}

#[inline]
fn is_plain(block: &[u8]) -> bool {
    block.as_chunks().0.iter().fold(0, |any, word| any | specials(u64::from_le_bytes(*word))) == 0
}

/// How many of these eight bytes stand before the first that is special.
#[inline]
pub(super) fn plain_before_special(word: [u8; 8]) -> Option<usize> {
    let specials = specials(u64::from_le_bytes(word));
    (specials != 0).then(|| specials.trailing_zeros() as usize / 8)
}

/// The highest bit of the lowest byte that is a quote, a backslash or a control character, and bits of higher ones.
#[inline]
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES * 0x80;
    // With this bit the other way the quote stands right behind the control characters, where the space was.
    let control_or_quote = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
    // Where the highest bit is set and was not, less was there than was taken away. Borrows reach higher bytes only.
    (control_or_quote | backslash) & !word & HIGH
}
