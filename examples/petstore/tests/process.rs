//! The program as a client meets it: a process that calls a mock of the pet store.

use std::process::Command;

use axum::{
    Json, Router,
    extract::{Path, RawQuery},
    http::{HeaderMap, StatusCode},
    routing::get,
};
use mcp_runtime::testing::Client;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Starts a store that has one pet, and returns its URL.
async fn store() -> String {
    let pet = || json!({ "id": 7, "name": "Ida", "status": "available", "born": null });
    let router = Router::new()
        .route(
            "/v1/pets",
            get(async move |headers: HeaderMap, RawQuery(query): RawQuery| {
                let is_known = headers.get("x-api-key").is_some_and(|key| key == "s3cr3t-key");
                assert_eq!(query.as_deref(), Some("status=available&status=sold"));
                match is_known {
                    true => (StatusCode::OK, Json(json!({ "pets": [pet()] }))),
                    false => {
                        (StatusCode::UNAUTHORIZED, Json(json!({ "message": "the key s3cr3t-wrong is not valid" })))
                    }
                }
            })
            .post(async |Json(mut pet): Json<Value>| {
                pet["id"] = 8.into();
                (StatusCode::CREATED, Json(pet))
            }),
        )
        .route(
            "/v1/pets/{id}",
            get(async move |Path(id): Path<u64>| match id {
                7 => (StatusCode::OK, Json(pet())),
                id => (StatusCode::NOT_FOUND, Json(json!({ "title": format!("There is no pet {id}.") }))),
            })
            .delete(async || StatusCode::NO_CONTENT),
        );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn client(key: &str) -> Client {
    let mut command = Command::new(env!("CARGO_BIN_EXE_petstore"));
    command.env_remove("MCP_CONFIG").env("PETSTORE_URL", store().await).env("PETSTORE_API_KEY", key);
    Client::process(command)
}

#[tokio::test]
async fn operations_are_tools() {
    let mut client = client("s3cr3t-key").await;
    let found = client.call("find_pets", json!({ "status": ["available", "sold"] })).await;
    assert_eq!(found.structured::<Value>()["pets"][0]["name"], "Ida");
    let added = client.call("add_pet", json!({ "name": "Max", "status": "reserved" })).await;
    assert_eq!(added.structured::<Value>(), json!({ "id": 8, "name": "Max", "status": "reserved" }));
    let deleted = client.call("delete_pet", json!({ "petId": 7 })).await;
    assert_eq!(deleted.text(), "Done: the service has answered 204 No Content without content.");
}

#[tokio::test]
async fn arguments_are_checked_before_the_store_is_asked() {
    let mut client = client("s3cr3t-key").await;
    let refused = client.call("add_pet", json!({ "name": "", "status": "lost" })).await;
    assert!(refused.is_error() && refused.text().contains("status"), "{}", refused.text());
}

#[tokio::test]
async fn an_error_says_what_to_do_and_shows_no_key() {
    let mut client = client("s3cr3t-wrong").await;
    let missing = client.call("get_pet", json!({ "petId": 9 })).await;
    assert_eq!(
        missing.text(),
        "`GET /pets/{petId}`: the service has answered 404 Not Found: There is no pet 9.; check the ids and names in the \
         arguments"
    );
    let refused = client.call("find_pets", json!({ "status": ["available", "sold"] })).await;
    assert_eq!(
        refused.text(),
        "`GET /pets`: the service has answered 401 Unauthorized: the key *** is not valid; the credential is missing or \
         rejected, which only the operator of this server can correct: `PETSTORE_API_KEY`"
    );
}

#[test]
fn the_key_is_a_setting_of_which_no_command_shows_the_value() {
    let run = |argument: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_petstore"));
        let ran =
            command.env_remove("MCP_CONFIG").env("PETSTORE_API_KEY", "s3cr3t-key").arg(argument).output().unwrap();
        let output = String::from_utf8(ran.stdout).unwrap();
        assert!(ran.status.success() && !output.contains("s3cr3t-key"), "{output}");
        output
    };
    let manifest: Value = serde_json::from_str(&run("manifest")).unwrap();
    assert_eq!(
        manifest["settings"],
        json!([{
            "name": "petstore_api_key", "description": "The key for `api_key` of Pet store.", "kind": "text",
            "secret": true, "env": "PETSTORE_API_KEY",
        }])
    );
    assert!(run("--help").contains("PETSTORE_API_KEY"));
}

#[tokio::test]
async fn the_key_can_be_in_the_settings_file() {
    let file = std::env::temp_dir().join(format!("petstore-{}.toml", std::process::id()));
    std::fs::write(&file, "petstore_api_key = \"s3cr3t-key\"\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_petstore"));
    command.env_remove("PETSTORE_API_KEY").env("PETSTORE_URL", store().await).arg("--config").arg(&file);
    let mut client = Client::process(command);
    let found = client.call("find_pets", json!({ "status": ["available", "sold"] })).await;
    std::fs::remove_file(&file).unwrap();
    assert_eq!(found.structured::<Value>()["pets"][0]["name"], "Ida");
}
