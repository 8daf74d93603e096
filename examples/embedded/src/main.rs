//! A terminal application that runs two tools itself: no server, no client, no protocol.
//!
//! `book_flight` and `play_ttt` are the tools of the examples `flights` and `play_ttt`, unchanged. This program answers
//! their forms with [`Terminal`], which implements the traits that `#[elicits]` generated beside the forms. A form
//! without a method does not compile.

use std::{env, error::Error, io, process::ExitCode};

use flights::{BookFlight, BookingHandler, Confirm, FlightDb, PickFlight, Seat};
use mcp_runtime::{
    Elicited, Server,
    elicit::ElicitRequest,
    plugin::{HostedPlugin, Plugin, PluginHost, TimelineEventKind},
    providers::Model,
};
use play_ttt::{MovesHandler, PlayTtt, TakeCell};
use serde_json::{Value, json};

/// Asks at the terminal. An empty line declines, and the end of the input closes the form.
struct Terminal;

impl BookingHandler for Terminal {
    async fn pick_flight(&self, request: ElicitRequest<'_, PickFlight>) -> Elicited<PickFlight> {
        let flights = request.choices(PickFlight::FLIGHT_ID);
        println!("{}", request.message());
        for (number, flight) in flights.iter().enumerate() {
            println!("  {}  {}", number + 1, flight.title);
        }
        let chosen = |number: String| flights.into_iter().nth(number.parse::<usize>().ok()?.checked_sub(1)?);
        match ask("Number").await.map(chosen) {
            Elicited::Accept(Some(flight)) => {
                Elicited::Accept(PickFlight { flight_id: flight.value, seat: Seat::Window })
            }
            Elicited::Accept(None) | Elicited::Decline => Elicited::Decline,
            Elicited::Cancel => Elicited::Cancel,
        }
    }

    async fn confirm(&self, request: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        println!("{}", request.message());
        ask("yes or no").await.map(|answer| Confirm { confirmed: answer == "yes" })
    }
}

impl MovesHandler for Terminal {
    async fn take_cell(&self, request: ElicitRequest<'_, TakeCell>) -> Elicited<TakeCell> {
        if let Some(rejected) = request.rejected() {
            println!("{rejected}");
        }
        println!("{}", request.message());
        ask("Cell").await.map(|cell| TakeCell { cell })
    }
}

/// Reads one line.
async fn ask(prompt: &'static str) -> Elicited<String> {
    let read = tokio::task::spawn_blocking(move || {
        println!("{prompt}:");
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|length| (length, line.trim().to_owned()))
    });
    match read.await {
        Ok(Ok((0, _)) | Err(_)) | Err(_) => Elicited::Cancel,
        Ok(Ok((_, line))) if line.is_empty() => Elicited::Decline,
        Ok(Ok((_, line))) => Elicited::Accept(line),
    }
}

/// Calls a tool and shows what happens meanwhile.
async fn run(tool: HostedPlugin, arguments: Value) -> Result<ExitCode, Box<dyn Error>> {
    let mut call = tool.call(arguments).await?;
    while let Some(event) = call.next_event().await {
        match event.kind {
            TimelineEventKind::Log { level, data, .. } => println!("[{level}] {data}"),
            TimelineEventKind::Progress { progress, .. } => println!("… {progress}"),
            _ => {}
        }
    }
    let outcome = call.outcome().await;
    println!("{}", outcome.text());
    Ok(ExitCode::from(u8::from(outcome.is_error())))
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let server = Server::new("embedded", env!("CARGO_PKG_VERSION")).state(FlightDb::open());
    // The model that plays is set as for any server: see the example `play_ttt`.
    let server = match Model::from_env()? {
        Some(model) => server.sampling_provider(model),
        None => server,
    };
    let host = PluginHost::builder(server)
        .plugin(Plugin::new(BookFlight).on_elicit(Terminal))
        .plugin(Plugin::new(PlayTtt).on_elicit(Terminal))
        .start()
        .await?;
    let words: Vec<String> = env::args().skip(1).collect();
    let (tool, arguments) = match &*words.iter().map(String::as_str).collect::<Vec<_>>() {
        ["book", to] => ("book_flight", json!({ "destination": to })),
        ["book", to, date] => ("book_flight", json!({ "destination": to, "date": date })),
        ["play"] => ("play_ttt", json!({})),
        ["play", mark] => ("play_ttt", json!({ "user_plays": mark })),
        _ => {
            eprintln!("usage: embedded book AIRPORT [DATE] | embedded play [X|O]");
            return Ok(ExitCode::from(2));
        }
    };
    run(host.plugin(tool).ok_or("no such tool")?, arguments).await
}
