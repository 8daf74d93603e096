//! `#[handoff]` runs `before` once, then a conversation, then `after` once, in every revision that has forms.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use mcp_runtime::{
    Elicited, Result, Revision, Service, Tool,
    prelude::*,
    testing::{Client, Outcome, Reply},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The revisions that have forms.
const ASKING: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

#[elicits]
enum Booking {
    /// Which flight.
    Pick { flight: String },
    /// The last word.
    Confirm { confirmed: bool },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flights {
    to: String,
    numbers: Vec<String>,
}

/// The state of the server.
struct Airline(&'static str);

/// How often `before` and `after` have run.
#[derive(Clone, Default)]
struct Runs(Arc<[AtomicU32; 2]>);

impl Runs {
    fn count(&self, phase: usize) {
        self.0[phase].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns how often `before` and `after` have run.
    fn counts(&self) -> [u32; 2] {
        [0, 1].map(|phase| self.0[phase].load(Ordering::Relaxed))
    }
}

#[derive(Default)]
struct BookFlight {
    runs: Runs,
}

/// Books a flight together with the user.
#[handoff(title = "Book", destructive = false)]
impl BookFlight {
    async fn before(
        &self,
        airline: &Airline,
        ctx: &PhaseCtx,
        /// Where to.
        #[serde(rename = "to")]
        #[schemars(length(min = 3))]
        destination: String,
        #[serde(default = "two")] flights: u8,
    ) -> io::Result<Flights> {
        self.runs.count(0);
        ctx.log(Level::Info, "searched");
        match destination.as_str() {
            "nowhere" => Err(io::Error::other("no flights to nowhere")),
            _ => Ok(Flights { numbers: (1..=flights).map(|n| format!("{}{n}", airline.0)).collect(), to: destination }),
        }
    }

    async fn client(ctx: &Ctx<Booking>, flights: &Flights) -> Result<Option<String>> {
        let ask = ctx.elicit::<Pick>(format!("Which flight to {}?", flights.to));
        let Pick { flight } = ask.choices(Pick::FLIGHT, flights.numbers.clone()).strict().await?;
        for question in [format!("Book {flight}?"), "Really?".to_owned()] {
            match ctx.elicit::<Confirm>(question).await? {
                Elicited::Accept(Confirm { confirmed: true }) => {}
                Elicited::Accept(_) | Elicited::Decline | Elicited::Cancel => return Ok(None),
            }
        }
        Ok(Some(flight))
    }

    async fn after(
        &self,
        flights: Flights,
        flight: Option<String>,
        ctx: &PhaseCtx,
        airline: &Airline,
    ) -> Result<String> {
        self.runs.count(1);
        ctx.log(Level::Info, "booked");
        let Some(flight) = flight else { return Ok("nothing is booked".to_owned()) };
        if flight.ends_with('2') {
            return Err(format!("{flight} is sold out").into());
        }
        Ok(format!("{}: {flight} to {}, of {}", airline.0, flights.to, flights.numbers.len()))
    }
}

fn two() -> u8 {
    2
}

fn service(tool: impl Tool) -> Service {
    Server::new("test", "1").state(Airline("TP")).tool(tool).build().unwrap()
}

/// Creates the service, and the counters for the phases of its only tool.
fn booking() -> (Service, Runs) {
    let tool = BookFlight::default();
    let runs = tool.runs.clone();
    (service(tool), runs)
}

fn messages(outcome: &Outcome) -> Vec<&str> {
    outcome.asked().iter().map(|question| question.message()).collect()
}

#[tokio::test]
async fn before_and_after_run_once_around_any_number_of_questions() {
    for revision in ASKING {
        let (service, runs) = booking();
        let booked = Client::new(&service, revision)
            .log_level(Level::Info)
            .call("book_flight", json!({ "to": "LIS", "flights": 3 }))
            .accept(Pick { flight: "TP3".into() })
            .accept(Confirm { confirmed: true })
            .accept(Confirm { confirmed: true })
            .await;
        assert_eq!(booked.text(), "TP: TP3 to LIS, of 3", "{revision}");
        assert_eq!(messages(&booked), ["Which flight to LIS?", "Book TP3?", "Really?"]);
        assert_eq!(runs.counts(), [1, 1], "{revision}");
        let logs: Vec<_> = booked.logs().iter().map(|log| log.data.clone()).collect();
        assert_eq!(logs, ["searched", "booked"], "{revision}");
    }
}

/// `client` runs again after each answer, with the handoff of the first round.
#[tokio::test]
async fn before_and_after_run_once_if_every_round_is_replayed() {
    let (service, runs) = booking();
    let booked = Client::modern(&service)
        .rebuilding()
        .log_level(Level::Info)
        .call("book_flight", json!({ "to": "LIS", "flights": 3 }))
        .accept(Pick { flight: "TP3".into() })
        .accept(Confirm { confirmed: true })
        .accept(Confirm { confirmed: true })
        .await;
    assert_eq!((&*booked.text(), runs.counts()), ("TP: TP3 to LIS, of 3", [1, 1]));
    assert_eq!(messages(&booked), ["Which flight to LIS?", "Book TP3?", "Really?"]);
    let logs: Vec<_> = booked.logs().iter().map(|log| log.data.clone()).collect();
    assert_eq!(logs, ["searched", "booked"]);

    let declined = Client::modern(&service).rebuilding().call("book_flight", json!({ "to": "LIS" })).decline().await;
    assert_eq!((&*declined.text(), runs.counts()), ("the user declined", [2, 1]));
}

#[tokio::test]
async fn client_handles_a_decline() {
    for revision in ASKING {
        let (service, runs) = booking();
        let mut client = Client::new(&service, revision);
        for answer in [Reply::decline(), Reply::cancel(), Reply::accept(Confirm { confirmed: false })] {
            let call = client.call("book_flight", json!({ "to": "LIS" })).accept(Pick { flight: "TP1".into() });
            assert_eq!(call.reply(answer).await.text(), "nothing is booked", "{revision}");
        }
        assert_eq!(runs.counts(), [3, 3], "{revision}");
    }
}

#[tokio::test]
async fn an_error_of_a_phase_is_the_result_and_no_later_phase_runs() {
    for revision in ASKING {
        let (service, runs) = booking();
        let mut client = Client::new(&service, revision);

        let refused = client.call("book_flight", json!({ "to": "nowhere" })).await;
        assert!(refused.is_error() && refused.asked().is_empty(), "{revision}");
        assert_eq!((&*refused.text(), runs.counts()), ("no flights to nowhere", [1, 0]), "{revision}");

        let declined = client.call("book_flight", json!({ "to": "LIS" })).decline().await;
        assert!(declined.is_error());
        assert_eq!((&*declined.text(), runs.counts()), ("the user declined", [2, 0]), "{revision}");

        let sold_out = client
            .call("book_flight", json!({ "to": "LIS" }))
            .accept(Pick { flight: "TP2".into() })
            .accept(Confirm { confirmed: true })
            .accept(Confirm { confirmed: true })
            .await;
        assert!(sold_out.is_error());
        assert_eq!((&*sold_out.text(), runs.counts()), ("TP2 is sold out", [3, 1]), "{revision}");
    }
}

#[tokio::test]
async fn checks_arguments_against_the_schema_before_any_phase() {
    for revision in Revision::ALL {
        let (service, runs) = booking();
        let mut client = Client::new(&service, revision);
        for arguments in [json!({}), json!({ "to": "L" }), json!({ "to": "LIS", "flights": 999 }), json!({ "a": 1 })] {
            assert!(client.call("book_flight", arguments).await.is_error(), "{revision}");
        }
        assert_eq!(runs.counts(), [0, 0], "{revision}");
    }
}

#[tokio::test]
async fn rejects_a_client_without_forms_before_any_phase() {
    for revision in Revision::ALL {
        let (service, runs) = booking();
        let mut client = Client::new(&service, revision).capabilities(json!({}));
        let refused = client.call("book_flight", json!({ "to": "LIS" })).await;
        assert!(refused.is_error() || refused.error().is_some(), "{revision}");
        assert_eq!(runs.counts(), [0, 0], "{revision}");
    }
}

#[tokio::test]
async fn publishes_the_block_as_one_tool() {
    let (service, _) = booking();
    let tools = Client::modern(&service).tools().await;
    assert_eq!(tools.len(), 1);
    let tool = &tools[0];
    assert_eq!(
        (&tool["name"], &tool["title"], &tool["description"]),
        (&json!("book_flight"), &json!("Book"), &json!("Books a flight together with the user."))
    );
    assert_eq!(tool["annotations"], json!({ "destructiveHint": false }));
    let schema = &tool["inputSchema"];
    assert_eq!(schema["required"], json!(["to"]));
    assert_eq!(
        (&schema["properties"]["to"]["description"], &schema["properties"]["to"]["minLength"]),
        (&json!("Where to."), &json!(3))
    );
    assert_eq!(schema["properties"]["flights"]["default"], 2);
    assert_eq!(schema["properties"].as_object().unwrap().len(), 2, "references come from the server");
}

#[test]
fn build_fails_without_the_state_of_a_phase() {
    let error = Server::new("test", "1").tool(BookFlight::default()).build().unwrap_err().to_string();
    assert!(error.contains("book_flight") && error.contains("Airline"), "{error}");
    assert!(!error.contains("Flights"), "the handoff is no state: {error}");
}

/// A phase is a method, so a unit test can call it.
#[tokio::test]
async fn a_unit_test_can_call_after_directly() {
    let price = Price;
    let flights = Flights { to: "LIS".into(), numbers: vec!["TP1".into()] };
    assert_eq!(price.before("LIS".into()).await.numbers, ["LIS"]);
    assert_eq!(price.after(flights, None).await.0, 0);
}

struct Price;

/// Nothing can fail, and nothing is asked.
#[handoff(read_only)]
impl Price {
    async fn before(&self, to: String) -> Flights {
        Flights { numbers: vec![to.clone()], to }
    }

    async fn client(flights: &Flights, ctx: &Ctx) -> Option<u32> {
        ctx.progress(0.5);
        flights.numbers.first().map(|_| 300)
    }

    async fn after(&self, _flights: Flights, price: Option<u32>) -> Text<u32> {
        Text(price.unwrap_or_default())
    }
}

#[tokio::test]
async fn a_handoff_that_asks_nothing_serves_every_client() {
    for revision in Revision::ALL {
        let service = service(Price);
        let price = Client::new(&service, revision).capabilities(json!({})).call("price", json!({ "to": "LIS" })).await;
        assert_eq!(price.text(), "300", "{revision}");
    }
}

struct Pairs;

/// Gives what JSON has no word for.
#[handoff]
impl Pairs {
    async fn before(&self) -> HashMap<(u8, u8), u8> {
        [((1, 2), 3)].into()
    }

    async fn client(_ctx: &Ctx, pairs: &HashMap<(u8, u8), u8>) -> usize {
        pairs.len()
    }

    async fn after(&self, _pairs: HashMap<(u8, u8), u8>, count: usize) -> Text<usize> {
        Text(count)
    }
}

#[tokio::test]
async fn a_handoff_that_cannot_be_serialized_is_an_error_that_names_before() {
    let service = service(Pairs);
    let refused = Client::modern(&service).call("pairs", json!({})).await;
    assert!(
        refused.is_error() && refused.text().starts_with("the result of `before` cannot be written"),
        "{}",
        refused.text()
    );
}

#[tokio::test]
async fn before_runs_once_if_its_result_is_null() {
    /// Finds nothing.
    #[derive(Default)]
    struct Search(Runs);

    /// Asks for confirmation whether or not something was found.
    #[handoff]
    impl Search {
        async fn before(&self) -> Option<u32> {
            self.0.count(0);
            None
        }

        async fn client(ctx: &Ctx<Booking>, _found: &Option<u32>) -> Result<Confirm> {
            ctx.elicit::<Confirm>("Sure?").strict().await?;
            Ok(ctx.elicit::<Confirm>("Really?").strict().await?)
        }

        async fn after(&self, found: Option<u32>, confirm: Confirm) -> String {
            self.0.count(1);
            format!("{found:?} {}", confirm.confirmed)
        }
    }

    let runs = Runs::default();
    let service = Server::new("s", "1").tool(Search(runs.clone())).build().unwrap();
    let mut client = Client::modern(&service).rebuilding();
    let outcome =
        client.call("search", ()).accept(Confirm { confirmed: true }).accept(Confirm { confirmed: true }).await;
    assert_eq!((outcome.text(), runs.counts()), ("None true".to_owned(), [1, 1]));
}
