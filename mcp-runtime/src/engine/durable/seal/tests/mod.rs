//! Tests of the seal.

mod cost;
mod forgery;
mod format;
mod keyring;
mod token;

use super::{BoundRequest, KeyRing, Seal};

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
