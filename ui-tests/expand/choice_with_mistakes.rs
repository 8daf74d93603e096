#[derive(Choice)]
enum Seat<T> {
    Window(T),
    Aisle { row: u8 },
    #[choice(rename = "aisle")]
    Gang,
}
