//! The code of the page `replay`, about how it works.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::{Duration, SystemTime},
};

use mcp_runtime::{Result, prelude::*};

/// Counts what a test wants to know.
static BEGINNINGS: AtomicU32 = AtomicU32::new(0);
static LOOKUPS: AtomicU32 = AtomicU32::new(0);

// ANCHOR: replayable
#[elicits]
enum Order {
    Choose { dish: String },
    Confirm { confirmed: bool },
}

/// Orders lunch for the user.
#[mcp_tool(replayable)]
async fn order_lunch(ctx: &Ctx<Order>) -> Result<String> {
    // Runs again in each round.
    BEGINNINGS.fetch_add(1, Relaxed);
    // Runs once; a replay gets the recorded value.
    let dishes = ctx.step("menu", dishes()).await?;
    // The same in each round, whatever the clock says.
    let until = ctx.now() + Duration::from_secs(15 * 60);
    let table = ctx.random() % 12 + 1;

    let ask = ctx.elicit::<Choose>(format!("What may it be at table {table}?"));
    let chosen = ask.choices(Choose::DISH, dishes).strict().await?;
    let sure = ctx.elicit::<Confirm>(format!("Order {}?", chosen.dish)).strict().await?;
    match sure.confirmed {
        true if SystemTime::now() <= until => Ok(format!("{} for table {table}", chosen.dish)),
        true => Ok("the kitchen has closed".to_owned()),
        false => Ok("nothing is ordered".to_owned()),
    }
}
// ANCHOR_END: replayable

async fn dishes() -> Vec<String> {
    LOOKUPS.fetch_add(1, Relaxed);
    vec!["soup".to_owned(), "pie".to_owned()]
}

// ANCHOR: drift
/// Asks with a text that is different each time.
#[mcp_tool(replayable)]
async fn hurry(ctx: &Ctx<Order>) -> Result<String> {
    let waited = BEGINNINGS.fetch_add(1, Relaxed);
    let sure = ctx.elicit::<Confirm>(format!("Order now, after {waited} attempts?")).strict().await?;
    let chosen = ctx.elicit::<Choose>("What?").strict().await?;
    Ok(format!("{}: {}", chosen.dish, sure.confirmed))
}
// ANCHOR_END: drift

#[cfg(test)]
mod tests {
    use mcp_runtime::testing::Client;
    use tokio::sync::Mutex;

    use super::*;

    /// Held by a test, because both tests count.
    static COUNTED: Mutex<()> = Mutex::const_new(());

    fn choice() -> Choose {
        Choose { dish: "pie".to_owned() }
    }

    // ANCHOR: test
    #[tokio::test]
    async fn a_step_runs_once_and_the_function_once_for_each_round() {
        let _counted = COUNTED.lock().await;
        let (beginnings, lookups) = (BEGINNINGS.load(Relaxed), LOOKUPS.load(Relaxed));
        let service = Server::new("lunch", "1.0.0").tools(tools![order_lunch]).build().unwrap();
        // Drops the future between two rounds, as a restart does.
        let mut client = Client::modern(&service).rebuilding();
        let ordered = client.call("order_lunch", ()).accept(choice()).accept(Confirm { confirmed: true }).await;
        assert!(ordered.text().starts_with("pie for table "), "{}", ordered.text());
        assert_eq!(BEGINNINGS.load(Relaxed) - beginnings, 3);
        assert_eq!(LOOKUPS.load(Relaxed) - lookups, 1);
    }
    // ANCHOR_END: test

    #[tokio::test]
    async fn a_question_that_changes_twice_ends_the_call() {
        let _counted = COUNTED.lock().await;
        let service = Server::new("lunch", "1.0.0").tools(tools![hurry]).build().unwrap();
        let mut client = Client::modern(&service).rebuilding();
        let sure = || Confirm { confirmed: true };
        let ended = client.call("hurry", ()).accept(sure()).accept(sure()).await;
        assert!(ended.is_error());
        // ANCHOR: drift_error
        let error = "the message of the question `confirm` changed when the call was resumed; \
                     a question must not depend on a clock, a random number or data that changes: \
                     compute such values in `before`, or use `ctx.now()`, `ctx.random()` or `ctx.step(…)`";
        assert_eq!(ended.text(), error);
        // ANCHOR_END: drift_error
    }
}
