//! `complete`: completes an argument of a prompt or a variable of a template, as a client does.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use crate::{
    edge::cli::{
        answers::InputRequests,
        call::{
            conversation::{self, no_result},
            options,
        },
        exit::{CommandEnd, refuse},
        items::item::PROMPTS,
        terminal::{content::read_json, print, print_json, tell},
    },
    engine::call::operation::Operation,
    serve::{
        client::{ClientRequest, CompletedArgument},
        prompt::arguments,
        server::Service,
    },
    wire::{protocol::level::Level, schema::nearest::did_you_mean},
};

pub(crate) fn command() -> Command {
    let pair = |text: &str| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, such as `language=rust`"),
    };
    Command::new("complete")
        .about("Complete an argument of a prompt, or a variable of a template of resources")
        .arg(Arg::new("item").value_name("PROMPT").required(true).help("The name of the prompt, or the template"))
        .arg(Arg::new("argument").value_name("ARGUMENT").required(true).help("The argument or variable to complete"))
        .arg(
            Arg::new("text")
                .value_name("TEXT")
                .default_value("")
                .hide_default_value(true)
                .help("The text typed so far [default: nothing]"),
        )
        .arg(
            Arg::new("filled")
                .long("filled")
                .value_name("NAME=VALUE")
                .action(ArgAction::Append)
                .value_parser(pair)
                .help("The value of another argument, which is already filled in"),
        )
        .arg(options::json())
}

/// Prints the completions, one per line.
pub(crate) async fn act(service: &Service, matches: &ArgMatches) -> CommandEnd {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let (item, argument) = (text("item"), text("argument"));
    let is_template = item.contains('{');
    if !is_template {
        check(service, item, argument).map_err(refuse)?;
    }
    if !service.0.has_method(Operation::Complete.method()) {
        return Err(refuse("this server completes no arguments"));
    }
    let filled = matches.get_many::<(String, String)>("filled").into_iter().flatten();
    let mut completed = CompletedArgument::new(item, is_template, argument, text("text"));
    completed.filled.extend(filled.map(|(name, value)| (name.clone(), value.as_str().into())));
    let request = ClientRequest::Completion(completed);
    let questions = InputRequests::default();
    let result = conversation::request(service, item, request, Some(Level::Info), questions).await;
    let result = result.map_err(|failure| no_result(&failure, None, None))?;
    if matches.get_flag("json") {
        return Ok(print_json(&result));
    }
    let completion = &read_json(&result)["completion"];
    let values = completion["values"].as_array().map_or(&[][..], Vec::as_slice);
    let lines: String = values.iter().filter_map(Value::as_str).map(|value| format!("{value}\n")).collect();
    if let Some(total) = completion["total"].as_u64().filter(|total| *total > values.len() as u64) {
        tell(format_args!("{} of {total} values", values.len()));
    }
    Ok(print(&lines, ExitCode::SUCCESS))
}

/// Checks the names before the request is made. If a name is unknown, the error can suggest a similar one.
fn check(service: &Service, prompt: &str, argument: &str) -> Result<(), String> {
    let registry = &service.0.registry.read();
    let Some(item) = PROMPTS.find(registry, prompt) else {
        return Err(PROMPTS.unknown(registry, prompt));
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
            let meant = did_you_mean(argument, names());
            Err(format!("the prompt `{prompt}` has no argument `{argument}`{meant} (arguments: {})", listed()))
        }
    }
}
