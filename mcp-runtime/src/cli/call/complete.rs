//! `complete`: completes an argument of a prompt, as a client does.

use std::{collections::HashMap, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde::Deserialize;
use serde_json::json;

use super::{
    conversation::{Ending, hold},
    messages::CallRequest,
    no_result,
    questions::InputRequests,
};
use crate::{
    call::operation::Operation,
    cli::{
        item::ItemKind,
        refuse,
        terminal::{print, tell},
    },
    prompt::arguments,
    schema::nearest::nearest,
    server::Service,
};

/// A `CompleteResult`.
#[derive(Deserialize)]
struct ReadCompletion {
    completion: ReadValues,
}

#[derive(Deserialize)]
struct ReadValues {
    values: Vec<String>,
    total: Option<usize>,
}

pub(in crate::cli) fn command() -> Command {
    let pair = |text: &str| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, such as `language=rust`"),
    };
    Command::new("complete")
        .about("Complete an argument of a prompt")
        .arg(Arg::new("prompt").value_name("PROMPT").required(true).help("The name of the prompt"))
        .arg(Arg::new("argument").value_name("ARGUMENT").required(true).help("The argument to complete"))
        .arg(
            Arg::new("text")
                .value_name("TEXT")
                .default_value("")
                .hide_default_value(true)
                .help("What is typed so far [default: nothing]"),
        )
        .arg(
            Arg::new("filled")
                .long("filled")
                .value_name("NAME=VALUE")
                .action(ArgAction::Append)
                .value_parser(pair)
                .help("The value of another argument, which is already filled in"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print the whole result as JSON"))
}

/// Prints the completions, one per line.
pub(in crate::cli) async fn act(service: &Service, matches: &ArgMatches) -> ExitCode {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let (prompt, argument) = (text("prompt"), text("argument"));
    if let Err(reason) = check(service, prompt, argument) {
        return refuse(reason);
    }
    let registry = &service.0.registry;
    let Some(completer) = registry.find_other(Operation::Complete, Operation::Complete.method()) else {
        return refuse("this server completes no arguments");
    };
    let questions = match InputRequests::new(Vec::new(), &completer) {
        Ok(questions) => questions,
        Err(reason) => return refuse(reason),
    };
    let filled: HashMap<_, _> = matches.get_many::<(String, String)>("filled").into_iter().flatten().cloned().collect();
    let params = json!({
        "ref": { "type": "ref/prompt", "name": prompt },
        "argument": { "name": argument, "value": text("text") },
        "context": { "arguments": filled },
    });
    let ended = hold(service, CallRequest::other(Operation::Complete, prompt, &params), questions).await;
    let Ok(Ending::Result(result)) = ended else { return no_result(ended, "completion") };
    if matches.get_flag("json") {
        return print(&format!("{}\n", result.get()), ExitCode::SUCCESS);
    }
    match serde_json::from_str::<ReadCompletion>(result.get()) {
        Ok(ReadCompletion { completion: ReadValues { values, total } }) => {
            let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
            if let Some(total) = total.filter(|total| *total > values.len()) {
                tell(format_args!("{} of {total} values", values.len()));
            }
            print(&lines, ExitCode::SUCCESS)
        }
        Err(error) => {
            tell(format_args!("error: the result cannot be read: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Checks the names before the request is made, to suggest the names that were meant.
fn check(service: &Service, prompt: &str, argument: &str) -> Result<(), String> {
    let registry = &service.0.registry.read();
    let Some(item) = ItemKind::Prompt.find(registry, prompt) else {
        return Err(ItemKind::Prompt.unknown(registry, prompt));
    };
    let all = arguments(item.registered);
    let names = || all.iter().map(|argument| &*argument.name);
    let listed = || names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match all.iter().find(|known| known.name == argument) {
        Some(known) if known.can_complete() => Ok(()),
        Some(_) => {
            let can: Vec<_> = all.iter().filter(|it| it.can_complete()).map(|it| format!("`{}`", it.name)).collect();
            let others = if can.is_empty() { String::new() } else { format!("; it completes {}", can.join(", ")) };
            Err(format!("the prompt `{prompt}` does not complete its argument `{argument}`{others}"))
        }
        None if all.is_empty() => Err(format!("the prompt `{prompt}` has no arguments")),
        None => {
            let meant = nearest(argument, names()).map(|meant| format!("; did you mean `{meant}`?"));
            let meant = meant.unwrap_or_default();
            Err(format!("the prompt `{prompt}` has no argument `{argument}`{meant} (arguments: {})", listed()))
        }
    }
}
