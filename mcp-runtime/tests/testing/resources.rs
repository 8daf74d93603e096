//! Resources, their lists and the completion of their variables.

use mcp_runtime::{
    Result, Revision, Server, Service,
    complete::CompletionRequest,
    in_every_mode,
    prelude::*,
    resource::{ListRequest, ResourceContents, ResourceEntry},
    testing::Client,
};
use serde_json::{Value, json};

use crate::testing::support::{lead, panic_of};

#[elicits]
enum Access {
    Password { word: String },
}

/// The logo.
#[mcp_resource("test://logo", mime_type = "image/png")]
async fn logo() -> Vec<u8> {
    vec![0x89, 0x50]
}

/// What is secret.
#[mcp_resource("test://secret", replayable)]
async fn secret(ctx: &Ctx<Access>) -> Result<String> {
    ctx.progress(0.5);
    ctx.log(Level::Info, "asking");
    let Password { word } = ctx.elicit::<Password>("The password?").strict().await?;
    Ok(format!("{word} is right"))
}

async fn pages(request: ListRequest) -> Vec<ResourceEntry> {
    ["a", "b", "c"].map(|name| ResourceEntry::new(request.uri([("name", name)]), name)).to_vec()
}

async fn names(request: CompletionRequest) -> Vec<&'static str> {
    if request.argument("folder").is_some() { vec!["inner"] } else { vec!["a", "b", "c"] }
}

/// A page.
#[mcp_resource("test://pages/{name}", mime_type = "text/markdown", list = pages)]
async fn page(#[complete(names)] name: String) -> Option<[ResourceContents; 2]> {
    (name.len() == 1).then(|| {
        [
            ResourceContents::text(format!("# {name}")).meta("part", 1),
            ResourceContents::text("end").mime_type("text/plain"),
        ]
    })
}

fn server() -> Server {
    Server::new("resources", "1").page_size(2).resources(resources![logo, secret, page])
}

fn service() -> Service {
    server().build().unwrap()
}

#[tokio::test]
async fn all_pages_of_resources_and_templates_are_listed() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let uris: Vec<_> = client.resources().await.iter().map(|resource| resource["uri"].clone()).collect();
        let pages = ["test://pages/a", "test://pages/b", "test://pages/c"];
        assert!(uris.ends_with(&pages.map(Value::from)), "{revision}: {uris:?}");
        let templates: Vec<_> = client.templates().await.iter().map(|template| template["name"].clone()).collect();
        assert_eq!(templates, ["page"]);
    }
}

#[tokio::test]
async fn a_resource_is_read_and_asks_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let secret = client.read("test://secret").accept(Password { word: "sesame".to_owned() }).await;
        assert_eq!(secret.text(), "sesame is right");
        assert_eq!(secret.asked()[0].message(), "The password?");
        assert_eq!(client.read("test://logo").await.contents()[0].bytes(), [0x89, 0x50]);
        assert!(client.read("test://pages/long").await.is_not_found());
        assert!(client.read("test://unknown").await.is_not_found());
    });
}

#[tokio::test]
async fn the_contents_have_their_own_type_and_meta() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let page = Client::new(&service(), revision).read("test://pages/a").await;
        let [first, second] = &page.contents()[..] else { panic!("{page:?}") };
        assert_eq!((&*first.uri, first.mime_type.as_deref()), ("test://pages/a", Some("text/markdown")));
        assert_eq!((first.text.as_deref(), &first.meta), (Some("# a"), &json!({ "part": 1 })));
        assert_eq!((second.mime_type.as_deref(), &second.blob), (Some("text/plain"), &None));
        assert_eq!(page.text(), "# a\nend");
        assert!(!page.is_not_found());
    }
}

#[tokio::test]
async fn progress_and_logs_of_a_read_are_recorded() {
    for mut client in [Client::modern(&service()), Client::legacy(&service(), Revision::V2025_11_25)] {
        let secret = client.read("test://secret").accept(Password { word: "sesame".to_owned() }).await;
        assert_eq!(secret.progress()[0].progress, 0.5);
        assert_eq!(secret.logs()[0].data, "asking");
    }
}

#[tokio::test]
async fn a_variable_of_a_template_is_completed() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let template = "test://pages/{name}";
        assert_eq!(client.complete_template(template, "name", "b").await.completion().values, ["b"]);
        let filled = client.complete_template(template, "name", "").filled("folder", "x").await;
        assert_eq!(filled.completion().values, ["inner"]);
        assert!(client.complete_template("test://other/{name}", "name", "").await.error().is_some());
    }
}

#[tokio::test]
async fn a_script_that_does_not_fit_names_the_resource() {
    let mut client = Client::modern(&service());
    let text = panic_of(client.read("test://secret").into_future()).await;
    assert!(text.starts_with("the script does not fit the resource `test://secret` (mcp-runtime/tests/"), "{text}");
    assert!(lead(&text).contains("has no answer in the script; add `accept`, `decline` or `cancel`"), "{text}");
    let page = client.read("test://pages/a").await;
    let text = panic_of(async { page.messages() }).await;
    assert!(
        text.starts_with("the result has no `messages`, because the request was not made with `Client::prompt`:"),
        "{text}"
    );
}

#[tokio::test]
async fn a_read_is_checked_for_replay_safety() {
    let mut client = Client::modern(&service());
    let secret = client.read("test://secret").accept(Password { word: "sesame".to_owned() }).assert_replay_safe();
    assert_eq!(secret.await.text(), "sesame is right");
}
