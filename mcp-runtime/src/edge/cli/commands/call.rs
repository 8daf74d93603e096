//! `call` and `prompt`: call one tool or get one prompt from the terminal, as a client does.

use std::{ffi::OsString, iter, process::ExitCode};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    edge::cli::{
        answers::{InputRequests, form},
        call::{
            conversation::{self, no_result},
            options, outcome,
        },
        exit::{CommandEnd, INTERRUPTED, refuse},
        items::{
            item::{CliItem, ItemKind},
            runs,
        },
        terminal::{self, prompt::UnansweredQuestion},
    },
    engine::tool::{
        registered::{RegisteredTool, invalid_arguments},
        registry::Registry,
    },
    serve::server::Service,
};

/// Calls a tool or gets a prompt. `arguments` are the command-line arguments after `call` or `prompt`. They include the
/// name of the tool or prompt.
pub(crate) async fn act(service: &Service, program: &str, kind: &ItemKind, arguments: Vec<OsString>) -> CommandEnd {
    let registry = &service.0.registry.read().clone();
    let whole = iter::once(OsString::from(kind.called_by)).chain(arguments);
    let matches = options::command(registry, kind, program, terminal::width()).try_get_matches_from(whole);
    let matches = matches.map_err(|error| mistaken(registry, kind, error))?;
    let order = options::read(registry, kind, &matches).map_err(refuse)?;
    let name = &order.name;
    let item = kind.find(registry, name).ok_or_else(|| refuse(kind.unknown(registry, name)))?;
    let registered = item.registered;
    let arguments =
        if kind.is_tool() { checked(registered, order.arguments)? } else { completed(&item, order.arguments)? };
    #[cfg(all(feature = "actions", unix))]
    if order.detach {
        return Ok(crate::edge::cli::call::detach::act(service, registered, &arguments, order.json).await);
    }
    let questions = InputRequests::new(order.answers, registered).map_err(refuse)?;
    let arguments = runs::waiting(registered, &arguments).unwrap_or(arguments);
    let request = kind.request(name, arguments);
    crate::engine::sample::no_client_is_deprecated();
    let result = conversation::request(service, name, request, order.log, questions).await.map_err(|failure| {
        let page = format!("{program} {} {name}", kind.listed_by);
        no_result(&failure, Some(registered), Some(&page))
    })?;
    Ok(if kind.is_tool() {
        outcome::show(&result, registered, order.json)
    } else {
        outcome::show_messages(&result, order.json)
    })
}

/// Checks the arguments of a tool. The server checks them too, but this check comes before the call begins.
fn checked(tool: &RegisteredTool, arguments: Box<RawValue>) -> Result<Box<RawValue>, ExitCode> {
    match tool.schema.check(arguments.get()) {
        Ok(()) => Ok(arguments),
        Err(violations) => Err(refuse(invalid_arguments(&tool.definition.name, &violations))),
    }
}

/// Prompts the user for the required arguments that are missing. Without a terminal, clap has already rejected the
/// command line.
fn completed(prompt: &CliItem<'_>, arguments: Box<RawValue>) -> Result<Box<RawValue>, ExitCode> {
    let mut object: Map<String, Value> = serde_json::from_str(arguments.get()).unwrap_or_default();
    let Some(missing) = prompt.missing(&object).filter(|_| terminal::has_person()) else { return Ok(arguments) };
    let heading = format!("Arguments of `{}`:", prompt.name());
    let given = match form::fill_in(&heading, &missing) {
        Ok(given) => given,
        Err(UnansweredQuestion::Interrupted) => return Err(ExitCode::from(INTERRUPTED)),
        Err(UnansweredQuestion::Failed(reason) | UnansweredQuestion::BadAnswer(reason)) => return Err(refuse(reason)),
    };
    let Some(content) = given["content"].as_object() else {
        terminal::tell("cancelled");
        return Err(ExitCode::FAILURE);
    };
    object.extend(content.clone());
    serde_json::value::to_raw_value(&object).map_err(refuse)
}

fn mistaken(registry: &Registry, kind: &ItemKind, mut error: clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
    {
        return refuse(kind.unknown(registry, name));
    }
    // The advice to write `--` does not apply: a tool or prompt has one positional argument, which is JSON.
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
    }
    terminal::unmatched(&error)
}
