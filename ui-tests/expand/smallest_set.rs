#[elicits]
enum Delete {
    Confirm { confirmed: bool },
}
