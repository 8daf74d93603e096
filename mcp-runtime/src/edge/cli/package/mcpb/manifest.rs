//! The file `manifest.json` of a bundle.

use clap::ArgMatches;
use serde_json::{Value, json};

use super::{icon::BundledIcon, platform::BundledProgram, user_config::UserConfig};
use crate::{
    edge::cli::{
        items::{
            item::{PROMPTS, TOOLS},
            page::first_sentence,
        },
        package::details::Details,
        terminal::one_line,
    },
    engine::call::operation::Operation,
    serve::server::Service,
    wire::protocol::json::{object, object_of_some, set},
};

/// The name of the file.
pub(super) const MANIFEST: &str = "manifest.json";

const VERSION: &str = "0.3";

/// # Errors
/// Returns what is missing or wrong, one sentence each.
pub(super) fn manifest(
    service: &Service,
    details: &Details<'_>,
    matches: &ArgMatches,
    programs: &[BundledProgram],
    icons: &[BundledIcon],
) -> Result<Value, Vec<String>> {
    let (version, description, author) = required(details)?;
    let identity = details.identity;
    let registry = &service.0.registry.read().clone();
    let config = UserConfig::of(&service.setting_definitions());
    let tools = TOOLS.all(registry).map(|tool| {
        let definition = &tool.registered.definition;
        let description = one_line(first_sentence(&definition.description));
        json!({ "name": definition.name, "description": description })
    });
    let tools: Vec<_> = tools.collect();
    let changes = service.0.extensions.iter().any(|extension| extension.can_change(Operation::CallTool));
    // A prompt of a manifest is a fixed text. The prompts of a server are functions, so the host asks for them.
    let has_prompts = PROMPTS.all(registry).next().is_some();
    let yes = |is: bool| is.then_some(Value::Bool(true));
    let some = |texts: Vec<Value>| (!texts.is_empty()).then_some(Value::Array(texts));
    let policies = matches.get_many::<String>("privacy-policy").into_iter().flatten().map(|url| url.as_str().into());
    let package = details.cargo.as_ref();
    Ok(object_of_some([
        ("manifest_version", Some(VERSION.into())),
        ("name", Some(identity.name.as_str().into())),
        ("display_name", identity.title.as_deref().map(Value::from)),
        ("version", Some(version.into())),
        ("description", Some(description.into())),
        ("author", Some(author)),
        ("repository", details.repository().map(|url| json!({ "type": "git", "url": url }))),
        ("homepage", details.homepage().map(Value::from)),
        ("documentation", package.and_then(|package| package.documentation.as_deref()).map(Value::from)),
        ("license", details.text("license", |package| package.license.as_ref()).map(Value::from)),
        (
            "keywords",
            package.and_then(|package| some(package.keywords.iter().map(|word| word.as_str().into()).collect())),
        ),
        ("icon", icons.first().map(|icon| icon.inside.as_str().into())),
        ("icons", if icons.len() > 1 { some(icons.iter().map(icon).collect()) } else { None }),
        ("server", Some(server(matches, programs, &config))),
        ("tools", some(tools)),
        ("tools_generated", yes(changes)),
        ("prompts_generated", yes(has_prompts)),
        ("user_config", (!config.fields.is_empty()).then_some(Value::Object(config.fields))),
        ("privacy_policies", some(policies.collect())),
        (
            "compatibility",
            Some(json!({ "platforms": programs.iter().map(|it| it.platform.as_str()).collect::<Vec<_>>() })),
        ),
    ]))
}

/// Returns the version, the description and the author, without which there is no bundle.
fn required<'d>(details: &Details<'d>) -> Result<(&'d str, String, Value), Vec<String>> {
    let version = details.version();
    let description =
        details.description().ok_or_else(|| details.lacks("the description", "--description TEXT", "description"));
    let author = details.text("author", |package| package.authors.first());
    let author = author.ok_or_else(|| details.lacks("the author", "--author 'NAME <MAIL>'", "authors"));
    match (version, description, author) {
        (Ok(version), Ok(description), Ok(author)) => Ok((version, description, named_author(&author))),
        (version, description, author) => {
            Err([version.err(), description.err(), author.err()].into_iter().flatten().collect())
        }
    }
}

/// Returns the author in the notation of Cargo, `Ann <ann@example.com>`, as an object.
fn named_author(author: &str) -> Value {
    let (name, mail) = author.split_once('<').unwrap_or((author, ""));
    let mail = Some(mail.trim_end_matches('>').trim()).filter(|mail| mail.contains('@') && !mail.contains(' '));
    let name = Some(name.trim()).filter(|name| !name.is_empty()).or(mail).unwrap_or(author);
    object_of_some([("name", Some(name.into())), ("email", mail.map(Value::from))])
}

fn icon(icon: &BundledIcon) -> Value {
    object_of_some([
        ("src", Some(icon.inside.as_str().into())),
        ("size", Some(icon.size.as_str().into())),
        ("theme", icon.theme.map(Value::from)),
    ])
}

/// Returns how the host starts the server. The first program is for all systems that have none of their own.
fn server(matches: &ArgMatches, programs: &[BundledProgram], config: &UserConfig) -> Value {
    let command = |program: &BundledProgram| Value::from(format!("${{__dirname}}/{}", program.inside));
    let mut arguments: Vec<String> = matches.get_many("arguments").into_iter().flatten().cloned().collect();
    if !config.arguments.is_empty() && !arguments.iter().any(|argument| argument == "stdio") {
        // Only behind this command, an option of a list takes all values that follow it.
        arguments.push("stdio".to_owned());
    }
    arguments.extend(config.arguments.iter().cloned());
    let mut overrides = serde_json::Map::new();
    for program in programs.iter().skip(1) {
        set(&mut overrides, program.platform.as_str(), object([("command", command(program))]));
    }
    let first = programs.first();
    let start = object_of_some([
        ("command", first.map(command)),
        ("args", Some(arguments.into())),
        ("env", Some(Value::Object(config.variables.clone()))),
        ("platform_overrides", (!overrides.is_empty()).then_some(Value::Object(overrides))),
    ]);
    object_of_some([
        ("type", Some("binary".into())),
        ("entry_point", first.map(|program| program.inside.as_str().into())),
        ("mcp_config", Some(start)),
    ])
}
