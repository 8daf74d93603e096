//! The server process that tests kill, on standard input and output.

use std::{env, fs, io::Write as _, path::PathBuf, time::Duration};

use mcp_runtime::{Result, Server, prelude::*, store::KeyRing};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::process::{DIRECTORY, LEASE, NAME, STORE};
use crate::once::tools::{Seat, Sure, Trip};
use crate::support::stores::open_at;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "started by other tests, as a process"]
async fn serves() {
    let ledger = open_at(&env::var(STORE).unwrap()).await.ledger;
    let server = Server::new("trips", "1").ledger(ledger).state_keys(KeyRing::new([7; 32])).lease(LEASE);
    let server = server.tools(tools![order, retry]).tool(Book).tool(Rebook).tool(Hurry);
    server.serve_stdio().await.unwrap();
}

/// Records an event for all processes.
fn note(what: &str) {
    let mut notes = fs::OpenOptions::new().append(true).create(true).open(directory().join("notes")).unwrap();
    // In one write, which a kill cannot split.
    notes.write_all(format!("{what}\n").as_bytes()).unwrap();
}

/// Waits while a test holds this process at this point.
async fn pass(place: &str) {
    let name = env::var(NAME).unwrap();
    note(&format!("{name} is at {place}"));
    while directory().join(format!("hold-{name}-at-{place}")).exists() {
        sleep(Duration::from_millis(2)).await;
    }
}

fn directory() -> PathBuf {
    env::var_os(DIRECTORY).unwrap().into()
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Offer {
    price: u64,
}

async fn before() -> Offer {
    note("before");
    Offer { price: 100 }
}

async fn talk(ctx: &Ctx<Trip>) -> Result<Seat> {
    let seat = ctx.elicit::<Seat>("Which seat?").strict().await?;
    pass("seat").await;
    ctx.elicit::<Sure>(format!("Seat {}?", seat.seat)).strict().await?;
    pass("sure").await;
    Ok(seat)
}

async fn after(key: &str, offer: &Offer, seat: &Seat) -> String {
    note(&format!("after {key}"));
    pass("effect").await;
    note("after ends");
    format!("{} for {}", seat.seat, offer.price)
}

struct Book;

/// Books a seat.
#[handoff]
impl Book {
    async fn before(&self) -> Offer {
        before().await
    }

    async fn client(ctx: &Ctx<Trip>, _offer: &Offer) -> Result<Seat> {
        talk(ctx).await
    }

    async fn after(&self, ctx: &PhaseCtx, offer: Offer, seat: Seat) -> String {
        after(&ctx.idempotency_key("after"), &offer, &seat).await
    }
}

struct Hurry;

/// Books a seat for somebody who must answer soon.
#[handoff(answer_within = "1s")]
impl Hurry {
    async fn before(&self) -> Offer {
        before().await
    }

    async fn client(ctx: &Ctx<Trip>, _offer: &Offer) -> Result<Seat> {
        Ok(ctx.elicit::<Seat>("Which seat?").strict().await?)
    }

    async fn after(&self, ctx: &PhaseCtx, offer: Offer, seat: Seat) -> String {
        after(&ctx.idempotency_key("after"), &offer, &seat).await
    }
}

struct Rebook;

/// Books a seat; may do so twice, for whoever sells them knows the key.
#[handoff(idempotent)]
impl Rebook {
    async fn before(&self) -> Offer {
        before().await
    }

    async fn client(ctx: &Ctx<Trip>, _offer: &Offer) -> Result<Seat> {
        talk(ctx).await
    }

    async fn after(&self, ctx: &PhaseCtx, offer: Offer, seat: Seat) -> String {
        after(&ctx.idempotency_key("after"), &offer, &seat).await
    }
}

async fn charge(key: String) -> String {
    note(&format!("charge {key}"));
    pass("step").await;
    format!("charged by {}", env::var(NAME).unwrap())
}

/// Asks, charges and asks again.
#[mcp_tool(replayable)]
async fn order(ctx: &Ctx<Trip>) -> Result<String> {
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    let charged = ctx.step("charge", charge(ctx.idempotency_key("charge"))).await?;
    pass("sure").await;
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{seat} {charged}"))
}

/// Asks, and charges; may do so twice.
#[mcp_tool(replayable)]
async fn retry(ctx: &Ctx<Trip>) -> Result<String> {
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    let charged = ctx.step("charge", charge(ctx.idempotency_key("charge"))).idempotent().await?;
    Ok(format!("{seat} {charged}"))
}
