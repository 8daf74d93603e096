//! The forms that the client gets, and the results of its answers.

use conformance::server;
use mcp_runtime::{
    Revision, in_every_mode,
    testing::{Client, Outcome, Question},
};
use serde_json::{Value, json};

use crate::conformance::{REVISIONS, checked, service, text};

/// Returns the only question of a call.
fn question(outcome: &Outcome) -> &Question {
    let [question] = outcome.asked() else { panic!("{:?}", outcome.asked()) };
    assert_eq!(question.method(), "elicitation/create");
    question
}

fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[tokio::test]
async fn a_form_asks_for_two_texts() {
    let content = json!({ "username": "testuser", "email": "test@example.com" });
    let message = "Please provide your information";
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        let call = client.call("test_elicitation", json!({ "message": message })).answer(accept(&content));
        let outcome = call.await;
        assert_eq!(question(&outcome).message(), message);
        let schema = json!({
            "type": "object",
            "properties": {
                "username": { "type": "string", "description": "User's response" },
                "email": { "type": "string", "description": "User's email address" },
            },
            "required": ["username", "email"],
        });
        assert_eq!(question(&outcome).schema(), Some(&schema), "{revision}");
        let told = format!("User response: <action: accept, content: {content}>");
        assert_eq!(checked(revision, &outcome), text(&told));
    }
}

#[tokio::test]
async fn accepts_decline_and_cancel() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        let message = json!({ "message": "Who are you?" });
        let declined = client.call("test_elicitation", &message).decline().await;
        assert_eq!(checked(revision, &declined), text("User response: <action: decline, content: {}>"));
        let cancelled = client.call("test_elicitation", &message).cancel().await;
        assert_eq!(checked(revision, &cancelled), text("User response: <action: cancel, content: {}>"));
        let streamed = client.call("test_streaming_elicitation", ()).decline().await;
        assert_eq!(checked(revision, &streamed), text("Elicitation completed: action=decline, content={}"));
    }
}

#[tokio::test]
async fn every_kind_of_field_has_its_default() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        // Whole numbers are numbers.
        let content = r#"{"name":"Jane Smith","age":25,"score":88.0,"status":"inactive","verified":false}"#;
        let answer = json!({ "name": "Jane Smith", "age": 25, "score": 88, "status": "inactive", "verified": false });
        let outcome = client.call("test_elicitation_sep1034_defaults", ()).answer(accept(&answer)).await;
        let properties = json!({
            "name": { "type": "string", "description": "User name", "default": "John Doe" },
            "age": { "type": "integer", "description": "User age", "minimum": 0, "maximum": 255, "default": 30 },
            "score": { "type": "number", "description": "User score", "default": 95.5 },
            "status": {
                "type": "string",
                "description": "User status",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": { "type": "boolean", "description": "Verification status", "default": true },
        });
        let schema = json!({ "type": "object", "properties": properties });
        assert_eq!(question(&outcome).schema(), Some(&schema), "{revision}");
        let told = format!("Elicitation completed: action=accept, content={content}");
        assert_eq!(checked(revision, &outcome), text(&told));

        let nothing = client.call("test_elicitation_sep1034_defaults", ()).answer(accept(&json!({}))).await;
        let defaults = r#"{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}"#;
        let told = format!("Elicitation completed: action=accept, content={defaults}");
        assert_eq!(checked(revision, &nothing), text(&told));
    }
}

#[tokio::test]
async fn publishes_choices_in_every_notation() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        let content = json!({
            "untitledSingle": "option1",
            "titledSingle": "value1",
            "legacyEnum": "opt1",
            "untitledMulti": ["option1", "option2"],
            "titledMulti": ["value1", "value2"],
        });
        let outcome = client.call("test_elicitation_sep1330_enums", ()).answer(accept(&content)).await;
        let mut properties = question(&outcome).schema().unwrap()["properties"].clone();
        for field in properties.as_object_mut().unwrap().values_mut() {
            assert!(field.as_object_mut().unwrap().remove("description").is_some());
        }
        let titled = |names: [&str; 3], titles: [&str; 3]| -> Value {
            names.iter().zip(titles).map(|(name, title)| json!({ "const": name, "title": title })).collect()
        };
        let options = ["option1", "option2", "option3"];
        let values = ["value1", "value2", "value3"];
        let expected = json!({
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": {
                "type": "string",
                "oneOf": titled(values, ["First Option", "Second Option", "Third Option"]),
            },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": {
                "type": "array",
                "items": { "anyOf": titled(values, ["First Choice", "Second Choice", "Third Choice"]) },
            },
        });
        assert_eq!(properties, expected, "{revision}");
        let told = format!("Elicitation completed: action=accept, content={content}");
        assert_eq!(checked(revision, &outcome), text(&told));
    }
}

#[tokio::test]
async fn rejects_a_client_without_forms() {
    let tools = ["test_elicitation_sep1034_defaults", "test_streaming_elicitation"];
    for tool in tools {
        let mut session = Client::new(&service(), Revision::V2025_11_25).capabilities(json!({}));
        let outcome = session.call(tool, ()).await;
        assert!(outcome.is_error() && outcome.asked().is_empty());
        assert!(outcome.text().contains("needs a client that supports"), "{}", outcome.text());

        let mut client = Client::modern(&service()).capabilities(json!({ "sampling": {} }));
        let outcome = client.call(tool, ()).await;
        let error = outcome.error().expect("nothing can be asked");
        assert_eq!(
            (error.code, &error.data["requiredCapabilities"]),
            (-32021, &json!({ "elicitation": { "form": {} } }))
        );
    }
}

#[tokio::test]
async fn the_answers_are_the_same_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let content = json!({ "username": "testuser", "email": "test@example.com" });
        let message = json!({ "message": "Who are you?" });
        let outcome = client.call("test_elicitation", message).answer(accept(&content)).await;
        assert_eq!(outcome.text(), format!("User response: <action: accept, content: {content}>"));
    });
}
