//! What the user answers, and what the tool returns.

use serde_json::json;

use super::*;
use crate::tests::client;

fn ada() -> NewReader {
    NewReader {
        name: "Ada".into(),
        email: "ada@example.org".parse().unwrap(),
        born: None,
        card: Card::Student,
        newsletter: true,
    }
}

#[tokio::test]
async fn an_address_gets_one_card() {
    let mut client = client();
    let registered = client.call("register_reader", ()).accept(ada()).await;
    assert_eq!(registered.text(), "Ada is reader 1.");
    let refused = client.call("register_reader", ()).accept(ada()).await;
    assert!(refused.is_error());
    assert!(refused.text().starts_with("ada@example.org has a card"));
}

#[tokio::test]
async fn declining_and_closing_the_form_differ() {
    let mut client = client();
    let declined = client.call("register_reader", ()).decline().await;
    assert!(declined.text().starts_with("The user does not want"));
    let closed = client.call("register_reader", ()).cancel().await;
    assert!(closed.text().ends_with("ask if they still want a card."));
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_with_the_reason() {
    let invalid = json!({ "name": "A", "email": "ada", "newsletter": false });
    let mut client = client();
    let call = client.call("register_reader", ());
    let registered = call
        .answer(json!({ "action": "accept", "content": invalid }))
        .accept(ada())
        .await;
    assert_eq!(registered.text(), "Ada is reader 1.");
    let question = registered.asked()[1].message();
    assert!(question.contains("Name: got \"A\" (1 character)"));
    assert!(question.contains("E-mail address: got \"ada\""));
}
