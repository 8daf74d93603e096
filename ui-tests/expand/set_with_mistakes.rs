#[elicits]
enum Booking<'a, T> {
    Pick { flight: &'a str, seat: T, place: str },
    Pair(u8, T),
    Nothing,
    Nothing,
    Booking { a: u8 },
    Wrapped(Confirm),
    Again(Confirm),
    Object(dyn Send),
}
