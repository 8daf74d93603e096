//! Who loses an entry, and who is refused.

use super::{Amount, AmountLimits, Measure, OwnedEntries};

fn entries(each: usize, all: usize) -> OwnedEntries<&'static str, u32> {
    let of = |number| Amount { number, bytes: 10 * number };
    OwnedEntries::new(AmountLimits { each: of(each), all: of(all) })
}

fn add(entries: &mut OwnedEntries<&'static str, u32>, owner: &'static str, values: &[u32]) {
    values.iter().for_each(|value| _ = entries.insert(owner, Amount::one(1), *value));
}

fn left(entries: &OwnedEntries<&'static str, u32>) -> Vec<u32> {
    entries.values().copied().collect()
}

#[test]
fn a_newcomer_takes_the_place_of_the_owner_that_holds_most() {
    let mut entries = entries(10, 6);
    add(&mut entries, "ann", &[1]);
    add(&mut entries, "eve", &[2, 3, 4, 5, 6]);
    assert_eq!(entries.make_room(&"bob", Amount::one(1), |_| true), Ok(vec![2]));
    add(&mut entries, "bob", &[7]);
    // Bob may have as many as Eve, and not more.
    assert_eq!(entries.make_room(&"bob", Amount::one(1), |_| true), Ok(vec![3]));
    add(&mut entries, "bob", &[8]);
    assert_eq!(entries.make_room(&"bob", Amount::one(1), |_| true), Err(Measure::Number));
    assert_eq!(left(&entries), [1, 4, 5, 6, 7, 8]);
}

#[test]
fn invented_owners_take_nothing_from_an_owner_with_one_entry() {
    let mut entries = entries(10, 3);
    add(&mut entries, "ann", &[1]);
    add(&mut entries, "eve-1", &[2]);
    add(&mut entries, "eve-2", &[3]);
    assert_eq!(entries.make_room(&"eve-3", Amount::one(1), |_| true), Err(Measure::Number));
    assert_eq!(left(&entries), [1, 2, 3]);
}

#[test]
fn an_entry_that_cannot_go_stays() {
    let mut entries = entries(10, 4);
    add(&mut entries, "eve", &[1, 2, 3, 4]);
    assert_eq!(entries.make_room(&"ann", Amount::one(1), |value| *value == 3), Ok(vec![3]));
    add(&mut entries, "eve", &[5]);
    assert_eq!(entries.make_room(&"ann", Amount::one(1), |_| false), Err(Measure::Number));
    assert_eq!(left(&entries), [1, 2, 4, 5]);
}

#[test]
fn bytes_make_room_or_nothing_goes() {
    let mut entries = entries(10, 10);
    entries.insert("eve", Amount::one(60), 1);
    entries.insert("eve", Amount::one(30), 2);
    entries.insert("ann", Amount::one(5), 3);
    // Without its oldest entry, Eve would hold less than Bob.
    assert_eq!(entries.make_room(&"bob", Amount::one(40), |_| true), Err(Measure::Bytes));
    assert_eq!(left(&entries), [1, 2, 3]);
    assert_eq!(entries.make_room(&"bob", Amount::one(20), |_| true), Ok(vec![1]));
}

#[test]
fn the_owner_that_holds_most_shrinks_first() {
    let mut entries = entries(10, 4);
    add(&mut entries, "ann", &[1, 2]);
    add(&mut entries, "eve", &[3, 4, 5, 6]);
    assert_eq!(entries.shrink(|_| true), [3, 4]);
    // Of owners that hold the same, the oldest entry goes.
    add(&mut entries, "bob", &[7]);
    assert_eq!(entries.shrink(|_| true), [1]);
}

#[test]
fn an_owner_knows_its_own_excess_and_its_oldest_entry() {
    let mut entries = entries(2, 10);
    add(&mut entries, "ann", &[1, 2]);
    assert_eq!(entries.excess_of(&"ann", Amount::one(1)), Some(Measure::Number));
    assert_eq!(entries.excess_of(&"bob", Amount::one(21)), Some(Measure::Bytes));
    assert_eq!(entries.remove_oldest_of(&"ann"), Some(1));
    assert_eq!(entries.excess_of(&"ann", Amount::one(1)), None);
    let last = entries.insert("ann", Amount::one(1), 3);
    entries.resize(last, Amount::one(20));
    assert_eq!(entries.excess_of(&"ann", Amount::default()), Some(Measure::Bytes));
    assert_eq!(entries.remove(last), Some(3));
    assert_eq!((left(&entries), entries.of(&"ann").copied().collect::<Vec<_>>()), (vec![2], vec![2]));
}
