#[derive(SampleTools)]
enum Strategy<'a> {
    /// Attack.
    PlayOffensive { reasoning: &'a str, cell: u8 },
    Resign,
}
