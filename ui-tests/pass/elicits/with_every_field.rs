//! Every kind of field, and every key on one.

use mcp_runtime::{
    elicit::{Email, MultiSelect},
    prelude::*,
};

/// What signing up asks.
#[elicits]
#[derive(Clone, Debug, PartialEq)]
pub enum Signup {
    /// Who are you?
    Person {
        /// As in the passport.
        #[elicit(title = "Name", min_length = 2, max_length = 40)]
        name: String,
        nickname: Option<String>,
        #[elicit(default = "me@example.com")]
        email: Email,
        #[elicit(format = "uri", default = "https://example.com", rename = "home-page")]
        home_page: String,
        #[elicit(format = "date", default = "2000-02-29")]
        born: Option<String>,
        #[elicit(format = "date-time")]
        since: String,
        #[elicit(description = "In years.", min = 18, max = 150, default = 30)]
        age: u8,
        debt: Option<i128>,
        #[elicit(min = -273.15, max = 1_000)]
        temperature: f64,
        #[elicit(default = -1, min = -5)]
        floor: i16,
        ratio: Option<f32>,
        #[elicit(default = true)]
        subscribed: bool,
        #[elicit(not_secret, default = false)]
        reset_password: Option<bool>,
    },
    /// What would you like?
    Wishes {
        #[elicit(default = "none")]
        seat: Seat,
        #[elicit(enum_names, default = "window")]
        second: Option<Seat>,
        color: Color,
        #[elicit(min_items = 1, max_items = 2, default = ["red", "dark_blue"])]
        colors: MultiSelect<Color>,
        seats: Option<MultiSelect<Seat>>,
    },
}

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
pub enum Seat {
    Window,
    Aisle,
    #[choice(title = "No preference")]
    None,
}

#[derive(Choice, Clone, Debug, PartialEq)]
pub enum Color {
    Red,
    DarkBlue = 7,
    #[choice(rename = "light green")]
    LightGreen,
}

/// Signs up a user.
#[mcp_tool]
async fn sign_up(ctx: &Ctx<Signup>) -> mcp_runtime::Result<String> {
    let person = ctx.elicit::<Person>("Who are you?").default_for(Person::NAME, "Ann").strict().await?;
    let wishes = ctx.elicit::<Wishes>("What would you like?").default_for(Wishes::COLOR, Color::Red).strict().await?;
    let all = [Signup::from(person), wishes.into()];
    Ok(format!("{all:?}"))
}

fn main() {
    let _ = tools![sign_up];
}
