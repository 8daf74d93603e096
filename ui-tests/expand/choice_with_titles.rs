#[derive(Choice)]
#[choice(crate = ::facade::mcp)]
enum Seat {
    Window,
    #[choice(title = "No preference")]
    None,
    PreferNot,
}
