//! `call`: calls one tool from the terminal, as a client does.

mod conversation;
mod elicitation;
mod form;
mod given;
mod hangup;
mod messages;
mod options;
mod outcome;
mod prompt;
mod questions;
mod roots;
mod sampling;
mod screen;

use std::{ffi::OsString, fmt::Display, iter, process::ExitCode};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use self::{conversation::Ending, messages::CallRequest, options::Order, questions::InputRequests};
use super::{command::unmatched, refuse, terminal};
use crate::{
    schema::nearest::nearest,
    server::Service,
    tool::{registered::invalid_arguments, registry::Registry},
};

/// The exit code after Ctrl-C, as shells use it.
const INTERRUPTED: u8 = 130;

/// Calls the tool. The arguments after `call` contain its name.
pub(super) async fn act(service: &Service, program: &str, arguments: Vec<OsString>) -> ExitCode {
    let registry = &service.0.registry.read().clone();
    let whole = iter::once(OsString::from("call")).chain(arguments);
    let matches = match options::command(registry, program, terminal::width()).try_get_matches_from(whole) {
        Ok(matches) => matches,
        Err(error) => return mistaken(registry, error),
    };
    let Order { tool, arguments, json, log, answers } = match options::read(registry, &matches) {
        Ok(order) => order,
        Err(reason) => return refuse(reason),
    };
    let Some(registered) = registry.find(&tool) else {
        return refuse(unknown_tool(registry, &tool));
    };
    // The server checks this too; here the call has not begun.
    if let Err(violations) = registered.schema.check(arguments.get()) {
        return refuse(invalid_arguments(&tool, &violations));
    }
    let questions = match InputRequests::new(answers, registered) {
        Ok(questions) => questions,
        Err(reason) => return refuse(reason),
    };
    let request = CallRequest { tool, arguments, log };
    crate::sample::no_client_is_deprecated();
    match conversation::hold(service, request, questions).await {
        Ok(Ending::Result(result)) => outcome::show(&result, registered, json),
        Ok(Ending::Refused(message)) => fail(message),
        Ok(Ending::BadAnswer(reason)) => refuse(reason),
        Ok(Ending::Unasked(message, wanted)) => {
            fail(format_args!("{message}\n\n{}", wanted.advice(program, registered)))
        }
        Ok(Ending::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) => refuse(format_args!("cannot call the tool: {error}")),
    }
}

/// Reports why there is no result.
fn fail(reason: impl Display) -> ExitCode {
    terminal::tell(format_args!("error: {reason}"));
    ExitCode::FAILURE
}

/// Returns a message that the tool does not exist, with a list of the tools.
pub(super) fn unknown_tool(registry: &Registry, name: &str) -> String {
    let names = || registry.iter().map(|tool| tool.definition.name());
    if names().next().is_none() {
        return "this server has no tools".to_owned();
    }
    let meant = nearest(name, names()).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    format!("there is no tool `{name}`{meant}\n\nTools: {}", names().collect::<Vec<_>>().join(", "))
}

fn mistaken(registry: &Registry, mut error: clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
    {
        return refuse(unknown_tool(registry, name));
    }
    // The advice to write `--` does not apply: a tool has one positional argument, which is JSON.
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
    }
    unmatched(&error)
}
