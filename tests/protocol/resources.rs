//! Resources and templates: their lists, how they are read, and the completion of their variables.

mod fixtures;
mod lists;
mod reading;

use mcp_runtime::{
    Call,
    complete::TextArgument,
    content::{Annotations, Audience, Icon},
    prelude::*,
    resource::{ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceDefinition},
    tool::ArgumentsError,
};
use serde_json::{Value, json};

use self::fixtures::{Numbered, echo, page, service};
use crate::protocol::{LEGACY, Revision, client::Client};

/// The URIs of a list of resources.
fn uris(list: &Value) -> Vec<&str> {
    list["resources"].as_array().unwrap().iter().map(|resource| resource["uri"].as_str().unwrap()).collect()
}

/// A resource with every part that only a hand-written one can have.
struct Complete;

impl Resource for Complete {
    fn definition(&self) -> ResourceDefinition {
        ResourceDefinition::new("test://complete", "complete", "Has every part.")
            .title("Complete")
            .mime_type("text/plain")
            .size(3)
            .annotations(
                Annotations::new().audience(Audience::User).priority(0.5).last_modified("2026-07-28T12:00:00Z"),
            )
            .icon(Icon::new("https://example.com/icon.png").size("48x48"))
            .meta("example.com/a", 1)
    }

    fn read(&self, _: Call, _: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        Ok(Box::pin(async { Ok(ReadResourceResult::new([ResourceContents::text("abc").meta("b", 2)]).meta("a", 1)) }))
    }
}

#[tokio::test]
async fn each_revision_gets_the_members_that_it_has() {
    let service = Server::new("s", "1").resource(Complete).tools(tools![echo]).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        let listed = client.result("resources/list", json!({})).await["resources"][0].take();
        let mut expected = json!({
            "uri": "test://complete",
            "name": "complete",
            "description": "Has every part.",
            "mimeType": "text/plain",
            "size": 3,
            "annotations": { "audience": ["user"], "priority": 0.5 },
        });
        if revision >= Revision::V2025_06_18 {
            expected["title"] = json!("Complete");
            expected["_meta"] = json!({ "example.com/a": 1 });
            expected["annotations"]["lastModified"] = json!("2026-07-28T12:00:00Z");
        }
        if revision >= Revision::V2025_11_25 {
            expected["icons"] = json!([{ "src": "https://example.com/icon.png", "sizes": ["48x48"] }]);
        }
        assert_eq!(listed, expected, "{revision}");
        let read = client.result("resources/read", json!({ "uri": "test://complete" })).await;
        assert_eq!(read["_meta"]["a"], 1);
        assert_eq!(read["contents"][0].get("_meta").is_some(), revision >= Revision::V2025_06_18, "{revision}");
        client.works().await;
    }
}

#[tokio::test]
async fn capabilities_tell_what_the_server_has() {
    for revision in LEGACY {
        let mut client = Client::silent(&service(), revision);
        let capabilities = client.initialize().await["capabilities"].take();
        assert_eq!(capabilities["resources"], json!({}));
        assert_eq!(capabilities.get("completions").is_some(), revision >= Revision::V2025_03_26);
        let tools_only = Server::new("s", "1").tools(tools![echo]).build().unwrap();
        let mut client = Client::silent(&tools_only, revision);
        assert!(client.initialize().await["capabilities"].get("resources").is_none());
        assert_eq!(client.error("resources/list", json!({})).await["code"], -32601);
    }
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let found = client.result("server/discover", json!({})).await;
    assert_eq!(found["capabilities"]["resources"], json!({}));
}

#[test]
fn the_manifest_lists_resources_and_templates() {
    let manifest = service().manifest();
    assert_eq!(manifest["resources"][0]["uri"], "docs://logo");
    assert_eq!(manifest["resourceTemplates"][0]["uriTemplate"], "docs://pages/{name}");
    let asks = manifest["resourceTemplates"].as_array().unwrap().iter().find(|template| template["name"] == "letter");
    assert_eq!(asks.unwrap()["requires"], json!({ "elicitation": { "form": {} } }));
}

#[tokio::test]
async fn variables_are_completed_by_functions_and_by_the_values_of_an_enum() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let params = |argument: &str, value: &str| {
            let reference = json!({ "type": "ref/resource", "uri": "docs://{language}/words/{word}" });
            json!({ "ref": reference, "argument": { "name": argument, "value": value } })
        };
        let completed = client.result("completion/complete", params("word", "ca")).await;
        assert_eq!(completed["completion"]["values"], json!(["cat", "car"]));
        let completed = client.result("completion/complete", params("language", "g")).await;
        assert_eq!(completed["completion"]["values"], json!(["german", "english"]));
        let error = client.error("completion/complete", params("words", "")).await;
        assert_eq!(error["message"], "the template `docs://{language}/words/{word}` has no variable `words`");
        let reference = json!({ "type": "ref/resource", "uri": "docs://none/{a}" });
        let params = json!({ "ref": reference, "argument": { "name": "a", "value": "" } });
        let error = client.error("completion/complete", params).await;
        assert_eq!(error["message"], "Unknown resource template: docs://none/{a}");
        client.works().await;
    }
}

/// A resource that has only a definition.
struct Wrong(fn() -> ResourceDefinition);

impl Resource for Wrong {
    fn definition(&self) -> ResourceDefinition {
        self.0()
    }

    fn read(&self, _: Call, _: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        unreachable!("the server is not built")
    }
}

#[test]
fn build_rejects_resources_that_clients_could_not_use() {
    let server = Server::new("s", "1")
        .resource(Numbered(1))
        .resource(Wrong(|| ResourceDefinition::new("test://numbers/1", "other", "The URI is taken.")))
        .resource(Wrong(|| ResourceDefinition::new("test://x", "n1", "The name is taken.")))
        .resource(Wrong(|| ResourceDefinition::new("test://pages/{a}", "a", "A template.")))
        .resource(Wrong(|| ResourceDefinition::new("test://pages/{b}", "b", "The same template.")))
        .resource(Wrong(|| ResourceDefinition::new("test://a b", "c", "Not a URI.")))
        .resource(Wrong(|| ResourceDefinition::new("test://{/q}", "d", "Not a template.")))
        .resource(Wrong(|| ResourceDefinition::new("test://e", "e", " ")))
        .resource(Wrong(|| ResourceDefinition::new("test://f", " ", "No name.")))
        .resource(Wrong(|| ResourceDefinition::new("test://g", "g", "Not a MIME type.").mime_type("markdown")))
        .resource(Wrong(|| ResourceDefinition::new("test://h/{x}", "h", "A size.").size(1)))
        .resource(Wrong(|| {
            ResourceDefinition::new("test://i/{x}", "i", "Another variable.").variable(TextArgument::required("y"))
        }))
        .resources(resources![page]);
    let problems = server.build().unwrap_err().problems().join("\n");
    for expected in [
        "resource `other`: `test://numbers/1` matches the same URIs as the resource `n1`",
        "resource `n1`: two resources have this name; rename one with `#[mcp_resource(name = \"…\")]`",
        "resource `b`: `test://pages/{b}` matches the same URIs as the resource `a`",
        "resource `c`: `test://a b` is not a URI or template: a URI cannot contain ` `; write `%20`",
        "resource `d`: `test://{/q}` is not a URI or template: `{/q}` is not supported",
        "resource `e`: it has no description",
        "resource ` `: its name is empty",
        "resource `g`: `markdown` is not a MIME type",
        "resource `h`: a template cannot have a `size`",
        "resource `i`: `test://i/{x}` has no variable `y`",
        "resource `page`: takes `&workspace::protocol::resources::fixtures::Manual`, but the server has no state of this type",
    ] {
        assert!(problems.contains(expected), "{expected} is not in:\n{problems}");
    }
    assert_eq!(problems.lines().count(), 11, "{problems}");
}
