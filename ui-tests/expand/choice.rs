#[derive(Choice)]
pub enum Seat {
    Window,
    MiddleSeat,
    #[choice(rename = "gang")]
    Aisle,
}
