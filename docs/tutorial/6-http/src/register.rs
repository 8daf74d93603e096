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
    scopes("desk:write")
)]
pub async fn register_reader(desk: &Desk, ctx: &Ctx<Registration>) -> Result<String> {
    match ctx.elicit::<NewReader>("Who gets the card?").await? {
        Elicited::Accept(reader) => {
            let id = desk.register(&reader)?;
            Ok(format!("{} is reader {id}.", reader.name))
        }
        Elicited::Decline => Ok("The user does not want a card. Nothing is stored.".into()),
        Elicited::Cancel => Ok(
            "The user closed the form. Nothing is stored; ask if they still want a card.".into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::client;

    fn ada() -> NewReader {
        NewReader {
            name: "Ada".into(),
            email: "ada@example.org".parse().unwrap(),
            born: None,
            card: Card::Student,
            newsletter: true,
        }
    }

    #[tokio::test]
    async fn an_address_gets_one_card() {
        let mut client = client();
        let registered = client.call("register_reader", ()).accept(ada()).await;
        assert_eq!(registered.text(), "Ada is reader 1.");
        let refused = client.call("register_reader", ()).accept(ada()).await;
        assert!(refused.is_error());
        assert!(refused.text().starts_with("ada@example.org has a card"));
    }

    #[tokio::test]
    async fn declining_and_closing_the_form_differ() {
        let mut client = client();
        let declined = client.call("register_reader", ()).decline().await;
        assert!(declined.text().starts_with("The user does not want"));
        let closed = client.call("register_reader", ()).cancel().await;
        assert!(closed.text().ends_with("ask if they still want a card."));
    }

    #[tokio::test]
    async fn an_invalid_answer_is_asked_again_with_the_reason() {
        let invalid = json!({ "name": "A", "email": "ada", "newsletter": false });
        let mut client = client();
        let call = client.call("register_reader", ());
        let registered = call
            .answer(json!({ "action": "accept", "content": invalid }))
            .accept(ada())
            .await;
        assert_eq!(registered.text(), "Ada is reader 1.");
        let question = registered.asked()[1].message();
        assert!(question.contains("Name: got \"A\" (1 character)"));
        assert!(question.contains("E-mail address: got \"ada\""));
    }
}
