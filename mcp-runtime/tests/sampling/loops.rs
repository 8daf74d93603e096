//! Models that call tools until they have an answer.

use std::sync::Mutex;

use mcp_runtime::{
    Revision,
    sample::{SampleError, Sampled, SamplingContent, StopReason, ToolUse},
    testing::{Client, Question, Reply, in_every_mode},
};
use serde_json::{Value, json};

use super::{model::Say, *};

#[derive(Debug, SampleTools)]
enum Lookup {
    /// Finds how many live in a city.
    Population { city: String },
    /// Finds the country of a city.
    Country { city: String },
}

/// Answers a question by looking things up.
#[mcp_tool(replayable)]
async fn ask(ctx: &Ctx<Ending>, turns: Option<u32>) -> Result<String> {
    let seen = Mutex::new(Vec::new());
    let ask = ctx.sample_loop("How many live in Oslo, and where is it?").system("Look it up.");
    let ask = if let Some(turns) = turns { ask.max_turns(turns) } else { ask };
    let answer = ask
        .run(async |lookup: Lookup| {
            seen.lock().unwrap().push(format!("{lookup:?}"));
            match lookup {
                Lookup::Population { city } if city == "Oslo" => Ok("717,710"),
                Lookup::Country { city } if city == "Oslo" => Ok("Norway"),
                _ => Err("unknown city"),
            }
        })
        .await;
    let answer = match answer {
        Ok(answer) => format!("{} in {}, {} said", answer.reply.text, answer.turns, answer.messages.iter().count()),
        Err(SampleError::Validation(error)) => format!("{}, {}: {}", error.method, error.attempts, error.last),
        Err(error) => return Err(error.into()),
    };
    ctx.elicit::<Done>("Done?").strict().await?;
    Ok(format!("{answer}; {}", seen.into_inner().unwrap().len()))
}

fn server() -> Server {
    Server::new("cities", "1").tools(tools![ask])
}

fn service() -> Service {
    server().build().unwrap()
}

fn oslo() -> Value {
    json!({ "city": "Oslo" })
}

/// Returns clients with and without sampling tools, each with and without a session.
fn clients() -> [(Client, Revision); 4] {
    let (old, new) = (Revision::V2025_11_25, Revision::V2026_07_28);
    [
        (Client::legacy(&service(), old), old),
        (Client::legacy(&service(), old).without_sampling_tools(), old),
        (Client::modern(&service()), new),
        (Client::modern(&service()).without_sampling_tools().rebuilding(), new),
    ]
}

fn results(question: &Question) -> String {
    question.params()["messages"].as_array().unwrap().last().unwrap()["content"].to_string()
}

#[tokio::test]
async fn ends_with_an_answer_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let answer = client
            .call("ask", ())
            .reply(Reply::sampled_tool("population", oslo()).and_tool("country", oslo()))
            .sampled_tool("population", json!({ "city": "Atlantis" }))
            .sampled_tool("population", json!({ "town": "Oslo" }))
            .sampled("717,710, in Norway.")
            .accept(Done { done: true })
            .await;
        assert!(answer.text().starts_with("717,710, in Norway. in 4, 8 said; "), "{}", answer.text());
        let asked = sampled(&answer, mode.revision());
        assert_eq!(asked.len(), 4);
        for (index, part) in [(1, "717,710"), (1, "Norway"), (2, "unknown city"), (3, "`city`")] {
            assert!(results(asked[index]).contains(part), "{part}: {}", asked[index].params());
        }
    });
}

#[tokio::test]
async fn forbids_tool_calls_in_the_last_turn() {
    for (mut client, revision) in clients() {
        let call = client.call("ask", json!({ "turns": 2 })).sampled_tool("country", oslo());
        let answer = call.sampled("In Norway.").accept(Done { done: true }).await;
        assert!(answer.text().starts_with("In Norway. in 2, 4 said"), "{}", answer.text());
        let asked = sampled(&answer, revision);
        let choices: Vec<_> = asked.iter().map(|question| &question.params()["toolChoice"]["mode"]).collect();
        if asked[0].tools().is_empty() {
            assert!(asked[0].message().contains("You may call these tools"));
            assert!(!asked[1].message().contains("You may call these tools"));
        } else {
            assert_eq!(choices, ["auto", "none"]);
            // The conversation contains calls, so the tools must be present.
            assert_eq!(asked[1].tools(), ["population", "country"]);
        }
    }
}

/// Some models ignore the tool choice.
#[tokio::test]
async fn rejects_a_call_in_the_last_turn() {
    for (mut client, _) in clients() {
        let call = client.call("ask", json!({ "turns": 2 })).sampled_tool("country", oslo());
        let call = call.sampled(r#"{"tool": "country", "input": {"city": "Oslo"}}"#);
        let outcome = call.accept(Done { done: true }).await;
        let text = "sample_loop, 2: the model called a tool in its last turn instead of answering; 1";
        assert_eq!(outcome.text(), text);
        let native = || {
            let call = SamplingContent::ToolUse(ToolUse::new("1", "country", serde_json::Map::new()));
            Reply::sampled_as(Sampled::new(vec![call], "m").stopped(StopReason::ToolUse))
        };
        let call = client.call("ask", json!({ "turns": 1 })).reply(native()).accept(Done { done: true });
        let text = "sample_loop, 1: the model called a tool in its last turn instead of answering; 0";
        assert_eq!(call.await.text(), text);
    }
}

#[tokio::test]
async fn stops_after_three_invalid_replies_in_a_row() {
    let wrong = || Reply::sampled_tool("population", ());
    for (mut client, revision) in clients() {
        let call = client.call("ask", ()).reply(wrong()).reply(wrong()).sampled_tool("country", oslo());
        let outcome = call.reply(wrong()).reply(wrong()).reply(wrong()).accept(Done { done: true }).await;
        assert!(outcome.text().starts_with("sample_loop, 6: invalid input of `population`:"), "{}", outcome.text());
        assert_eq!(sampled(&outcome, revision).len(), 6);
    }
}

/// A valid call next to an invalid one runs, and both get a result.
#[tokio::test]
async fn runs_the_valid_calls_of_a_reply() {
    for (mut client, revision) in clients() {
        let mixed = Reply::sampled_tool("population", ()).and_tool("country", oslo()).and_tool("nothing", ());
        let call = client.call("ask", ()).reply(mixed);
        let outcome = call.sampled("Norway.").accept(Done { done: true }).await;
        assert!(outcome.text().starts_with("Norway. in 2, 4 said"), "{}", outcome.text());
        let told = results(sampled(&outcome, revision)[1]);
        for part in ["Norway", "`city`", "there is no tool `nothing`"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}

/// Some clients and models number calls like this.
#[tokio::test]
async fn handles_calls_with_duplicate_ids() {
    let call = |city: &str| {
        let input = [("city".to_owned(), json!(city))].into_iter().collect();
        SamplingContent::ToolUse(ToolUse::new("", "population", input))
    };
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service(), revision);
        let both = Sampled::new(vec![call("Oslo"), call("Rome")], "m").stopped(StopReason::ToolUse);
        let called = client.call("ask", ()).reply(Reply::sampled_as(both));
        let outcome = called.sampled("Many.").accept(Done { done: true }).await;
        assert!(outcome.text().starts_with("Many. in 2"), "{}", outcome.text());
        let told = results(sampled(&outcome, revision)[1]);
        assert!(told.contains("717,710") && told.contains("unknown city"), "{told}");
    }
}

#[tokio::test]
async fn accepts_an_answer_in_json() {
    let answer = r#"{"name": "Oslo", "people": 717710}"#;
    for (mut client, _) in clients() {
        let outcome = client.call("ask", ()).sampled(answer).accept(Done { done: true }).await;
        assert_eq!(outcome.text(), format!("{answer} in 1, 2 said; 0"));
    }
}

/// With a client, each turn would be a round.
#[tokio::test]
async fn prefers_a_provider_to_save_rounds() {
    let says = || [Say::Call("country", oslo()), Say::Call("population", oslo()), Say::Text("Both.")];
    let model = || Model::new(Default::default(), says());
    let provided = |model: &Model| server().sampling_provider(model.clone()).build().unwrap();
    let own = model();
    let mut client = Client::modern(&provided(&own)).rebuilding();
    let outcome = client.call("ask", ()).accept(Done { done: true }).await;
    assert!(outcome.text().starts_with("Both. in 3, 6 said"), "{}", outcome.text());
    assert_eq!((own.asked().len(), outcome.rounds()), (3, 2));

    let own = model();
    let mut client = Client::legacy(&provided(&own), Revision::V2025_11_25);
    let outcome = client.call("ask", ()).sampled("Mine.").accept(Done { done: true }).await;
    assert!(outcome.text().starts_with("Mine. in 1"), "{}", outcome.text());
    assert!(own.asked().is_empty());
}

/// The model has as many turns as the call has rounds, and a message announces the last turn.
#[tokio::test]
async fn limits_turns_to_the_rounds_of_a_client() {
    let mut client = Client::modern(&service());
    let call = client.call("ask", json!({ "turns": 30 }));
    let call = (0..7).fold(call, |call, _| call.sampled_tool("country", oslo()));
    let outcome = call.sampled("Norway.").accept(Done { done: true }).await;
    assert!(outcome.text().starts_with("Norway. in 8"), "{}", outcome.text());
    let asked = sampled(&outcome, Revision::LATEST);
    assert_eq!(asked[7].params()["toolChoice"]["mode"], "none");
    assert_eq!(asked[6].params()["toolChoice"]["mode"], "auto");
}
