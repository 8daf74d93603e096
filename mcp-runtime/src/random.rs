//! Random bytes from the operating system, for values that must not be guessable.

/// Returns `N` random bytes.
///
/// # Panics
/// Panics if the operating system cannot provide random bytes.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
    bytes
}

/// Returns 128 random bits as 32 hexadecimal digits.
pub(crate) fn hex() -> String {
    format!("{:032x}", u128::from_be_bytes(bytes()))
}
