//! `read`: reads a resource, as a client does.

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::value::RawValue;

use crate::{
    edge::cli::{
        answers::{InputRequests, given::GivenAnswer},
        call::{
            conversation::{self, no_result},
            options,
        },
        exit::{fail, refuse},
        items::did_you_mean,
        terminal::{
            content::{read_json, size},
            print, print_bytes, tell,
        },
    },
    engine::{call::operation::Operation, tool::registry::Registry},
    serve::{client::ClientRequest, resource::uri_of, server::Service},
};

pub(crate) fn command() -> Command {
    Command::new("read")
        .about("Read a resource")
        .arg(Arg::new("uri").value_name("URI").required(true).help("The URI of the resource"))
        .args([
            options::answer("resource", None),
            Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print the whole result as JSON"),
            options::log(),
        ])
}

/// Prints the contents of a resource.
pub(crate) async fn act(service: &Service, program: &str, matches: &ArgMatches) -> ExitCode {
    let registry = &service.0.registry.read().clone();
    let uri = matches.get_one::<String>("uri").map(String::as_str).unwrap_or_default();
    let Some(resource) = service.0.find_resource(uri) else { return refuse(unknown(registry, program, uri)) };
    let resource = &*resource;
    let answers = matches.get_many::<GivenAnswer>("answer").into_iter().flatten().cloned().collect();
    let questions = match InputRequests::new(answers, resource) {
        Ok(questions) => questions,
        Err(reason) => return refuse(reason),
    };
    let request = ClientRequest::Resource { uri: uri.to_owned() };
    crate::engine::sample::no_client_is_deprecated();
    let name = resource.definition.name();
    match conversation::request(service, name, request, options::level(matches), questions).await {
        Ok(result) => show(&result, program, matches.get_flag("json")),
        Err(failure) => no_result(&failure, Some(resource), None),
    }
}

/// Returns the error message for a URI that no resource has.
fn unknown(registry: &Registry, program: &str, uri: &str) -> String {
    let uris: Vec<_> = registry.others(Operation::ReadResource).filter_map(uri_of).collect();
    if uris.is_empty() {
        return "this server has no resources".to_owned();
    }
    let meant = did_you_mean(uri, uris);
    format!("there is no resource `{uri}`{meant}\n\nAll resources: `{program} resources`")
}

/// Writes the parts of a resource. Bytes are written as they are, unless standard output is a terminal.
fn show(result: &RawValue, program: &str, json: bool) -> ExitCode {
    if json {
        return print(&format!("{}\n", result.get()), ExitCode::SUCCESS);
    }
    let result = read_json(result);
    for part in result["contents"].as_array().into_iter().flatten() {
        let uri = part["uri"].as_str().unwrap_or_default();
        let code = match (part["text"].as_str(), part["blob"].as_str()) {
            (Some(text), _) => print(text, ExitCode::SUCCESS),
            (None, Some(blob)) => match BASE64_STANDARD.decode(blob) {
                Ok(bytes) if io::stdout().is_terminal() => {
                    let mime_type = part["mimeType"].as_str().unwrap_or("application/octet-stream");
                    print(&format!("[{uri}, {mime_type}, {}]\n", size(bytes.len())), ExitCode::SUCCESS)
                }
                Ok(bytes) => print_bytes(&bytes, ExitCode::SUCCESS),
                Err(error) => fail(format_args!("the `blob` of `{uri}` is not base64: {error}")),
            },
            (None, None) => fail(format_args!("`{uri}` has neither text nor bytes")),
        };
        if code != ExitCode::SUCCESS {
            return code;
        }
        if let Some(next) = part["_meta"]["nextUri"].as_str() {
            tell(format_args!("more follows: `{program} read '{next}'`"));
        }
    }
    ExitCode::SUCCESS
}
