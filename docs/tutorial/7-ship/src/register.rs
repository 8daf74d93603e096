//! Registering a reader: a tool that asks its user with a form.

use mcp_runtime::{Result, elicit::Email, prelude::*};

use crate::desk::Desk;

/// The forms of the tool.
#[elicits]
#[derive(Debug)]
pub enum Registration {
    /// Who gets the card.
    NewReader {
        /// The name on the card.
        #[elicit(title = "Name", min_length = 2, max_length = 60)]
        name: String,
        /// Reminders go to this address.
        #[elicit(title = "E-mail address")]
        email: Email,
        #[elicit(title = "Year of birth", min = 1900, max = 2026)]
        born: Option<u16>,
        #[elicit(title = "Card", default = "adult")]
        card: Card,
        /// A letter about new books, once a month.
        #[elicit(title = "Newsletter", default = false)]
        newsletter: bool,
    },
}

/// The kinds of cards.
#[derive(Choice, Clone, Copy, Debug)]
pub enum Card {
    Adult,
    Student,
    #[choice(title = "Child, up to 14 years")]
    Child,
}

/// Register a reader, who fills in a form. Nothing is stored if they do not send it.
#[mcp_tool(
    title = "Register a reader",
    destructive = false,
    open_world = false,
    replayable,
    scopes("desk:write")
)]
pub async fn register_reader(desk: &Desk, ctx: &Ctx<Registration>) -> Result<String> {
    match ctx.elicit::<NewReader>("Who gets the card?").await? {
        Elicited::Accept(reader) => {
            let add = async { desk.register(&reader) };
            let id = ctx.try_step("register", add).await?;
            Ok(format!("{} is reader {id}.", reader.name))
        }
        Elicited::Decline => Ok("The user does not want a card. Nothing is stored.".into()),
        Elicited::Cancel => Ok(
            "The user closed the form. Nothing is stored; ask if they still want a card.".into(),
        ),
    }
}

#[cfg(test)]
mod tests;
