//! The program, its settings, its clock and its port.

use super::report::Section;
use crate::{
    base::clock,
    edge::cli::operator::OperatorSettings,
    serve::{
        server::Service,
        settings::{SettingSources, Settings as _, TABLE},
    },
};

/// A clock that shows an earlier time was never set: 2025-01-01.
const EARLIEST: clock::Millis = 1_735_689_600_000;

pub(crate) fn program(service: &Service, path: &str) -> Section {
    let identity = &service.0.settings.identity;
    let mut section = Section::new("Program");
    section.ok(format!("{} {}, with mcp-runtime {}", identity.name, identity.version, env!("CARGO_PKG_VERSION")));
    section.ok(format!("`{path}` on {} {}", std::env::consts::OS, std::env::consts::ARCH));
    if cfg!(debug_assertions) {
        section.warn("a debug build; give hosts one of `cargo build --release`");
    } else {
        section.ok("a release build");
    }
    let now = clock::now();
    let shown = clock::to_seconds(now).unwrap_or_default();
    if now < EARLIEST {
        section.wrong(format!("the clock shows {shown}; set it, because certificates and tokens depend on it"));
    } else {
        section.ok(format!("the clock shows {shown}"));
    }
    section
}

/// Returns where each setting is read from. The section contains no values.
pub(crate) fn settings(service: &Service, sources: &SettingSources) -> Section {
    let mut section = Section::new("Settings");
    if let Some(file) = &sources.file {
        section.ok(format!("the settings file is `{}`", file.path().display()));
    }
    for setting in &service.setting_definitions() {
        let name = setting.name();
        match sources.place(setting, None) {
            Ok(Some(place)) => section.ok(format!("`{name}` is read from {place}")),
            Ok(None) if setting.is_required() => {
                section.wrong(format!("`{name}` is missing; set the variable `{}`", setting.env()));
            }
            Ok(None) if setting.default().is_some() => section.ok(format!("`{name}` has its default")),
            Ok(None) => section.ok(format!("`{name}` is not set")),
            Err(problem) => section.wrong(problem),
        }
    }
    // Of those of the server itself, only the ones that the operator has set are of interest.
    for setting in OperatorSettings::definitions() {
        // What is wrong is listed below.
        if let Ok(Some(place)) = sources.place(setting, Some(TABLE)) {
            section.ok(format!("`{TABLE}.{}` is read from {place}", setting.name()));
        }
    }
    if let Err(error) = OperatorSettings::of(sources) {
        error.problems().iter().for_each(|problem| section.wrong(problem));
    }
    if section.is_empty() {
        section.ok("the program has no settings, and none of the server is set");
    }
    section
}
