//! The code of the page `many-tools`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

// ANCHOR: search
use mcp_runtime::{prelude::*, search::Search};

/// Returns the user who is logged in.
#[mcp_tool(read_only)]
async fn current_user() -> &'static str {
    "ann"
}

/// Creates an issue in a project: a bug, a wish or a task.
#[mcp_tool]
async fn create_issue(
    /// What is wrong, in a few words.
    title: String,
) -> String {
    format!("created `{title}`")
}

/// Sends an invoice, also called a bill, to a customer.
#[mcp_tool]
async fn send_invoice(
    /// The name of the customer.
    customer: String,
) -> String {
    format!("sent to {customer}")
}

fn office() -> Server {
    let search = Search::new().pin("current_user").about("projects: issues; customers: invoices");
    Server::new("office", "1.0.0").tools(tools![current_user, create_issue, send_invoice]).searchable(search)
}
// ANCHOR_END: search

// ANCHOR: openapi
use mcp_runtime::openapi::Api;

fn pets() -> Api {
    mcp_runtime::openapi!(
        "../../../examples/petstore/petstore.yaml",
        include(tag = "pets", "getInventory"),
        except("uploadPhoto"),
        rename("findPetsByStatus" = "find_pets"),
        description("addPet" = "Offers a pet for sale. The name must be that of the passport."),
    )
}

fn petstore(url: &str, key: &str) -> Server {
    Server::new("petstore", "1.0.0").tools(pets().base_url(url).credential("api_key", key.to_owned()))
}
// ANCHOR_END: openapi

// ANCHOR: grouped
/// Makes the operations with the tag `pets` the actions of one tool.
fn grouped() -> Api {
    mcp_runtime::openapi!(
        "../../../examples/petstore/petstore.yaml",
        except("uploadPhoto"),
        actions(pets = [tag = "pets"]),
        description("pets" = "Finds pets, and offers them for sale."),
    )
}
// ANCHOR_END: grouped

#[cfg(test)]
mod tests {
    use std::error::Error;

    use axum::{Router, http::HeaderMap, http::StatusCode, http::header::CONTENT_TYPE, routing::get};
    use mcp_runtime::{Revision, Service, testing::Client};
    use serde_json::{Value, json};
    use tokio::net::TcpListener;

    use super::*;

    async fn names(service: &Service, revision: Revision) -> Vec<Value> {
        Client::new(service, revision).tools().await.into_iter().map(|tool| tool["name"].clone()).collect()
    }

    #[tokio::test]
    async fn the_list_is_the_search_and_what_is_pinned() {
        let service = office().build().unwrap();
        for revision in Revision::ALL {
            let mut names: Vec<_> = names(&service, revision).await.iter().map(Value::to_string).collect();
            names.sort_unstable();
            assert_eq!(names, [r#""call_tool""#, r#""current_user""#, r#""search_tools""#], "{revision}");
        }
    }

    #[tokio::test]
    async fn a_search_finds_the_words_of_a_description_and_knows_no_synonyms() {
        let service = office().build().unwrap();
        let mut client = Client::modern(&service);
        let found = client.call("search_tools", json!({ "query": "send a bill" })).await;
        assert_eq!(found.structured::<Value>()["tools"][0]["name"], "send_invoice");
        let none = client.call("search_tools", json!({ "query": "receipt" })).await;
        assert_eq!(none.structured::<Value>()["tools"], json!([]));
    }

    #[tokio::test]
    async fn a_found_tool_is_called_by_call_tool_and_by_its_name() {
        let service = office().build().unwrap();
        let mut client = Client::modern(&service);
        let call = json!({ "name": "create_issue", "arguments": { "title": "no tea" } });
        assert_eq!(client.call("call_tool", call).await.text(), "created `no tea`");
        assert_eq!(client.call("create_issue", json!({ "title": "no tea" })).await.text(), "created `no tea`");
        let wrong = client.call("call_tool", json!({ "name": "create_issues" })).await;
        let said = wrong.error().map_or_else(|| wrong.text(), |error| error.message.clone());
        assert!(said.contains("create_issue"), "{said}");
    }

    #[test]
    fn a_pin_of_a_missing_tool_is_an_error_of_build() {
        let server =
            Server::new("office", "1.0.0").tools(tools![current_user]).searchable(Search::new().pin("other_user"));
        assert!(server.build().unwrap_err().to_string().contains("other_user"));
    }

    #[tokio::test]
    async fn operations_of_a_tag_are_the_actions_of_one_tool() {
        let service = Server::new("petstore", "1.0.0").tools(grouped()).build().unwrap();
        let offered = names(&service, Revision::LATEST).await;
        assert_eq!(offered[0], "pets");
        assert!(!offered.contains(&json!("get_pet")), "{offered:?}");
        let describe = json!({ "action": "describe", "params": { "action": "get_pet" } });
        let described = Client::modern(&service).call("pets", describe).await;
        assert_eq!(described.structured::<Value>()["result"]["params"][0]["name"], "petId");

        let settings = service.setting_definitions();
        assert_eq!((settings[0].env(), settings[0].is_secret()), ("PETSTORE_API_KEY", true));
    }

    #[tokio::test]
    async fn operations_are_tools_and_errors_are_for_the_model() -> Result<(), Box<dyn Error>> {
        let pet = |headers: HeaderMap| async move {
            match headers.get("x-api-key").is_some_and(|key| key == "s3cr3t") {
                true => {
                    (StatusCode::OK, [(CONTENT_TYPE, "application/json")], r#"{"id":7,"name":"Ida","status":"sold"}"#)
                }
                false => (
                    StatusCode::UNAUTHORIZED,
                    [(CONTENT_TYPE, "application/json")],
                    r#"{"message":"wrong is not a key"}"#,
                ),
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let router = Router::new().route("/v1/pets/7", get(pet));
        tokio::spawn(async move { axum::serve(listener, router).await });

        let service = petstore(&url, "s3cr3t").build()?;
        let offered = names(&service, Revision::LATEST).await;
        assert!(offered.contains(&json!("find_pets")) && !offered.contains(&json!("upload_photo")), "{offered:?}");
        let got = Client::modern(&service).call("get_pet", json!({ "petId": 7 })).await;
        assert_eq!(got.structured::<Value>()["name"], "Ida");

        let refused = Client::modern(&petstore(&url, "wrong").build()?).call("get_pet", json!({ "petId": 7 })).await;
        assert!(refused.is_error());
        assert!(refused.text().contains("401") && !refused.text().contains("wrong"), "{}", refused.text());
        Ok(())
    }
}
