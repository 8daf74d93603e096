//! A loan is recorded once, in every mode.

use mcp_runtime::{in_every_mode, testing::Client};
use serde_json::json;

use super::*;
use crate::{
    register::{Card, NewReader},
    server,
};

/// Returns a desk with two readers.
fn desk() -> Desk {
    let desk = Desk::open(":memory:").unwrap();
    for name in ["ada", "ben"] {
        let reader = NewReader {
            name: name.into(),
            email: format!("{name}@example.org").parse().unwrap(),
            born: None,
            card: Card::Adult,
            newsletter: false,
        };
        desk.register(&reader).unwrap();
    }
    desk
}

fn pick(copy: &str) -> PickCopy {
    PickCopy { copy: copy.into() }
}

#[tokio::test]
async fn a_loan_is_recorded_once_in_every_mode() {
    let arguments = json!({ "book": 2, "reader": 1 });
    in_every_mode!(|mode| {
        let desk = desk();
        let mut client = mode.client(|| server(desk.clone()));
        let call = client.call("lend_book", &arguments);
        let lent = call
            .accept(pick("22"))
            .accept(Confirm { confirmed: true })
            .await;
        assert!(lent.text().starts_with("Loan 1: `Frankenstein`, copy 22"));

        let call = client.call("lend_book", &arguments).accept(pick("23"));
        assert_eq!(call.decline().await.text(), "Nothing is lent.");
        let left = desk.hold(2, 1).unwrap().copies;
        mode.same(
            "free copies",
            left.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        );
    });
}

#[tokio::test]
async fn the_last_copy_is_held_for_one_reader() {
    let desk = desk();
    let mut client = Client::modern(&server(desk.clone()).build().unwrap());
    desk.hold(1, 1).unwrap();
    let refused = client
        .call("lend_book", json!({ "book": 1, "reader": 2 }))
        .await;
    assert_eq!(
        refused.text(),
        "all copies of `Emma` are lent or held; try later"
    );

    let call = client.call("lend_book", json!({ "book": 1, "reader": 1 }));
    assert_eq!(call.decline().await.text(), "Nothing is lent.");
    client
        .call("lend_book", json!({ "book": 1, "reader": 2 }))
        .decline()
        .await;
}
