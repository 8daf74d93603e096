//! Tests that run in every mode and pass.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use mcp_runtime::{
    Elicited, Result, Revision, Server,
    elicit::MultiSelect,
    prelude::*,
    testing::{Client, Mode, in_every_mode},
};
use serde_json::json;

#[elicits]
pub(crate) enum Trip {
    Seat {
        #[elicit(title = "Seat")]
        seat: String,
    },
    Sure {
        sure: bool,
    },
    Extras {
        extras: MultiSelect<Extra>,
    },
}

#[derive(Choice, Clone, Debug)]
pub(crate) enum Extra {
    Meal,
    Bag,
}

/// The bookings.
#[derive(Clone, Default)]
pub(crate) struct Bookings(Arc<Mutex<Vec<String>>>);

impl Bookings {
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

struct Book;

/// Books a seat.
#[handoff]
impl Book {
    async fn before(&self, to: String) -> Vec<String> {
        vec![format!("{to} 12A"), format!("{to} 14C")]
    }

    async fn client(ctx: &Ctx<Trip>, seats: &Vec<String>) -> Result<Option<String>> {
        let seat = ctx.elicit::<Seat>("Which seat?").choices(Seat::SEAT, seats.clone()).strict().await?;
        match ctx.elicit::<Sure>(format!("Book {}?", seat.seat)).await? {
            Elicited::Accept(Sure { sure: true }) => Ok(Some(seat.seat)),
            _ => Ok(None),
        }
    }

    async fn after(&self, bookings: &Bookings, _seats: Vec<String>, seat: Option<String>) -> String {
        let Some(seat) = seat else { return "nothing is booked".to_owned() };
        tokio::task::yield_now().await;
        bookings.0.lock().unwrap().push(seat.clone());
        format!("{seat} is booked")
    }
}

/// Asks two things at once, and then names the folders.
#[mcp_tool(replayable)]
async fn both(ctx: &Ctx<Trip>) -> Result<String> {
    let (sure, seat) = tokio::try_join!(ctx.elicit::<Sure>("Sure?").strict(), ctx.elicit::<Seat>("Seat?").strict())?;
    let roots = ctx.roots().await?;
    Ok(format!("{} {} {}", sure.sure, seat.seat, roots.len()))
}

/// Must not be run again.
#[mcp_tool]
async fn count_runs(ctx: &Ctx<Trip>, runs: &Arc<AtomicUsize>) -> Result<String> {
    runs.fetch_add(1, Ordering::SeqCst);
    let first = ctx.elicit::<Sure>("Sure?").strict().await?;
    let second = ctx.elicit::<Sure>("Really?").strict().await?;
    Ok(format!("{} {}", first.sure, second.sure))
}

/// Offers extras where a form can.
#[mcp_tool(replayable)]
async fn extras(ctx: &Ctx<Trip>) -> Result<String> {
    let extras = ctx.elicit::<Extras>("Which extras?").strict().await?.extras;
    Ok(extras.iter().map(|extra| format!("{extra:?}")).collect())
}

/// Pays in two steps, between questions.
#[mcp_tool(replayable)]
async fn pay(ctx: &Ctx<Trip>, bookings: &Bookings) -> Result<String> {
    let reserve = async { bookings.0.lock().unwrap().push("reserved".to_owned()) };
    ctx.step("reserve", reserve).await?;
    let seat = ctx.elicit::<Seat>("Which seat?").strict().await?.seat;
    let hold = async {
        tokio::task::yield_now().await;
        bookings.0.lock().unwrap().push(format!("{seat} held"));
        seat.len()
    };
    let length = ctx.step("hold", hold).await?;
    let sure = ctx.elicit::<Sure>(format!("Pay for {length}?")).strict().await?.sure;
    let pay = async {
        tokio::task::yield_now().await;
        bookings.0.lock().unwrap().push(format!("paid: {sure}"));
        Result::<()>::Ok(())
    };
    ctx.try_step("pay", pay).await?;
    Ok(format!("{seat} {sure}"))
}

/// Names the folders that are open.
#[mcp_tool(replayable)]
async fn folders(ctx: &Ctx) -> Result<Json<Vec<String>>> {
    Ok(Json(ctx.roots().await?.into_iter().map(|root| root.uri).collect()))
}

/// Asks nothing.
#[mcp_tool(read_only)]
async fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

pub(crate) fn server(bookings: &Bookings) -> Server {
    let runs = Arc::new(AtomicUsize::new(0));
    let server = Server::new("trips", "1").state(bookings.clone()).state(runs);
    server.tools(tools![both, count_runs, extras, folders, greet, pay]).tool(Book)
}

pub(crate) fn seat(seat: &str) -> Seat {
    Seat { seat: seat.to_owned() }
}

/// Returns the names of the modes in which this test runs.
async fn modes(test: impl AsyncFn(&mut Client)) -> Vec<String> {
    let modes = Mutex::new(Vec::new());
    in_every_mode!(|mode| {
        modes.lock().unwrap().push(mode.name().to_owned());
        test(&mut mode.client(|| server(&Bookings::default()))).await;
    });
    modes.into_inner().unwrap()
}

const TROUBLES: [&str; 4] = ["replies lost", "requests doubled", "spent states answered", "states tampered with"];
const REPLAYS: [&str; 2] = ["rebuilt in every round", "cut off in every round"];
const SHARED: [&str; 2] = ["two instances in turn", "each instance killed in its round"];

/// Returns the names of the modes with sessions of these revisions, and of the modes of the newest revision.
fn expected(sessions: &[&str], newest: &[&[&str]]) -> Vec<String> {
    let newest = newest.concat().into_iter().map(|words| format!("2026-07-28, {words}"));
    let mut all: Vec<_> =
        sessions.iter().map(ToString::to_string).chain(newest).chain(["2026-07-28".to_owned()]).collect();
    all.sort();
    all
}

fn sorted(mut modes: Vec<String>) -> Vec<String> {
    assert_eq!(modes[0], "2026-07-28");
    modes.sort();
    modes
}

fn shared() -> &'static [&'static str] {
    if cfg!(feature = "seal") { &SHARED } else { &[] }
}

#[tokio::test]
async fn a_handoff_takes_effect_once_in_every_mode() {
    let modes = Mutex::new(Vec::new());
    in_every_mode!(|mode| {
        modes.lock().unwrap().push(mode.name().to_owned());
        let bookings = Bookings::default();
        let mut client = mode.client(|| server(&bookings));
        let to = json!({ "to": "LIS" });
        let booked = client.call("book", &to).accept(seat("LIS 14C")).accept(Sure { sure: true }).await;
        assert_eq!(booked.text(), "LIS 14C is booked");
        mode.same("bookings", bookings.all());
        assert_eq!(bookings.all(), ["LIS 14C"]);

        let not = client.call("book", &to).accept(seat("LIS 12A")).decline().await;
        assert_eq!(not.text(), "nothing is booked");
        let declined = client.call("book", &to).decline().await;
        assert!(declined.is_error());
        mode.same("bookings", bookings.all());
    });
    let expected = expected(&["2025-06-18", "2025-11-25"], &[&TROUBLES, &REPLAYS, shared()]);
    assert_eq!(sorted(modes.into_inner().unwrap()), expected);
}

#[tokio::test]
async fn steps_run_once_in_every_mode() {
    in_every_mode!(|mode| {
        let bookings = Bookings::default();
        let mut client = mode.client(|| server(&bookings));
        client.call("pay", ()).accept(seat("1A")).accept(Sure { sure: true }).await;
        assert_eq!(bookings.all(), ["reserved", "1A held", "paid: true"], "{}", mode.name());
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handoff_takes_effect_once_on_a_multi_threaded_runtime() {
    in_every_mode!(|mode| {
        let bookings = Bookings::default();
        let mut client = mode.client(|| server(&bookings));
        let call = client.call("book", json!({ "to": "LIS" }));
        call.accept(seat("LIS 14C")).accept(Sure { sure: true }).await;
        mode.same("bookings", bookings.all());
    });
}

#[tokio::test(start_paused = true)]
async fn a_handoff_takes_effect_once_under_a_paused_clock() {
    let modes = modes(async |client| {
        client.call("book", json!({ "to": "LIS" })).accept(seat("LIS 14C")).accept(Sure { sure: true }).await;
    });
    assert!(modes.await.len() > 2);
}

#[tokio::test]
async fn compares_concurrent_questions_by_key() {
    let modes = modes(async |client| {
        let call = client.call("both", ()).accept(Sure { sure: true }).accept(seat("1A"));
        assert_eq!(call.roots(["file:///a"]).await.text(), "true 1A 1");
    });
    assert_eq!(sorted(modes.await), expected(&["2025-06-18", "2025-11-25"], &[&TROUBLES, &REPLAYS, shared()]));
}

#[tokio::test]
async fn skips_replays_of_a_tool_that_is_not_replayable() {
    let counted = modes(async |client| {
        client.call("count_runs", ()).accept(Sure { sure: true }).accept(Sure { sure: false }).await;
    });
    assert_eq!(sorted(counted.await), expected(&["2025-06-18", "2025-11-25"], &[&TROUBLES]));

    // Next to a replayable one, it stays at its instance.
    in_every_mode!(|mode| {
        let runs = Arc::new(AtomicUsize::new(0));
        let server = || Server::new("trips", "1").state(Arc::clone(&runs)).tools(tools![count_runs, folders]);
        let mut client = mode.client(server);
        client.call("folders", ()).roots(["file:///a"]).await;
        client.call("count_runs", ()).accept(Sure { sure: true }).accept(Sure { sure: false }).await;
        assert_eq!(runs.load(Ordering::SeqCst), 1, "{}", mode.name());
    });
}

#[tokio::test]
async fn opens_sessions_only_for_revisions_that_can_ask() {
    let lists = modes(async |client| {
        let picked = Extras { extras: vec![Extra::Bag, Extra::Meal].into() };
        assert_eq!(client.call("extras", ()).accept(picked).await.text(), "BagMeal");
    });
    assert_eq!(sorted(lists.await), expected(&["2025-11-25"], &[&TROUBLES, &REPLAYS, shared()]));

    let all = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    let roots = modes(async |client| {
        client.call("folders", ()).roots(["file:///a", "file:///b"]).await;
    });
    assert_eq!(sorted(roots.await), expected(&all, &[&TROUBLES, &REPLAYS, shared()]));

    // A call with one round has no faults between rounds.
    let greeted = modes(async |client| {
        client.call("greet", json!({ "name": "Ada" })).await;
        assert!(client.call("greet", ()).await.is_error());
    });
    assert_eq!(sorted(greeted.await), expected(&all, &[]));
}

#[tokio::test]
async fn in_every_mode_accepts_a_function() {
    async fn books(mode: &Mode) {
        assert_eq!(mode.revision().is_modern(), mode.name().starts_with(Revision::LATEST.as_str()));
        let mut client = mode.client(|| server(&Bookings::default()));
        client.call("folders", ()).roots(["file:///a"]).await;
    }
    in_every_mode(books).await;
}

#[tokio::test]
async fn varies_skips_the_comparison() {
    /// Names its run.
    #[mcp_tool(replayable)]
    async fn name_run(ctx: &Ctx<Trip>, runs: &Arc<AtomicUsize>) -> Result<String> {
        let run = runs.fetch_add(1, Ordering::SeqCst);
        ctx.elicit::<Sure>("Sure?").strict().await?;
        Ok(format!("the run {run}"))
    }
    in_every_mode!(|mode| {
        let runs = Arc::new(AtomicUsize::new(0));
        let server = || Server::new("runs", "1").state(Arc::clone(&runs)).tools(tools![name_run]);
        mode.client(server).call("name_run", ()).accept(Sure { sure: true }).varies().await;
    });
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_in_every_mode() {
    in_every_mode!(|mode| {
        let bookings = Bookings::default();
        let mut client = mode.client(|| server(&bookings));
        let not_offered = json!({ "action": "accept", "content": { "seat": "1F" } });
        let call = client.call("book", json!({ "to": "LIS" })).answer(not_offered).accept(seat("LIS 12A"));
        assert_eq!(call.accept(Sure { sure: true }).await.asked().len(), 3);
        mode.same("bookings", bookings.all());
    });
}

#[tokio::test]
async fn a_result_too_large_to_be_kept_is_the_same_in_every_mode() {
    /// Gives a large text.
    #[mcp_tool(replayable)]
    async fn large(ctx: &Ctx<Trip>) -> Result<String> {
        ctx.elicit::<Sure>("Sure?").strict().await?;
        Ok("x".repeat(300 * 1024))
    }
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("large", "1").tools(tools![large]));
        client.call("large", ()).accept(Sure { sure: true }).await;
    });
}
