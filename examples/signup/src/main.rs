//! A server that signs people up for a conference.
//!
//! It shows every kind of form field, two forms that are asked together, what to do if an older client lacks a kind of
//! field, and a page for a password, which a form must not ask for ([`PasswordPage`]).
//!
//! `transcript.jsonl` contains the messages of a client and the server.

mod forms;
mod page;

use std::{
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

use mcp_runtime::{Result, prelude::*};

use self::{
    forms::{Attendee, SignUp, Stay, Workshop, Workshops},
    page::{Password, PasswordPage},
};

/// The registrations of all attendees.
#[derive(Default)]
struct Attendees(Mutex<Vec<Registration>>);

/// The answers of one attendee.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "this example does not read the answers")]
struct Registration {
    attendee: Attendee,
    stay: Stay,
    workshops: Vec<Workshop>,
    /// This example keeps the password in memory. A server that stores its data must store a salted hash instead.
    password: Option<Password>,
}

/// Sign the user up for the conference. The tool asks the user for all data: do not ask the user yourself.
#[mcp_tool(title = "Sign up", destructive = false, open_world = false, optional(elicitation_url), timeout = "15m")]
async fn sign_up(attendees: &Attendees, ctx: &Ctx<SignUp>) -> Result<String> {
    // Both forms are sent together, because they are awaited together.
    let (attendee, stay) = tokio::try_join!(
        ctx.elicit::<Attendee>("Who is coming?").strict(),
        ctx.elicit::<Stay>("How will you be with us?").strict(),
    )?;
    let workshops = match ctx.elicit::<Workshops>("Which workshops? Decline for none.").await {
        Ok(answer) => answer.accepted().map_or_else(Vec::new, |form| form.workshops.into_vec()),
        // Revision 2025-06-18 has no field for several choices: these attendees choose later.
        Err(AskError::Unsupported { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let password = password(ctx).await?;

    let (name, arrives, guests) = (attendee.name.clone(), stay.arrives, stay.guests);
    let (booked, later) = (workshops.len(), password.is_none());
    let number = attendees.add(Registration { attendee, stay, workshops, password });
    let note = if later { " They have no password yet." } else { "" };
    Ok(format!("{name} is number {number}: from {arrives}, guests: {guests}, workshops: {booked}.{note}"))
}

/// Asks for a password on a page of this server. A form must not ask for a password, and the client must not see it.
/// Returns `None` if the client cannot open a page or the user declines.
async fn password(ctx: &Ctx<SignUp>) -> Result<Option<Password>> {
    if !ctx.client().can_elicit_url() {
        return Ok(None);
    }
    let page = PasswordPage::open().await?;
    let visited = match ctx.elicit_url("password", page.url(), "Choose a password for your account.").await {
        Ok(visited) => visited,
        Err(AskError::Declined | AskError::Cancelled) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let password = page.chosen().await?;
    visited.complete();
    Ok(Some(password))
}

impl Attendees {
    /// Adds a registration, and returns its number.
    fn add(&self, registration: Registration) -> usize {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(registration);
        all.len()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("signup", env!("CARGO_PKG_VERSION"))
        .title("Conference")
        .state(Attendees::default())
        .tools(tools![sign_up])
        .run()
        .await
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use mcp_runtime::{elicit::Email, in_every_mode};
    use serde_json::json;

    use super::{
        forms::{Meals, Shirt, Transport},
        *,
    };

    fn attendee() -> Attendee {
        let email = Email::try_from("ada@example.com".to_owned()).unwrap();
        Attendee { name: "Ada".into(), email, website: None }
    }

    fn stay() -> Stay {
        Stay {
            guests: 1,
            donation: None,
            arrives: NaiveDate::from_ymd_opt(2026, 12, 4).unwrap(),
            taxi: None,
            meals: Meals::Vegan,
            shirt: Shirt::M,
            transport: Transport::Train,
            photos: false,
        }
    }

    /// The password page has a separate test. A client that cannot open pages gets no URL.
    #[tokio::test]
    async fn it_signs_up_once_in_every_mode() {
        in_every_mode!(|mode| {
            let server = || Server::new("signup", "1").state(Attendees::default()).tools(tools![sign_up]);
            let mut client = mode.client(server).capabilities(json!({ "elicitation": {} }));
            let workshops = Workshops { workshops: vec![Workshop::Async].into() };
            let signed = client.call("sign_up", ()).accept(attendee()).accept(stay()).accept(workshops).await;
            let expected = "Ada is number 1: from 2026-12-04, guests: 1, workshops: 1. They have no password yet.";
            assert_eq!(signed.text(), expected);

            let later = client.call("sign_up", ()).accept(attendee()).accept(stay()).decline().await;
            assert!(later.text().starts_with("Ada is number 2: "), "{}", later.text());
        });
    }
}
