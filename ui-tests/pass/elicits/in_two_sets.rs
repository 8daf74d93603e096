//! A form may be wrapped in several sets, under a key of its own in each.

use mcp_runtime::prelude::*;

mod person {
    use mcp_runtime::prelude::*;

    /// Who?
    #[derive(Form)]
    pub struct Person {
        /// As in the passport.
        pub name: String,
        #[elicit(title = "E-mail")]
        pub(crate) email: Option<mcp_runtime::elicit::Email>,
        age: Option<u8>,
    }

    impl Person {
        pub fn age(&self) -> Option<u8> {
            self.age
        }
    }
}

use person::Person;

#[derive(Form)]
struct Confirm {
    confirmed: bool,
}

#[elicits]
enum Booking {
    Passenger(Person),
    Confirm(Confirm),
}

#[elicits]
enum Signup {
    #[elicit(key = "who")]
    Person(person::Person),
    Sure(crate::Confirm),
}

/// Books a seat.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> mcp_runtime::Result<String> {
    let ask = ctx.elicit::<Person>("Who?").default_for(Person::NAME, "Ann").choices(Person::NAME, ["Ann", "Bob"]);
    let person = ask.strict().await?;
    let sure = ctx.elicit("Sure?").strict().await?;
    let Confirm { confirmed } = sure;
    Ok(format!("{} {confirmed} {:?} {:?}", person.name, person.email, person.age()))
}

/// Signs up a user.
#[mcp_tool]
async fn sign_up(ctx: &Ctx<Signup>) -> mcp_runtime::Result<Text<bool>> {
    drop(ctx.elicit::<Person>("Who?").strict().await?);
    Ok(Text(ctx.elicit::<Confirm>("Sure?").strict().await?.confirmed))
}

fn union(confirmed: bool) -> (Booking, Signup) {
    (Confirm { confirmed }.into(), Signup::Sure(Confirm { confirmed }))
}

fn main() {
    let _ = tools![book, sign_up];
    let (Booking::Confirm(a), Signup::Sure(b)) = union(true) else { panic!() };
    assert!(a.confirmed && b.confirmed);
}
