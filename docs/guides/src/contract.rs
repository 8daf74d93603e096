//! The code of the page `contract`.
#![cfg(test)]

use std::{collections::BTreeMap, fmt, sync::Mutex};

use axum::{Router, body::Body, http::Request};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    BuildError, Revision, Server, Service, contract,
    contract::{Contract, ErrorStatus, jsonrpc, rest},
    testing::Client,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower::ServiceExt as _;

// ANCHOR: service
/// A book on the shelf.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Book {
    id: u32,
    title: String,
    lent_to: Option<String>,
}

/// The books of an office.
#[contract(resource = "books")]
trait BookApi {
    /// Adds a book.
    async fn create(
        &self,
        /// As on the cover.
        #[schemars(length(min = 1, max = 200))]
        title: String,
    ) -> Book;

    /// Returns a book.
    async fn get(&self, id: u32) -> Result<Book, ShelfError>;

    /// Lists all books, or those that are on the shelf.
    async fn list(&self, #[serde(default)] on_shelf: bool) -> Vec<Book>;

    /// Lends a book.
    #[method(verb = "PUT", path = "/books/{id}/loan", idempotent)]
    async fn lend(&self, id: u32, to: String) -> Result<Book, ShelfError>;

    /// Removes a book.
    async fn delete(&self, id: u32) -> Result<(), ShelfError>;
}
// ANCHOR_END: service

// ANCHOR: errors
#[derive(Debug)]
enum ShelfError {
    NoBook(u32),
    Lent { to: String },
}

impl ErrorStatus for ShelfError {
    const STATUSES: &'static [u16] = &[404, 409];

    fn status(&self) -> u16 {
        match self {
            Self::NoBook(_) => 404,
            Self::Lent { .. } => 409,
        }
    }
}

impl fmt::Display for ShelfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBook(id) => write!(f, "there is no book {id}"),
            Self::Lent { to } => write!(f, "the book is lent to {to}"),
        }
    }
}

impl std::error::Error for ShelfError {}
// ANCHOR_END: errors

// ANCHOR: implementation
#[derive(Default)]
struct Shelf(Mutex<BTreeMap<u32, Book>>);

impl BookApi for Shelf {
    async fn create(&self, title: String) -> Book {
        let mut books = self.0.lock().unwrap();
        let book = Book { id: books.len() as u32 + 1, title, lent_to: None };
        books.insert(book.id, book.clone());
        book
    }

    async fn get(&self, id: u32) -> Result<Book, ShelfError> {
        self.0.lock().unwrap().get(&id).cloned().ok_or(ShelfError::NoBook(id))
    }

    async fn list(&self, on_shelf: bool) -> Vec<Book> {
        let books = self.0.lock().unwrap();
        books.values().filter(|book| !on_shelf || book.lent_to.is_none()).cloned().collect()
    }

    async fn lend(&self, id: u32, to: String) -> Result<Book, ShelfError> {
        let mut books = self.0.lock().unwrap();
        let book = books.get_mut(&id).ok_or(ShelfError::NoBook(id))?;
        match &book.lent_to {
            Some(other) if *other != to => Err(ShelfError::Lent { to: other.clone() }),
            _ => {
                book.lent_to = Some(to);
                Ok(book.clone())
            }
        }
    }

    async fn delete(&self, id: u32) -> Result<(), ShelfError> {
        self.0.lock().unwrap().remove(&id).map(|_| ()).ok_or(ShelfError::NoBook(id))
    }
}
// ANCHOR_END: implementation

// ANCHOR: endpoints
/// The service behind `/mcp`, and the application with all endpoints.
fn app() -> Result<(Service, Router), BuildError> {
    let contract = Contract::builder("office").version("1.0.0").resource(Shelf::default().into_resource()).build()?;
    let service = Server::new("office", "1.0.0").contract(&contract).build()?;
    // All endpoints have the limits, the allowed hosts and the authorization of this service.
    let contract = contract.served_by(&service)?;
    let app = jsonrpc::mount(service.mount("/mcp"), "/rpc", contract.clone(), jsonrpc::Options::new())?;
    let app = rest::mount(app, contract, rest::Options::new())?.fallback(rest::not_found);
    Ok((service, app))
}
// ANCHOR_END: endpoints

async fn send(app: &Router, verb: &str, path: &str, body: Value) -> (u16, Value) {
    let request = Request::builder().method(verb).uri(path).header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let response = app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

// ANCHOR: one_service
#[tokio::test]
async fn three_endpoints_change_the_same_books() {
    let (service, app) = app().unwrap();
    let book = json!({ "id": 1, "title": "Dune", "lent_to": null });
    assert_eq!(send(&app, "POST", "/books", json!({ "title": "Dune" })).await, (201, book.clone()));

    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "books.get", "params": { "id": 1 } });
    assert_eq!(send(&app, "POST", "/rpc", call).await.1["result"], book);

    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let lent = client.call("books_lend", json!({ "id": 1, "to": "Ada" })).await;
        assert_eq!(lent.structured::<Book>().lent_to.as_deref(), Some("Ada"));
    }
    assert_eq!(send(&app, "GET", "/books?on_shelf=true", Value::Null).await, (200, json!([])));
    assert_eq!(send(&app, "DELETE", "/books/1", Value::Null).await.0, 204);
}
// ANCHOR_END: one_service

// ANCHOR: statuses
#[tokio::test]
async fn an_error_has_a_status_at_each_endpoint() {
    let (service, app) = app().unwrap();
    send(&app, "POST", "/books", json!({ "title": "Dune" })).await;
    send(&app, "PUT", "/books/1/loan", json!({ "to": "Ada" })).await;

    // REST: a problem document of RFC 9457.
    let (status, problem) = send(&app, "PUT", "/books/1/loan", json!({ "to": "Bo" })).await;
    assert_eq!((status, &problem["detail"]), (409, &json!("the book is lent to Ada")));
    // JSON-RPC: the code -32000, and the status in the data.
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "books.get", "params": [7] });
    let error = &send(&app, "POST", "/rpc", call).await.1["error"];
    assert_eq!((&error["code"], &error["data"]["status"]), (&json!(-32000), &json!(404)));
    // MCP: a result with `isError`, whose text the model reads.
    let failed = Client::modern(&service).call("books_get", json!({ "id": 7 })).await;
    assert!(failed.is_error());
    assert_eq!(failed.text(), "there is no book 7");

    // Input that does not fit the schema never reaches the method.
    let (status, problem) = send(&app, "POST", "/books", json!({ "title": "" })).await;
    assert_eq!((status, problem["errors"].as_array().unwrap().len()), (422, 1));
    let call = json!({ "jsonrpc": "2.0", "id": 3, "method": "books.get", "params": {} });
    assert_eq!(send(&app, "POST", "/rpc", call).await.1["error"]["code"], -32602);
    assert_eq!(send(&app, "GET", "/shelves", Value::Null).await.0, 404);
}
// ANCHOR_END: statuses

// ANCHOR: documents
#[tokio::test]
async fn the_documents_describe_all_methods() {
    let (_, app) = app().unwrap();
    let openapi = send(&app, "GET", "/openapi.json", Value::Null).await.1;
    assert_eq!(openapi["openapi"], "3.1.0");
    let paths: Vec<&String> = openapi["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths, ["/books", "/books/{id}", "/books/{id}/loan"]);
    let statuses: Vec<&String> =
        openapi["paths"]["/books/{id}/loan"]["put"]["responses"].as_object().unwrap().keys().collect();
    assert!(["200", "404", "409"].iter().all(|status| statuses.iter().any(|one| one == status)), "{statuses:?}");

    let openrpc = send(&app, "GET", "/openrpc.json", Value::Null).await.1;
    let methods: Vec<&Value> = openrpc["methods"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(methods.contains(&&json!("books.lend")), "{methods:?}");
}
// ANCHOR_END: documents
