//! Tools that ask a model. The tests check who replies, the questions and the results.

mod arbitrary_replies;
mod branches;
mod changing_capabilities;
mod choices;
mod concurrent;
mod contents;
mod conversations;
mod corrections;
mod every_combination;
mod loops;
mod model;
mod official;
mod provider;
mod retries;
mod unanswered;
mod who_answered;

use mcp_runtime::{Result, SampleTools, Server, Service, prelude::*, testing::Outcome};
use schemars::JsonSchema;
use serde::Deserialize;

use self::model::Model;

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
struct Move {
    /// The number of a free cell.
    #[schemars(range(min = 1, max = 9))]
    cell: u8,
}

#[derive(Debug, PartialEq, SampleTools)]
enum Strategy {
    /// Takes a cell.
    Attack { cell: u8 },
    /// Does nothing.
    Wait,
}

#[elicits]
enum Ending {
    Done { done: bool },
}

/// Creates a server with these tools. If `model` is given, the server has this model.
fn service(tools: impl IntoIterator<Item = Box<dyn mcp_runtime::Tool>>, model: Option<&Model>) -> Service {
    let server = Server::new("games", "1").tools(tools);
    match model {
        Some(model) => server.sampling_provider(model.clone()),
        None => server,
    }
    .build()
    .unwrap()
}

/// Returns the questions to a model, after checking each against the schema of the client's revision.
fn sampled(outcome: &Outcome, revision: mcp_runtime::Revision) -> Vec<&mcp_runtime::testing::Question> {
    let sampled: Vec<_> =
        outcome.asked().iter().filter(|question| question.method() == "sampling/createMessage").collect();
    sampled.iter().for_each(|question| official::check(revision, question.params()));
    sampled
}
