//! `read`: reads a resource, as a client does.

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use clap::{Arg, ArgMatches, Command};
use serde_json::Value;

use crate::{
    edge::cli::{
        answers::{InputRequests, given::GivenAnswer},
        call::{
            conversation::{self, no_result},
            options,
        },
        exit::{CommandEnd, fail, refuse},
        terminal::{
            content::{read_json, size},
            print, print_bytes, print_json, tell,
        },
    },
    engine::{call::operation::Operation, tool::registry::Registry},
    serve::{client::ClientRequest, resource::uri_of, server::Service},
    wire::schema::nearest::did_you_mean,
};

pub(crate) fn command() -> Command {
    Command::new("read")
        .about("Read a resource")
        .arg(Arg::new("uri").value_name("URI").required(true).help("The URI of the resource"))
        .args([options::answer("resource", None), options::json(), options::log()])
}

/// Prints the contents of a resource.
pub(crate) async fn act(service: &Service, program: &str, matches: &ArgMatches) -> CommandEnd {
    let registry = &service.0.registry.read().clone();
    let uri = matches.get_one::<String>("uri").map(String::as_str).unwrap_or_default();
    let resource = &*service.0.find_resource(uri).ok_or_else(|| refuse(unknown(registry, program, uri)))?;
    let answers = matches.get_many::<GivenAnswer>("answer").into_iter().flatten().cloned().collect();
    let questions = InputRequests::new(answers, resource).map_err(refuse)?;
    let request = ClientRequest::Resource { uri: uri.to_owned() };
    crate::engine::sample::no_client_is_deprecated();
    let name = resource.definition.name();
    let result = conversation::request(service, name, request, options::level(matches), questions).await;
    let result = result.map_err(|failure| no_result(&failure, Some(resource), None))?;
    if matches.get_flag("json") {
        return Ok(print_json(&result));
    }
    let result = read_json(&result);
    result["contents"].as_array().into_iter().flatten().try_for_each(|part| show(part, program))?;
    Ok(ExitCode::SUCCESS)
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

/// Writes a part of a resource. Bytes are written as they are, unless standard output is a terminal.
fn show(part: &Value, program: &str) -> Result<(), ExitCode> {
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
        return Err(code);
    }
    if let Some(next) = part["_meta"]["nextUri"].as_str() {
        tell(format_args!("more follows: `{program} read '{next}'`"));
    }
    Ok(())
}
