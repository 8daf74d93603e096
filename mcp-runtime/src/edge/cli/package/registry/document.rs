//! The document, and the checks that the registry makes when it is published.

use std::{fs, path::PathBuf};

use clap::ArgMatches;
use serde_json::{Value, json};

use super::{
    name::name_of_repository,
    package::{hash_of, package},
    readme::shows_name,
};
use crate::{
    edge::cli::{package::details::Details, terminal::warn},
    serve::settings::SettingDefinition,
    wire::protocol::{icon::Icon, json::object_of_some},
};

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The longest description and the longest title.
const LONGEST: usize = 100;

/// The longest URL of an icon.
const LONGEST_ICON: usize = 255;

/// The MIME types of icons.
const ICONS: [&str; 5] = ["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"];

/// # Errors
/// Returns what is missing or wrong, one sentence each.
pub(super) fn document(
    details: &Details<'_>,
    settings: &[SettingDefinition],
    matches: &ArgMatches,
) -> Result<Value, Vec<String>> {
    let repository = details.repository();
    let name = name(details, matches, repository.as_deref());
    let description = description(details);
    let version = details.version();
    let bundle = bundle(matches);
    let crate_name = matches.get_one::<String>("cargo");
    let crate_problems = match (&name, crate_name) {
        (Ok(name), Some(crate_name)) => crate_problems(details, matches, name, crate_name),
        _ => Vec::new(),
    };
    let title = details.identity.title.as_deref().filter(|title| title.chars().count() <= LONGEST);
    let (name, description, version, bundle) = match (name, description, version, bundle) {
        (Ok(name), Ok(description), Ok(version), Ok(bundle)) if crate_problems.is_empty() => {
            (name, description, version, bundle)
        }
        (name, description, version, bundle) => {
            let problems = [name.err(), description.err(), version.err(), bundle.err()].into_iter().flatten();
            return Err(problems.chain(crate_problems).collect());
        }
    };
    let mut packages = Vec::new();
    packages.extend(crate_name.map(|crate_name| package("cargo", crate_name, Some(version), None, settings)));
    // The version of the other two is in their URL and in their tag.
    packages.extend(bundle.map(|(url, hash)| package("mcpb", &url, None, Some(hash), settings)));
    packages.extend(matches.get_one::<String>("oci").map(|image| package("oci", image, None, None, settings)));
    let remotes = matches.get_many::<String>("remote").into_iter().flatten();
    let remotes: Vec<_> = remotes.map(|url| json!({ "type": "streamable-http", "url": url })).collect();
    let icons: Vec<_> = details.identity.icons.iter().filter_map(icon).collect();
    let some = |values: Vec<Value>| (!values.is_empty()).then_some(Value::Array(values));
    Ok(object_of_some([
        ("$schema", Some(SCHEMA.into())),
        ("name", Some(name.into())),
        ("title", title.map(Value::from)),
        ("description", Some(description.into())),
        ("version", Some(version.into())),
        ("repository", repository.as_deref().and_then(source_code)),
        ("websiteUrl", details.homepage().map(Value::from)),
        ("icons", some(icons)),
        ("packages", some(packages)),
        ("remotes", some(remotes)),
    ]))
}

fn name(details: &Details<'_>, matches: &ArgMatches, repository: Option<&str>) -> Result<String, String> {
    if let Some(name) = matches.get_one::<String>("name") {
        return Ok(name.clone());
    }
    let of_repository = repository.and_then(|repository| name_of_repository(repository, &details.identity.name));
    of_repository.ok_or_else(|| {
        "the name is missing; give `--name NAMESPACE/NAME`, such as `io.github.ann/flights`; your account at GitHub gives \
         the namespace `io.github.ACCOUNT`, and the domain `example.com` gives `com.example`"
            .to_owned()
    })
}

fn description(details: &Details<'_>) -> Result<String, String> {
    let description = details.description();
    let description =
        description.ok_or_else(|| details.lacks("the description", "--description TEXT", "description"))?;
    match description.chars().count() {
        ..=LONGEST => Ok(description),
        length => Err(format!(
            "the description has {length} characters, and the registry allows {LONGEST}; give a shorter one with \
             `--description TEXT`"
        )),
    }
}

/// Returns the URL and the hash of the bundle, if there is one.
fn bundle(matches: &ArgMatches) -> Result<Option<(String, String)>, String> {
    let Some(url) = matches.get_one::<String>("mcpb") else { return Ok(None) };
    let hash = match (matches.get_one::<String>("sha256"), matches.get_one::<PathBuf>("mcpb-file")) {
        (Some(hash), _) => hash.clone(),
        (None, Some(file)) => hash_of(file)?,
        (None, None) => {
            return Err("the hash of the bundle is missing; give `--mcpb-file FILE` or `--sha256 HASH`".to_owned());
        }
    };
    Ok(Some((url.clone(), hash)))
}

/// Returns why the registry would not accept the crate.
fn crate_problems(details: &Details<'_>, matches: &ArgMatches, name: &str, crate_name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let package = details.cargo.as_ref().filter(|package| package.name == crate_name);
    if let Some(package) = package
        && package.version != details.identity.version
    {
        problems.push(format!(
            "the version of the server is `{}`, but that of the crate is `{}`; write \
             `Server::new(…, env!(\"CARGO_PKG_VERSION\"))`",
            details.identity.version, package.version
        ));
    }
    let readme = matches.get_one::<PathBuf>("readme").cloned().or_else(|| package?.readme());
    let Some(readme) = readme else {
        warn(format_args!(
            "the README of the crate was not found; it must show the line `mcp-name: {name}`, or the registry refuses the \
             crate; check it with `--readme FILE`"
        ));
        return problems;
    };
    let shown = readme.display();
    match fs::read_to_string(&readme) {
        Ok(text) if shows_name(&text, name) => {}
        Ok(_) => problems.push(format!(
            "`{shown}` does not show the line `mcp-name: {name}`, by which the registry knows that the crate is yours; add \
             it as visible text, because comments do not count, and publish the crate again"
        )),
        Err(error) => problems.push(format!("the README `{shown}` cannot be read: {error}")),
    }
    problems
}

/// Returns the repository, if it is at a service that the registry knows.
fn source_code(url: &str) -> Option<Value> {
    let source = [("https://github.com/", "github"), ("https://gitlab.com/", "gitlab")];
    let (_, source) = source.into_iter().find(|(start, _)| url.starts_with(start))?;
    Some(json!({ "url": url, "source": source }))
}

/// Returns an icon, if the registry takes it: it does not take `data:` URIs.
fn icon(icon: &Icon) -> Option<Value> {
    let is_taken = icon.src().starts_with("https://") && icon.src().len() <= LONGEST_ICON;
    if !is_taken {
        return None;
    }
    let sizes: Vec<Value> = icon.sizes().iter().map(|size| size.as_str().into()).collect();
    Some(object_of_some([
        ("src", Some(icon.src().into())),
        ("mimeType", icon.kind().filter(|kind| ICONS.contains(kind)).map(Value::from)),
        ("sizes", (!sizes.is_empty()).then_some(Value::Array(sizes))),
        ("theme", icon.background().map(Value::from)),
    ]))
}
