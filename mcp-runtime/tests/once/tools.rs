//! The tools, and the counters and gates of a test.

use std::sync::{
    Arc, LazyLock, Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

use mcp_runtime::{AskError, Result, prelude::*};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

#[elicits]
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trip {
    Seat {
        #[elicit(min_length = 2)]
        seat: String,
    },
    Sure {
        sure: bool,
    },
}

/// The counters and gates of one test. Tools without state find this value by the number of the test.
pub(crate) struct Watched {
    pub(crate) number: usize,
    pub(crate) before: Count,
    /// The number of runs of `client`, or of a tool that is a single function.
    pub(crate) client: Count,
    pub(crate) after: Count,
    /// How many runs of `after` saw that their client had disconnected.
    pub(crate) unwanted: Count,
    /// The gate that a call passes after each answer.
    pub(crate) talk: Gate,
    /// In `after`.
    pub(crate) effect: Gate,
    /// The message of the first question.
    wording: Mutex<Wording>,
}

#[derive(Clone, Default)]
enum Wording {
    #[default]
    First,
    Second,
    /// The message is different in every run.
    Unsteady,
}

#[derive(Default)]
pub(crate) struct Count(AtomicUsize);

/// A gate. It is open until a test closes it.
pub(crate) struct Gate(watch::Sender<(bool, usize)>);

static WATCHED: LazyLock<Mutex<Vec<Arc<Watched>>>> = LazyLock::new(Mutex::default);

impl Watched {
    pub(crate) fn new() -> Arc<Self> {
        let mut all = WATCHED.lock().unwrap();
        let watched = Arc::new(Self {
            number: all.len(),
            before: Count::default(),
            client: Count::default(),
            after: Count::default(),
            unwanted: Count::default(),
            talk: Gate::new(),
            effect: Gate::new(),
            wording: Mutex::default(),
        });
        all.push(Arc::clone(&watched));
        watched
    }

    fn of(number: usize) -> Arc<Self> {
        Arc::clone(&WATCHED.lock().unwrap()[number])
    }

    /// Returns how often `before` and `after` have run.
    pub(crate) fn runs(&self) -> (usize, usize) {
        (self.before.get(), self.after.get())
    }

    /// Changes the message of the first question from now on.
    pub(crate) fn reword(&self) {
        *self.wording() = Wording::Second;
    }

    /// Makes the first question have a different message in every run from now on.
    pub(crate) fn be_unsteady(&self) {
        *self.wording() = Wording::Unsteady;
    }

    fn first_question(&self, to: &str) -> String {
        match &*self.wording() {
            Wording::First => format!("Which seat to {to}?"),
            Wording::Second => format!("Where will you sit to {to}?"),
            Wording::Unsteady => format!("Which seat to {to}? (asked for the {}th time)", self.client.get()),
        }
    }

    fn wording(&self) -> MutexGuard<'_, Wording> {
        self.wording.lock().unwrap()
    }
}

impl Count {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn up(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Gate {
    fn new() -> Self {
        Self(watch::Sender::new((true, 0)))
    }

    pub(crate) fn close(&self) {
        self.0.send_modify(|(open, _)| *open = false);
    }

    pub(crate) fn open(&self) {
        self.0.send_modify(|(open, _)| *open = true);
    }

    /// Waits until this many calls have reached the gate.
    pub(crate) async fn reached(&self, times: usize) {
        let mut state = self.0.subscribe();
        let reached = state.wait_for(|(_, came)| *came >= times);
        tokio::time::timeout(std::time::Duration::from_secs(10), reached).await.expect("nobody comes").unwrap();
    }

    /// Returns how many calls have reached the gate.
    pub(crate) fn came(&self) -> usize {
        self.0.borrow().1
    }

    pub(crate) async fn pass(&self) {
        self.0.send_modify(|(_, came)| *came += 1);
        self.0.subscribe().wait_for(|(open, _)| *open).await.unwrap();
    }
}

async fn talk(ctx: &Ctx<Trip>, watched: &Watched, to: &str) -> Result<Seat, AskError> {
    watched.client.up();
    ctx.log(Level::Info, "asks for a seat");
    ctx.progress(0.25).message("asking");
    let seat = ctx.elicit::<Seat>(watched.first_question(to)).strict().await?;
    watched.talk.pass().await;
    ctx.log(Level::Info, "has a seat");
    ctx.progress(0.5).message("seated");
    let sure = ctx.elicit::<Sure>(format!("Seat {} to {to}?", seat.seat)).strict().await?;
    watched.talk.pass().await;
    ctx.log(Level::Info, format!("sure: {}", sure.sure));
    Ok(seat)
}

/// The result of `before`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Offer {
    watched: usize,
    to: String,
    price: usize,
}

pub(crate) struct Book(pub(crate) Arc<Watched>);

/// Books a seat.
#[handoff]
impl Book {
    async fn before(&self, ctx: &PhaseCtx, to: Option<String>) -> Offer {
        self.0.before.up();
        ctx.log(Level::Info, "looks for offers");
        Offer {
            watched: self.0.number,
            to: to.unwrap_or_else(|| "Lisbon".to_owned()),
            // A different price if it ever ran again.
            price: 100 * self.0.before.get(),
        }
    }

    async fn client(ctx: &Ctx<Trip>, offer: &Offer) -> Result<Seat> {
        Ok(talk(ctx, &Watched::of(offer.watched), &offer.to).await?)
    }

    async fn after(&self, ctx: &PhaseCtx, offer: Offer, seat: Seat) -> String {
        self.0.after.up();
        ctx.log(Level::Info, "books");
        self.0.effect.pass().await;
        if ctx.is_cancelled() {
            self.0.unwanted.up();
        }
        let Offer { to, price, .. } = offer;
        format!("{} to {to} for {price}", seat.seat)
    }
}

/// Plans a trip; may be run again.
#[mcp_tool(replayable)]
pub(crate) async fn plan(ctx: &Ctx<Trip>, watched: &Arc<Watched>) -> Result<String> {
    Ok(format!("{} planned", talk(ctx, watched, "Lisbon").await?.seat))
}

/// Plans a trip; must not be run again.
#[mcp_tool]
pub(crate) async fn wander(ctx: &Ctx<Trip>, watched: &Arc<Watched>) -> Result<String> {
    Ok(format!("{} wandered", talk(ctx, watched, "Lisbon").await?.seat))
}

/// Asks, pays, and asks again.
#[mcp_tool(replayable)]
pub(crate) async fn pay(ctx: &Ctx<Trip>, watched: &Arc<Watched>) -> Result<String> {
    watched.client.up();
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    let payment = async {
        watched.after.up();
        watched.effect.pass().await;
        format!("paid for {seat}")
    };
    let paid = ctx.step("pay", payment).await?;
    let Sure { sure } = ctx.elicit::<Sure>("Happy?").strict().await?;
    Ok(format!("{seat}: {paid}, {sure}"))
}

/// Plans a trip with somebody who must answer soon.
#[mcp_tool(replayable, answer_within = "1s")]
pub(crate) async fn hurry(ctx: &Ctx<Trip>, watched: &Arc<Watched>) -> Result<String> {
    Ok(format!("{} planned in a hurry", talk(ctx, watched, "Lisbon").await?.seat))
}

/// Asks two forms at once.
#[mcp_tool(replayable)]
pub(crate) async fn both(ctx: &Ctx<Trip>) -> Result<String> {
    let (seat, sure) = tokio::join!(ctx.elicit::<Seat>("Which seat?").strict(), ctx.elicit::<Sure>("Sure?").strict());
    Ok(format!("{} {}", seat?.seat, sure?.sure))
}

/// Is done with either, and then asks once more.
#[mcp_tool(replayable)]
pub(crate) async fn either(ctx: &Ctx<Trip>) -> Result<String> {
    let first = tokio::select! {
        seat = ctx.elicit::<Seat>("Which seat?").strict() => seat?.seat,
        sure = ctx.elicit::<Sure>("Or any?").strict() => sure?.sure.to_string(),
    };
    Ok(format!("{first} {}", ctx.elicit::<Sure>("Is that all?").strict().await?.sure))
}
