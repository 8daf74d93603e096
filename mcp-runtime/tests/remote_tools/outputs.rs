//! What a caller gets from a result.

use mcp_runtime::{
    CallToolResult,
    remote::{ReadRemote, RemoteTool},
};
use serde_json::{Value, json};

use super::shapes::list::{CreateIssue, CreateIssueOutput as NamedAlike, CreateIssueOutput2, CreateIssueOutput2State};

fn read<T: RemoteTool>(structured: &Value) -> Result<<T::Output as ReadRemote>::Value, String> {
    T::Output::read(CallToolResult::json(structured).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn an_output_is_read_with_and_without_what_is_optional() {
    let output = read::<CreateIssue>(&json!({"number": 5, "state": "open", "assignee": null, "more": []})).unwrap();
    let CreateIssueOutput2 { number: 5, state: CreateIssueOutput2State::Open, assignee: None, closed_by: None } =
        output
    else {
        panic!("{output:?}")
    };
    let user = json!({"login": "ada"});
    let output =
        read::<CreateIssue>(&json!({"number": 6, "state": "closed", "assignee": user, "closedBy": user})).unwrap();
    assert_eq!(output.assignee.unwrap().login, "ada");
    assert_eq!(output.closed_by.unwrap().login, "ada");
}

#[test]
fn a_text_that_the_schema_does_not_name_is_kept() {
    let state = |state: &str| {
        read::<CreateIssue>(&json!({"number": 5, "state": state, "assignee": null})).map(|output| output.state)
    };
    assert_eq!(state("other"), Ok(CreateIssueOutput2State::Other2));
    assert_eq!(state("reopened"), Ok(CreateIssueOutput2State::Other("reopened".to_owned())));
}

#[test]
fn an_output_of_another_shape_is_an_error() {
    for wrong in [
        json!({"number": -5, "state": "open", "assignee": null}),
        json!({"number": 5, "state": 1, "assignee": null}),
        json!({"number": 5, "assignee": null}),
        json!([]),
    ] {
        let error = read::<CreateIssue>(&wrong).unwrap_err();
        assert!(error.contains("its output schema"), "{error}");
    }
}

#[test]
fn an_object_without_properties_is_a_map() {
    let output = read::<NamedAlike>(&json!({"a": true, "b": false})).unwrap();
    assert_eq!(output.into_iter().collect::<Vec<_>>(), [("a".to_owned(), true), ("b".to_owned(), false)]);
}
