//! The sources of an error stay in the log if the author wants it.

use mcp_runtime::{Revision, Server, prelude::*, telemetry::client_layer, testing::Client};
use tracing_subscriber::prelude::*;

use crate::support::log::set_default;
use crate::watching::recorder::Seen;

#[derive(Debug, thiserror::Error)]
#[error("cannot store the note")]
struct StoreError(#[source] std::io::Error);

/// Stores a note.
#[mcp_tool]
async fn store() -> Result<(), StoreError> {
    Err(StoreError(std::io::Error::other("password=hunter2 at db.internal")))
}

#[tokio::test]
async fn the_sources_of_an_error_are_logged_and_not_sent_if_the_author_wants_it() {
    let seen = Seen::default();
    let _guard = set_default(tracing_subscriber::registry().with(client_layer()).with(seen.clone()));
    let server = || Server::new("notes", "1").tools(tools![store]);
    let quiet = server().error_sources(false).build().unwrap();
    for revision in Revision::ALL {
        let outcome = Client::new(&quiet, revision).call("store", ()).await;
        assert!(outcome.is_error());
        assert_eq!(outcome.text(), "cannot store the note");
        assert!(!outcome.transcript().to_string().contains("hunter2"), "{}", outcome.transcript());
    }
    let logged = seen.events().join("\n");
    assert!(logged.contains("the tool `store` failed: cannot store the note: password=hunter2"), "{logged}");

    let open = server().build().unwrap();
    let outcome = Client::modern(&open).call("store", ()).await;
    assert_eq!(outcome.text(), "cannot store the note: password=hunter2 at db.internal");
    // An error mapper decides alone.
    let mapped = server().error_sources(false).error_mapper(|error| (true, error.chain())).build().unwrap();
    let outcome = Client::modern(&mapped).call("store", ()).await;
    assert_eq!(outcome.text(), "cannot store the note: password=hunter2 at db.internal");
}
