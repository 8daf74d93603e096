//! Random bytes of the operating system, for everything that nobody may guess.

/// Draws `N` bytes.
///
/// # Panics
/// If the operating system cannot draw random bytes.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system draws random bytes");
    bytes
}

/// Draws 128 bits, and writes them as 32 hexadecimal digits.
pub(crate) fn hex() -> String {
    format!("{:032x}", u128::from_be_bytes(bytes()))
}
