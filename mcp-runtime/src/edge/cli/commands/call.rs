//! `call` and `prompt`: call one tool or get one prompt from the terminal, as a client does.

use std::{ffi::OsString, iter, process::ExitCode};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use serde_json::{Map, Value, value::RawValue};

#[cfg(all(feature = "actions", unix))]
use crate::edge::cli::call::detach;
#[cfg(feature = "actions")]
use crate::edge::cli::items::runs;
use crate::{
    edge::cli::{
        answers::{InputRequests, form},
        call::{
            conversation::{self, no_result},
            options::{self, Order},
            outcome,
        },
        exit::{INTERRUPTED, refuse},
        items::item::{CliItem, ItemKind},
        terminal::{self, prompt::UnansweredQuestion},
    },
    engine::tool::{registered::invalid_arguments, registry::Registry},
    serve::server::Service,
};

/// Calls a tool or gets a prompt. `arguments` are the command-line arguments after `call` or `prompt`. They include the
/// name of the tool or prompt.
pub(crate) async fn act(service: &Service, program: &str, kind: ItemKind, arguments: Vec<OsString>) -> ExitCode {
    let registry = &service.0.registry.read().clone();
    let whole = iter::once(OsString::from(kind.called_by())).chain(arguments);
    let matches = match options::command(registry, kind, program, terminal::width()).try_get_matches_from(whole) {
        Ok(matches) => matches,
        Err(error) => return mistaken(registry, kind, error),
    };
    let Order {
        name,
        arguments,
        json,
        log,
        answers,
        #[cfg(all(feature = "actions", unix))]
        detach,
    } = match options::read(registry, kind, &matches) {
        Ok(order) => order,
        Err(reason) => return refuse(reason),
    };
    let Some(item) = kind.find(registry, &name) else {
        return refuse(kind.unknown(registry, &name));
    };
    let registered = item.registered;
    let arguments = match kind {
        // The server checks this too, but this check comes before the call begins.
        ItemKind::Tool => match registered.schema.check(arguments.get()) {
            Ok(()) => arguments,
            Err(violations) => return refuse(invalid_arguments(&name, &violations)),
        },
        ItemKind::Prompt => match completed(&item, arguments) {
            Ok(arguments) => arguments,
            Err(code) => return code,
        },
    };
    #[cfg(all(feature = "actions", unix))]
    if detach {
        return detach::act(service, registered, &arguments, json).await;
    }
    let questions = match InputRequests::new(answers, registered) {
        Ok(questions) => questions,
        Err(reason) => return refuse(reason),
    };
    #[cfg(feature = "actions")]
    let arguments = runs::waiting(registered, &arguments).unwrap_or(arguments);
    let request = kind.request(&name, arguments);
    crate::engine::sample::no_client_is_deprecated();
    match (conversation::request(service, &name, request, log, questions).await, kind) {
        (Ok(result), ItemKind::Tool) => outcome::show(&result, registered, json),
        (Ok(result), ItemKind::Prompt) => outcome::show_messages(&result, json),
        (Err(failure), _) => {
            let page = format!("{program} {} {name}", kind.listed_by());
            no_result(&failure, Some(registered), Some(&page))
        }
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

fn mistaken(registry: &Registry, kind: ItemKind, mut error: clap::Error) -> ExitCode {
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
