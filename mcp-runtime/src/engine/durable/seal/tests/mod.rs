//! Tests of the seal.

mod cost;
mod forgery;
mod format;
mod keyring;
mod token;

use super::{BoundRequest, KeyRing, ROOM, Seal, TooLarge};

const KEY: [u8; 32] = [7; 32];
const JOURNAL: &[u8] = br#"{"seats":["12A","12B"],"card":"4242 4242 4242 4242"}"#;

fn seal() -> Seal {
    Seal::new(KeyRing::new(KEY))
}

fn binding() -> BoundRequest<'static> {
    BoundRequest {
        method: "tools/call",
        tool: "book_flight",
        arguments: r#"{"to":"LIS","seats":2}"#,
        principal: "https://login.example ada",
    }
}

/// Seals a journal for this request.
fn seal_journal(seal: &Seal, binding: &BoundRequest<'_>, journal: &[u8]) -> Result<String, TooLarge> {
    seal.seal(binding, &mut [&[0; ROOM][..], journal].concat())
}
