//! `check`: finds what hosts would stumble over.

mod finding;
mod items;
mod parameters;
mod repeated_description;
mod report;
mod rules;
mod server;
#[cfg(feature = "skills")]
mod skill_text;
#[cfg(feature = "skills")]
mod skills;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, builder::PossibleValuesParser};

use self::{
    finding::Finding,
    rules::{CheckRule, Severity},
};
use super::{
    exit::{CommandEnd, refuse},
    terminal::{self, print},
};
use crate::serve::server::Service;

const NOTES: &str = "\
Exit code: 0 if there is no error, 1 if there is one, 2 if the server cannot be built. The guide `checking` of the
documentation lists the rules.";

pub(crate) fn command() -> Command {
    Command::new("check").about("Find what hosts would stumble over").after_help(NOTES).args([
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .default_value("text")
            .value_parser(PossibleValuesParser::new(["text", "json", "sarif"]))
            .help("How to write the findings"),
        Arg::new("allow")
            .long("allow")
            .value_name("RULE")
            .action(ArgAction::Append)
            .value_delimiter(',')
            .value_parser(rules::find)
            .help("Do not report findings of this rule"),
        Arg::new("deny-warnings")
            .long("deny-warnings")
            .action(ArgAction::SetTrue)
            .help("Exit with code 1 if there is a warning"),
    ])
}

/// Runs the command. `address` is where the command `http` listens.
pub(crate) fn act(service: &Service, address: Option<&str>, matches: &ArgMatches) -> CommandEnd {
    let allowed: Vec<&CheckRule> =
        matches.get_many::<&'static CheckRule>("allow").into_iter().flatten().copied().collect();
    let mut findings = findings(service, address).map_err(refuse)?;
    findings.retain(|finding| !allowed.contains(&finding.rule));
    let text = match matches.get_one::<String>("format").map(String::as_str) {
        Some("json") => report::json::write(&findings),
        Some("sarif") => report::sarif::write(&findings),
        _ => report::text::write(&findings, terminal::width()),
    };
    let least = if matches.get_flag("deny-warnings") { Severity::Warning } else { Severity::Error };
    let fails = findings.iter().any(|finding| finding.rule.severity >= least);
    Ok(print(&text, if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS }))
}

/// Returns everything that is found, in the order of the items.
fn findings(service: &Service, address: Option<&str>) -> Result<Vec<Finding>, String> {
    let registry = service.0.registry.read().clone();
    let mut findings = Vec::new();
    for item in registry.all() {
        findings.extend(items::of_item(item)?);
    }
    #[cfg(feature = "skills")]
    findings.extend(skills::of_skills(service));
    findings.extend(server::of_server(service, address));
    Ok(findings)
}
