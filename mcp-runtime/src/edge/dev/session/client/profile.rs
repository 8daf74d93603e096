//! What the client tells the server about itself.

use crate::{
    edge::dev::target::{ClientSetup, SetupCapabilities},
    serve::client::{ClientAbilities, ClientProfile},
    wire::protocol::{level::Level, revision::Revision},
};

/// Returns the profile of the client with this setup.
///
/// # Errors
/// Fails if there is no such revision.
pub(crate) fn profile(setup: &ClientSetup) -> Result<ClientProfile, String> {
    let Some(revision) = Revision::parse(&setup.revision) else {
        let known = Revision::ALL.map(|revision| format!("`{revision}`"));
        return Err(format!("there is no revision `{}`; the revisions are {}", setup.revision, known.join(", ")));
    };
    let SetupCapabilities { elicitation, sampling, roots, views } = setup.capabilities;
    let capabilities = ClientAbilities { elicitation, sampling, roots, views }.declared(revision);
    Ok(ClientProfile { revision, ..ClientProfile::newest("dev-page", capabilities, Some(Level::Debug)) })
}

/// Returns the newest revision of the other era: with sessions, or without.
pub(crate) fn other_era(revision: &str) -> Revision {
    match Revision::parse(revision) {
        Some(revision) if revision.is_modern() => Revision::LATEST_LEGACY,
        _ => Revision::LATEST,
    }
}
