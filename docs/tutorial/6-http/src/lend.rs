//! Lending a book: three phases, of which the first and the last run once.

use mcp_runtime::{Result, prelude::*};

use crate::{
    desk::{Desk, Hold},
    settings::DeskSettings,
};

/// The forms of the tool.
#[elicits]
#[derive(Debug)]
pub enum Lending {
    /// Which copy the reader takes.
    PickCopy {
        #[elicit(title = "Copy")]
        copy: String,
    },
    /// Confirms the loan.
    Confirm {
        /// Without it nothing is lent.
        #[elicit(title = "Lend it")]
        confirmed: bool,
    },
}

/// The tool.
pub struct LendBook;

/// Lend a book to a reader, who picks a copy and confirms the loan. Nothing is lent otherwise.
#[handoff(
    title = "Lend a book",
    destructive = false,
    open_world = false,
    scopes("desk:write")
)]
impl LendBook {
    /// Holds a copy while the reader decides.
    async fn before(
        &self,
        desk: &Desk,
        /// The `id` of the book, as `search_books` returns it.
        book: i64,
        /// The number of the reader, as `register_reader` returns it.
        reader: i64,
    ) -> Result<Hold> {
        desk.hold(book, reader)
    }

    /// Asks. It cannot reach the database, so it asks the same when it runs again.
    async fn client(ctx: &Ctx<Lending>, hold: &Hold) -> Result<Option<i64>> {
        let ask = ctx.elicit::<PickCopy>(format!("Which copy of `{}`?", hold.title));
        let copies = hold
            .copies
            .iter()
            .map(|(id, edition)| (id.to_string(), edition.as_str()));
        let Elicited::Accept(PickCopy { copy }) = ask.choices(PickCopy::COPY, copies).await? else {
            return Ok(None);
        };
        let sure = ctx
            .elicit::<Confirm>(format!("Lend `{}`, copy {copy}?", hold.title))
            .await?;
        let confirmed = matches!(sure, Elicited::Accept(Confirm { confirmed: true }));
        Ok(confirmed.then(|| copy.parse()).transpose()?)
    }

    /// Records the loan.
    async fn after(
        &self,
        desk: &Desk,
        settings: &DeskSettings,
        hold: Hold,
        copy: Option<i64>,
    ) -> Result<String> {
        let Some(copy) = copy else {
            desk.release(&hold)?;
            return Ok("Nothing is lent.".into());
        };
        let loan = desk.record_loan(&hold, copy, settings.loan_days)?;
        Ok(format!(
            "Loan {}: `{}`, copy {copy}, until {}.",
            loan.id, hold.title, loan.due
        ))
    }
}

#[cfg(test)]
mod tests;
