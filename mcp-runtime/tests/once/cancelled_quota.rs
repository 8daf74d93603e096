//! A cancelled call does not count against its owner's quota.

use std::time::Duration;

use mcp_runtime::{
    Result, Revision, Service,
    prelude::*,
    testing::{Client, Reply},
};

#[elicits]
#[derive(Debug)]
enum Wish {
    Sit { seat: String },
}

/// Asks for a seat, and then works until it is cancelled.
#[mcp_tool]
async fn sit(ctx: &Ctx<Wish>) -> Result<String> {
    let Sit { seat } = ctx.elicit::<Sit>("Which seat?").strict().await?;
    ctx.log(Level::Info, "sat down");
    std::future::pending::<()>().await;
    Ok(seat)
}

/// Returns a server that lets each user have one waiting call.
fn service() -> Service {
    Server::new("seats", "1").tools(tools![sit]).max_open_calls_per_client(1).build().unwrap()
}

fn seat() -> Sit {
    Sit { seat: "12A".into() }
}

#[tokio::test]
async fn a_call_cancelled_while_it_waits_in_a_session_does_not_count() {
    let service = service();
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let mut client = Client::legacy(&service, revision).principal("ann");
        for _ in 0..3 {
            assert!(client.call("sit", ()).cancel_call().await.is_cancelled());
        }
    }
}

#[tokio::test]
async fn a_call_of_a_closed_session_does_not_count() {
    let service = service();
    for _ in 0..3 {
        let mut client = Client::legacy(&service, Revision::V2025_11_25).principal("ann");
        let answer = Reply::accept(seat()).after(Duration::from_secs(3600));
        let waits = tokio::time::timeout(Duration::from_millis(20), client.call("sit", ()).reply(answer));
        assert!(waits.await.is_err());
    }
}

#[tokio::test]
async fn a_cancelled_call_that_cannot_be_rebuilt_does_not_count() {
    let service = service();
    let mut client = Client::modern(&service).principal("ann");
    for _ in 0..3 {
        assert!(client.call("sit", ()).accept(seat()).cancel_on_log().await.is_cancelled());
    }
}
