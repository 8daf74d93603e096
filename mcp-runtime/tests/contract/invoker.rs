//! An entry point outside of the crate, which uses only the invoker.

use std::sync::Arc;

use mcp_runtime::contract::{InvokeError, Invoker};

use crate::contract::service::{NoTodo, contract};

/// Runs a line such as `todos.create {"title": "milk"}`.
async fn run(invoker: &Arc<dyn Invoker>, line: &str) -> Result<String, InvokeError> {
    let (name, json) = line.split_once(' ').unwrap_or((line, "{}"));
    let (resource, method) = name.split_once('.').ok_or(InvokeError::UnknownMethod)?;
    let mut input = invoker.input(resource, method).ok_or(InvokeError::UnknownMethod)?;
    input.set_json(json);
    invoker.call(input).await
}

#[tokio::test]
async fn another_door_calls_methods_by_name() {
    let invoker: Arc<dyn Invoker> = Arc::new(contract());
    let created = run(&invoker, r#"todos.create {"title": "milk"}"#).await.unwrap();
    assert_eq!(created, r#"{"id":0,"title":"milk","tags":[]}"#);
    assert_eq!(run(&invoker, "todos.clear").await.unwrap(), "null");
    assert_eq!(run(&invoker, "todos.list").await.unwrap(), "[]");
    assert_eq!(run(&invoker, "wall_clocks.now").await.unwrap(), "1");
}

#[tokio::test]
async fn names_are_looked_up_and_never_split() {
    let invoker: Arc<dyn Invoker> = Arc::new(contract());
    for line in ["todos.nothing", "wall.clocks_now", "todos_create", "wall_clocks.wait", "todos.reset"] {
        let error = run(&invoker, line).await.unwrap_err();
        assert!(matches!(error, InvokeError::UnknownMethod), "{line}: {error:?}");
    }
}

#[tokio::test]
async fn a_failed_call_keeps_the_type_of_its_error() {
    let invoker: Arc<dyn Invoker> = Arc::new(contract());
    let Err(InvokeError::Failed(error)) = run(&invoker, r#"todos.get {"id": 3}"#).await else { panic!("it fails") };
    assert_eq!(error.downcast_ref(), Some(&NoTodo(3)));
    for json in [r#"{"id": "x"}"#, "{}", "[]", "null", "", "{", r#"{"id": 1, "id": 2}"#] {
        let error = run(&invoker, &format!("todos.get {json}")).await.unwrap_err();
        let is_json = !["", "{"].contains(&json);
        assert!(
            matches!((&error, is_json), (InvokeError::InvalidInput(_), true) | (InvokeError::NotJson(_), false)),
            "{json}: {error:?}"
        );
    }
    let deep = format!(r#"todos.get {{"id": {}{}}}"#, "[".repeat(200_000), "]".repeat(200_000));
    let Err(InvokeError::NotJson(reason)) = run(&invoker, &deep).await else { panic!("it is refused") };
    assert!(reason.contains("at most 128 levels of nesting"), "{reason}");
    for (line, expected) in [
        ("wall_clocks.fail", "internal error: the method `wall_clocks.fail` panicked"),
        ("wall_clocks.wait_for_ever", "the method `wall_clocks.wait_for_ever` did not finish within 10ms"),
    ] {
        let error = run(&invoker, line).await.unwrap_err();
        assert!(matches!(&error, InvokeError::Internal(reason) if reason == expected), "{error:?}");
    }
}
