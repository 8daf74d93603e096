//! `resources`: lists the resources and the templates of resources, as a client does.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use crate::{
    edge::cli::{
        answers::InputRequests,
        call::conversation::{self, no_result},
        exit::CommandEnd,
        items::page::first_sentence,
        terminal::{
            self,
            content::{read_json, size},
            layout::{columns, wrap},
            print,
        },
    },
    engine::call::operation::Operation,
    serve::{client::ClientRequest, server::Service},
    wire::protocol::{json::object, level::Level},
};

pub(crate) fn command() -> Command {
    Command::new("resources")
        .about("Show the resources")
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print them as JSON"))
}

/// Prints the resources, and then the templates.
pub(crate) async fn act(service: &Service, program: &str, matches: &ArgMatches) -> CommandEnd {
    if service.0.registry.read().others(Operation::ReadResource).next().is_none() {
        return Ok(print("This server has no resources.\n", ExitCode::SUCCESS));
    }
    let resources = list(service, "resources/list", "resources").await?;
    let templates = list(service, "resources/templates/list", "resourceTemplates").await?;
    if matches.get_flag("json") {
        let all = object([("resources", resources.into()), ("resourceTemplates", templates.into())]);
        return Ok(print(&format!("{all:#}\n"), ExitCode::SUCCESS));
    }
    let width = terminal::width();
    let mut tables = Vec::new();
    if !resources.is_empty() {
        tables.push(table(["URI", "WHAT IT IS", "TYPE", "SIZE"], "uri", &resources, width));
    }
    if !templates.is_empty() {
        tables.push(table(["TEMPLATE", "WHAT IT IS", "TYPE", ""], "uriTemplate", &templates, width));
    }
    let more = wrap(&format!("Read one: `{program} read URI`."), width).join("\n");
    Ok(print(&format!("{}\n{more}\n", tables.join("\n")), ExitCode::SUCCESS))
}

/// Returns all items of a list, from all pages. `member` is the name of the list in a page.
async fn list(service: &Service, method: &'static str, member: &str) -> Result<Vec<Value>, ExitCode> {
    let mut items = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let request = ClientRequest::List { method, cursor };
        let result = conversation::request(service, method, request, Some(Level::Info), InputRequests::default()).await;
        let result = result.map_err(|failure| no_result(&failure, None, None))?;
        let mut page = read_json(&result);
        if let Value::Array(more) = page[member].take() {
            items.extend(more);
        }
        cursor = page["nextCursor"].take();
        if cursor.is_null() {
            return Ok(items);
        }
    }
}

fn table(headings: [&str; 4], uri: &str, resources: &[Value], width: usize) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |resource: &Value| {
        let described = resource.get("description").or_else(|| resource.get("title")).map(text).unwrap_or_default();
        let bytes = resource["size"].as_u64().and_then(|bytes| usize::try_from(bytes).ok());
        let size = bytes.map(size).unwrap_or_default();
        [text(&resource[uri]), first_sentence(&described).to_owned(), text(&resource["mimeType"]), size]
    };
    let rows: Vec<_> = [headings.map(str::to_owned)].into_iter().chain(resources.iter().map(row)).collect();
    columns(&rows, width)
}
