//! The service itself.

use serde_json::{Value, json};
use todo::{Store, contract};

use crate::call::Caller;

fn caller() -> Caller {
    Caller(contract(&Store::open(":memory:").unwrap()).unwrap())
}

#[tokio::test]
async fn todos_are_created_listed_changed_searched_and_deleted() {
    let todo = caller();
    for title in ["Buy milk", "buy 100% tea", "Sleep"] {
        todo.ok("todos.create", json!({ "title": title })).await;
    }
    let done = json!({ "id": 2, "title": "buy 100% tea", "done": true, "assignee": null });
    assert_eq!(todo.ok("todos.update", done.clone()).await, done);
    assert_eq!(todo.ok("todos.get", json!({ "id": 2 })).await, done);
    assert_eq!(todo.ok("todos.list", json!({ "done": true })).await, json!({ "items": [done], "total": 1 }));
    assert_eq!(titles(&todo.ok("todos.search", json!({ "text": "BUY" })).await), ["buy 100% tea", "Buy milk"]);
    assert_eq!(titles(&todo.ok("todos.search", json!({ "text": "%" })).await), ["buy 100% tea"]);
    assert_eq!(todo.ok("todos.delete", json!({ "id": 2 })).await, Value::Null);
    assert_eq!(todo.error("todos.get", json!({ "id": 2 })).await, "there is no todo 2");
    assert_eq!(todo.error("todos.delete", json!({ "id": 2 })).await, "there is no todo 2");
    assert_eq!(todo.error("todos.update", done).await, "there is no todo 2");
}

#[tokio::test]
async fn pages_have_the_newest_first() {
    let todo = caller();
    for number in 1..=45 {
        todo.ok("todos.create", json!({ "title": format!("{number}") })).await;
    }
    let first = todo.ok("todos.list", json!({})).await;
    assert_eq!(
        (&first["total"], titles(&first["items"]).len(), &first["items"][0]["title"]),
        (&json!(45), 20, &json!("45"))
    );
    let last = todo.ok("todos.list", json!({ "page": 5, "per_page": 10 })).await;
    assert_eq!(titles(&last["items"]), ["5", "4", "3", "2", "1"]);
    let beyond = todo.ok("todos.list", json!({ "page": u32::MAX, "per_page": 100 })).await;
    assert_eq!(beyond, json!({ "items": [], "total": 45 }));
}

#[tokio::test]
async fn todos_belong_to_users() {
    let todo = caller();
    let ann = todo.ok("users.create", json!({ "name": "Ann" })).await;
    assert_eq!(ann, json!({ "id": 1, "name": "Ann" }));
    assert_eq!(todo.error("users.create", json!({ "name": "Ann" })).await, "there is already a user `Ann`");
    todo.ok("todos.create", json!({ "title": "hers", "assignee": 1 })).await;
    todo.ok("todos.create", json!({ "title": "nobody's" })).await;
    let error = todo.error("todos.create", json!({ "title": "his", "assignee": 7 })).await;
    assert_eq!(error, "there is no user 7 who could do it");
    assert_eq!(titles(&todo.ok("todos.list", json!({ "assignee": 1 })).await["items"]), ["hers"]);
    todo.ok("users.delete", json!({ "id": 1 })).await;
    assert_eq!(todo.ok("todos.get", json!({ "id": 1 })).await["assignee"], Value::Null);
    assert_eq!(todo.ok("users.list", json!({})).await, json!([]));
    assert_eq!(todo.error("users.get", json!({ "id": 1 })).await, "there is no user 1");
}

#[tokio::test]
async fn a_file_is_kept_and_its_tables_are_migrated() {
    let path = std::env::temp_dir().join(format!("todo-{}.db", std::process::id()));
    for number in 1..=2 {
        let todo = Caller(contract(&Store::open(&path).unwrap()).unwrap());
        todo.ok("todos.create", json!({ "title": "again" })).await;
        assert_eq!(todo.ok("todos.list", json!({})).await["total"], number);
    }
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
}

fn titles(todos: &Value) -> Vec<&str> {
    todos.as_array().unwrap().iter().map(|todo| todo["title"].as_str().unwrap()).collect()
}
