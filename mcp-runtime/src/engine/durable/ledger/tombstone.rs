//! The tombstone of a finished call whose reply was discarded. It takes one bit.
//!
//! The runtime names the record of a call by the call's id, 32 hexadecimal digits. The first 16 of them are a number
//! that increases by one with each call of a process ([`CallId`](crate::engine::call::call_id::CallId)). So the finished calls
//! of a process share bitmaps, and a bitmap of 512 bytes holds 4,096 calls. If a call has an idempotency key, its id is
//! a digest, and its bit is in a group of its own.
//!
//! In memory, the bits of a million finished calls take 170 KB. As entries without a value, these calls would take
//! 290 MB, and the default limit of 65,536 entries would be reached with 18 calls each second, because they stay for an
//! hour.

use crate::engine::call::call_id::CallId;

/// The number of calls in a group. It is a power of two.
const CALLS: u64 = 4096;
/// The bytes of a bitmap.
const BITMAP: usize = CALLS as usize / 8;
/// The maximum number of finished calls that a group stores as a list. A larger group is a bitmap.
const FEW: usize = 32;

/// The position of a finished call: the number of its group, and the bit within the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tombstone {
    pub(crate) group: u64,
    pub(crate) bit: u16,
}

/// The finished calls of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TombstoneGroup {
    Few(Vec<u16>),
    Bitmap(Box<[u8; BITMAP]>),
}

impl Tombstone {
    /// Returns the position of the call with this name. Returns `None` if the name is not the id of a call.
    pub(crate) fn of(name: &str) -> Option<Self> {
        CallId::from_name(name).map(Self::of_call)
    }

    pub(crate) fn of_call(CallId(number, _): CallId) -> Self {
        Self { group: number / CALLS, bit: (number % CALLS) as u16 }
    }
}

impl TombstoneGroup {
    /// Creates a group with one finished call, at this bit.
    pub(crate) fn one(bit: u16) -> Self {
        Self::Few(vec![bit])
    }

    pub(crate) fn insert(&mut self, bit: u16) {
        match self {
            Self::Few(bits) if bits.contains(&bit) => {}
            Self::Few(bits) if bits.len() < FEW => bits.push(bit),
            Self::Few(bits) => {
                let mut bitmap = Box::new([0; BITMAP]);
                bits.iter().chain([&bit]).for_each(|bit| set(&mut bitmap, *bit));
                *self = Self::Bitmap(bitmap);
            }
            Self::Bitmap(bitmap) => set(bitmap, bit),
        }
    }

    pub(crate) fn contains(&self, bit: u16) -> bool {
        match self {
            Self::Few(bits) => bits.contains(&bit),
            Self::Bitmap(bitmap) => bitmap[usize::from(bit / 8)] & 1 << (bit % 8) != 0,
        }
    }

    /// Returns the number of bytes that the group takes on the heap.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Few(bits) => bits.capacity() * size_of::<u16>(),
            Self::Bitmap(_) => BITMAP,
        }
    }
}

/// Conversions to and from bytes. The bytes are a bitmap, or a list with two little-endian bytes per call.
impl TombstoneGroup {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Few(bits) => bits.iter().flat_map(|bit| bit.to_le_bytes()).collect(),
            Self::Bitmap(bitmap) => bitmap.to_vec(),
        }
    }

    /// Decodes a stored group of finished calls. Returns `None` if the bytes are invalid.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if let Ok(bitmap) = <[u8; BITMAP]>::try_from(bytes) {
            return Some(Self::Bitmap(Box::new(bitmap)));
        }
        let (bits, []) = bytes.as_chunks() else { return None };
        let bits: Vec<u16> = bits.iter().map(|bit| u16::from_le_bytes(*bit)).collect();
        let is_valid = bits.len() <= FEW && bits.iter().all(|bit| u64::from(*bit) < CALLS);
        is_valid.then_some(Self::Few(bits))
    }
}

fn set(bitmap: &mut [u8; BITMAP], bit: u16) {
    bitmap[usize::from(bit / 8)] |= 1 << (bit % 8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_with_consecutive_numbers_share_a_group() {
        let of = |number: u64| Tombstone::of(&format!("{number:016x}{:016x}", 7)).unwrap();
        assert_eq!(of(0x5000), Tombstone { group: 5, bit: 0 });
        assert_eq!(of(0x5fff), Tombstone { group: 5, bit: 4095 });
        assert_eq!(of(u64::MAX), Tombstone { group: u64::MAX / 4096, bit: 4095 });
    }

    #[test]
    fn name_that_is_not_the_id_of_a_call_has_no_tombstone() {
        let id = "0123456789abcdef0123456789abcdef";
        assert!(Tombstone::of(id).is_some());
        for name in [
            "",
            "a",
            &id[1..],
            &format!("{id}0"),
            &id.replace('9', "-"),
            &id.replace('a', "A"),
            &id.replace('9', "é")[..32],
        ] {
            assert_eq!(Tombstone::of(name), None, "{name}");
        }
    }

    #[test]
    fn marks_contain_exactly_what_was_inserted() {
        let inserted: Vec<u16> = (0..4096).step_by(3).chain([1, 4095]).collect();
        let mut marks = TombstoneGroup::one(0);
        for count in 0..inserted.len() {
            marks.insert(inserted[count]);
            marks.insert(inserted[count]);
            if count % 100 < 40 {
                let found: Vec<u16> = (0..4096).filter(|bit| marks.contains(*bit)).collect();
                let mut expected = inserted[..=count].to_vec();
                expected.sort_unstable();
                assert_eq!(found, expected);
                assert_eq!(TombstoneGroup::from_bytes(&marks.to_bytes()), Some(marks.clone()));
            }
        }
        assert_eq!(marks.size(), 512);
    }

    #[test]
    fn rejects_invalid_bytes() {
        for bytes in [&[1][..], &[0, 16], &[0; 66], &[0; 511], &[0; 514]] {
            assert_eq!(TombstoneGroup::from_bytes(bytes), None, "{} bytes", bytes.len());
        }
    }
}
