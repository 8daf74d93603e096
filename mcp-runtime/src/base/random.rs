//! Random bytes from the operating system, for values that must not be guessable.

use std::cell::RefCell;

/// The number of bytes that a thread requests from the operating system at once. Linux fills up to 256 bytes without
/// interruption.
const BUFFER: usize = 256;

thread_local! {
    static UNUSED: RefCell<Buffer> = const { RefCell::new(Buffer { bytes: [0; BUFFER], left: 0 }) };
}

/// Random bytes that were not used yet: the first `left` ones.
struct Buffer {
    bytes: [u8; BUFFER],
    left: usize,
}

/// Returns `N` random bytes. Each call is a system call, so use [`buffered`] for values that every call needs.
///
/// # Panics
/// Panics if the operating system cannot provide random bytes.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    assert!(fill(&mut bytes), "the operating system provides no random bytes");
    bytes
}

/// Returns `N` random bytes from a buffer of this thread. Do not use this function for keys, or before the server serves
/// its first request: a process that forks afterwards would share the buffer.
///
/// # Panics
/// Panics if the operating system cannot provide random bytes.
pub(crate) fn buffered<const N: usize>() -> [u8; N] {
    const { assert!(N <= BUFFER) };
    UNUSED.with_borrow_mut(|Buffer { bytes, left }| {
        if *left < N {
            (*bytes, *left) = (self::bytes(), BUFFER);
        }
        *left -= N;
        let mut taken = [0; N];
        // The buffer keeps no copy of the bytes, which may be secret.
        taken.swap_with_slice(&mut bytes[*left..*left + N]);
        taken
    })
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
    super::hex::hex(&bytes::<16>())
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, thread};

    use super::*;

    #[test]
    fn buffered_bytes_are_never_returned_twice() {
        let take = || (0..500).map(|_| buffered::<24>()).collect::<Vec<_>>();
        let other = thread::spawn(take);
        let all: HashSet<[u8; 24]> = take().into_iter().chain(other.join().expect("no panic")).collect();
        assert_eq!(all.len(), 1000);
        UNUSED.with_borrow(|buffer| assert!(buffer.bytes[buffer.left..].iter().all(|byte| *byte == 0)));
    }
}
