//! Random bytes from the operating system, for values that must not be guessable.

/// Returns `N` random bytes.
///
/// # Panics
/// Panics if the operating system cannot provide random bytes.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    assert!(fill(&mut bytes), "the operating system provides no random bytes");
    bytes
}

/// Fills `bytes`, and returns whether all of them were filled. Linux fills up to 256 bytes at once.
#[cfg(target_os = "linux")]
fn fill(bytes: &mut [u8]) -> bool {
    use rustix::{
        io::retry_on_intr,
        rand::{GetRandomFlags, getrandom},
    };
    retry_on_intr(|| getrandom(&mut *bytes, GetRandomFlags::empty())) == Ok(bytes.len())
}

#[cfg(not(target_os = "linux"))]
fn fill(bytes: &mut [u8]) -> bool {
    getrandom::fill(bytes).is_ok()
}

/// Returns 128 random bits as 32 hexadecimal digits.
pub(crate) fn hex() -> String {
    format!("{:032x}", u128::from_be_bytes(bytes()))
}
