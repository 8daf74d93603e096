//! Calls that ask the user whether he is sure, with their records in Redis: how many questions a second, and how many
//! calls another process resumes after the first one was killed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{Result, Services, server::Sdk, user::User, users::USERS};

/// How many calls wait for their users when the process is killed.
const WAITING: usize = 500;

/// Prints the figures. Returns the limits that are not kept.
pub(crate) fn measure(services: &Services, wrapper: &[&str], time: Duration) -> Result<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let command = Sdk::Ours.command(services, wrapper)?;
    runtime.block_on(async {
        let server = command.start()?;
        let (begin, mut users) = (Instant::now(), JoinSet::new());
        for number in 0..USERS {
            let mut user = User::without_session(server.address, "order").await?;
            users.spawn(async move {
                let mut answered = 0;
                while begin.elapsed() < time {
                    let question = user.call(&order(number)).await?;
                    ordered(&user.call(&answer(number, &question)?).await?)?;
                    answered += 1;
                }
                Result::Ok(answered)
            });
        }
        let mut answered = 0;
        while let Some(of_user) = users.join_next().await {
            answered += of_user??;
        }
        let per_second = f64::from(answered) / begin.elapsed().as_secs_f64();
        println!("questions that are asked and answered, with a record in Redis each: {per_second:.0} per second");

        let mut user = User::without_session(server.address, "order").await?;
        let mut questions = Vec::new();
        for number in 0..WAITING {
            questions.push(user.call(&order(number)).await?);
        }
        drop(server); // kills it
        let server = command.start()?;
        let mut user = User::without_session(server.address, "order").await?;
        let (mut resumed, mut last) = (0, None);
        for (number, question) in questions.iter().enumerate() {
            match ordered(&user.call(&answer(number, question)?).await?) {
                Ok(()) => resumed += 1,
                Err(error) => last = Some(error),
            }
        }
        println!("calls that another process resumed after the first was killed: {resumed} of {WAITING}");
        Ok(last.into_iter().map(|error| format!("a call was not resumed: {error}")).collect())
    })
}

fn order(number: usize) -> Value {
    let capabilities = json!({ "elicitation": { "form": {} } });
    json!({
        "name": "order",
        "arguments": { "user": format!("customer-{number}"), "product": "product-1", "pieces": 2 },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "user", "version": "1.0.0" },
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        },
    })
}

/// Returns the request that brings the user's answer.
fn answer(number: usize, question: &Value) -> Result<Value> {
    let keys = question["inputRequests"].as_object().map(|requests| requests.keys().cloned());
    let keys = keys.ok_or_else(|| format!("no question: {question}"))?;
    let accept = json!({ "action": "accept", "content": { "sure": true } });
    let mut params = order(number);
    params["inputResponses"] = keys.map(|key| (key, accept.clone())).collect();
    params["requestState"] = question["requestState"].clone();
    Ok(params)
}

fn ordered(result: &Value) -> Result<()> {
    match result["structuredContent"]["pieces"].as_i64() {
        Some(2..) => Ok(()),
        _ => Err(result.to_string().into()),
    }
}
