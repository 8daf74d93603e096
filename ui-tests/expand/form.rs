#[derive(Form)]
pub struct Details {
    /// As in the passport.
    pub name: String,
    email: Option<Email>,
}
