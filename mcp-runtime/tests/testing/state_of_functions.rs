//! Completion and list functions take shared state by reference, as tools do.

use mcp_runtime::{
    Result, Server,
    complete::CompletionRequest,
    prelude::*,
    resource::{ListRequest, ResourceEntry},
    testing::Client,
};
use serde_json::json;

struct Languages(Vec<&'static str>);

struct Limit(usize);

async fn languages(Languages(all): &Languages, Limit(limit): &Limit, request: CompletionRequest) -> Vec<&'static str> {
    // The state is borrowed across an `await`.
    tokio::task::yield_now().await;
    let with = request.argument("prefix").unwrap_or_default().to_owned();
    all.iter().filter(|language| language.starts_with(&with)).take(*limit).copied().collect()
}

async fn pages(Languages(all): &Languages, request: ListRequest) -> Result<Vec<ResourceEntry>> {
    tokio::task::yield_now().await;
    Ok(all.iter().map(|name| ResourceEntry::new(request.uri([("name", *name)]), *name)).collect())
}

/// Greets.
#[mcp_prompt]
async fn greet(_prefix: Option<String>, #[complete(languages)] language: String) -> String {
    language
}

/// A page.
#[mcp_resource("docs://{name}", list = pages)]
async fn page(#[complete(languages)] name: String) -> String {
    name
}

fn server() -> Server {
    Server::new("s", "1").prompts(prompts![greet]).resources(resources![page])
}

#[tokio::test]
async fn functions_get_the_state_of_the_server() {
    let service = server().state(Languages(vec!["rust", "ruby", "go"])).state(Limit(2)).build().unwrap();
    let mut client = Client::modern(&service);
    let prompt = client.complete("greet", "language", "r").await;
    assert_eq!(prompt.completion().values, ["rust", "ruby"]);
    let resource = client.complete_template("docs://{name}", "name", "g").await;
    assert_eq!(resource.completion().values, [""; 0], "`go` is the third");
    let listed = client.resources().await;
    assert_eq!(
        json!(listed.iter().map(|resource| &resource["uri"]).collect::<Vec<_>>()),
        json!(["docs://rust", "docs://ruby", "docs://go"])
    );
}

#[test]
fn build_names_the_state_that_a_function_needs() {
    let told = server().state(Languages(Vec::new())).build().unwrap_err().to_string();
    let line = "its completion or list function takes `&suite::testing::state_of_functions::Limit`, but the server has no \
                state of this type; add `.state(…)`";
    assert!(told.contains(&format!("prompt `greet`: {line}")), "{told}");
    assert!(told.contains(&format!("resource `page`: {line}")), "{told}");
    assert!(!told.contains("Languages"), "{told}");
    let told = server().state(Limit(1)).build().unwrap_err().to_string();
    assert!(
        told.contains(
            "resource `page`: its completion or list function takes `&suite::testing::state_of_functions::Languages`"
        ),
        "{told}"
    );
}
