//! `resources/list` and `resources/templates/list`, and their pages.

use std::time::{Duration, Instant};

use mcp_runtime::{
    Result, Service,
    prelude::*,
    resource::{CacheScope, ListRequest, ResourceEntry, ResourcePage},
};
use serde_json::{Value, json};

use super::{
    fixtures::{Numbered, echo, service},
    uris,
};
use crate::protocol::{Revision, client::Client};

/// Returns the items of all pages, and the number of pages.
async fn all(client: &mut Client, method: &str, member: &str) -> (Vec<Value>, usize) {
    let (mut items, mut pages, mut params) = (Vec::new(), 0, json!({}));
    loop {
        let mut page = client.result(method, params).await;
        pages += 1;
        items.append(page[member].as_array_mut().unwrap());
        match page.get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return (items, pages),
        }
    }
}

#[tokio::test]
async fn all_revisions_list_resources_and_templates() {
    for revision in Revision::ALL {
        let mut client = Client::silent(&service(), revision);
        client.capabilities = json!({ "elicitation": {} });
        let mut client = client.ready().await;
        let listed = client.result("resources/list", json!({})).await;
        let fixed = ["docs://logo", "docs://numbers", "slow://"];
        assert_eq!(uris(&listed), [&fixed[..], &["docs://pages/start", "docs://pages/a%2Fb%20c"]].concat());
        let expected = json!({ "uri": "docs://pages/start", "name": "start", "mimeType": "text/markdown" });
        assert_eq!(listed["resources"][3], expected);
        let logo = &listed["resources"][0];
        assert_eq!((&logo["size"], &logo["annotations"]["priority"]), (&json!(4), &json!(0.5)));
        let templates = client.result("resources/templates/list", json!({})).await["resourceTemplates"].take();
        let page = &templates[0];
        assert_eq!((&page["uriTemplate"], &page["mimeType"]), (&json!("docs://pages/{name}"), &json!("text/markdown")));
        let asks = revision >= Revision::V2025_06_18;
        assert_eq!(page.get("title").is_some(), asks, "{revision}");
        let names: Vec<_> = templates.as_array().unwrap().iter().map(|template| &template["name"]).collect();
        assert_eq!(names.contains(&&json!("letter")), asks, "{revision}");
        if revision.is_modern() {
            // A list function can return something else for each caller.
            assert_eq!((&listed["ttlMs"], &listed["cacheScope"]), (&json!(0), &json!("private")));
        }
        client.works().await;
    }
}

#[tokio::test]
async fn lists_without_list_functions_can_be_cached() {
    let server = Server::new("s", "1").tools(tools![echo]).ttl(Duration::from_secs(5)).resource(Numbered(1));
    for server in [server.build().unwrap(), with_template()] {
        let mut client = Client::open(&server, Revision::V2026_07_28).await;
        for method in ["resources/list", "resources/templates/list"] {
            let listed = client.result(method, json!({})).await;
            assert_eq!((&listed["ttlMs"], &listed["cacheScope"]), (&json!(5_000), &json!("public")));
        }
    }

    fn with_template() -> Service {
        let server = Server::new("s", "1").tools(tools![echo]).ttl(Duration::from_secs(5)).resource(Numbered(1));
        server.resources(resources![unlisted]).build().unwrap()
    }
}

/// A template that lists nothing.
#[mcp_resource("test://unlisted/{name}")]
async fn unlisted(name: String) -> String {
    name
}

/// A template that lists five resources at once.
#[mcp_resource("test://letters/{letter}", list = letters)]
async fn letter(letter: char) -> String {
    letter.into()
}

async fn letters(request: ListRequest) -> Vec<ResourceEntry> {
    ["a", "b", "c", "d", "e"].map(|name| ResourceEntry::new(request.uri([("letter", name)]), name)).into()
}

/// A template that lists three pages of its own.
#[mcp_resource("test://digits/{digit}", list = digits)]
async fn digit(digit: u8) -> Text<u8> {
    Text(digit)
}

async fn digits(request: ListRequest) -> Result<ResourcePage> {
    let start: usize = request.cursor().unwrap_or("0").parse()?;
    let entry = |digit: usize| ResourceEntry::new(request.uri([("digit", &digit.to_string())]), digit.to_string());
    let page = ResourcePage::new((start..start + 4).map(entry)).ttl(Duration::from_secs(1));
    let page = page.cache_scope(CacheScope::Public);
    Ok(if start < 8 { page.next_cursor((start + 4).to_string()) } else { page })
}

#[tokio::test]
async fn pages_continue_from_one_part_of_the_list_to_the_next() {
    for page_size in 1..=30 {
        let server = Server::new("s", "1").page_size(page_size).tools(tools![echo]);
        let server = (0..4).fold(server, |server, number| server.resource(Numbered(number)));
        let service = server.resources(resources![letter, unlisted, digit]).build().unwrap();
        for revision in [Revision::V2024_11_05, Revision::V2026_07_28] {
            let mut client = Client::open(&service, revision).await;
            let (items, pages) = all(&mut client, "resources/list", "resources").await;
            let names: Vec<_> = items.iter().map(|item| item["name"].as_str().unwrap()).collect();
            let expected = "n0 n1 n2 n3 a b c d e 0 1 2 3 4 5 6 7 8 9 10 11";
            assert_eq!(names.join(" "), expected, "{page_size}");
            assert!(pages <= 21_usize.div_ceil(page_size) + 3, "{pages} pages of {page_size}");
            for cursor in [format!("1-{}", usize::MAX), format!("{}-1", usize::MAX)] {
                client.result("resources/list", json!({ "cursor": cursor })).await;
            }
            for cursor in ["page-0", "page-4", "0-1", "0-1-1", "", "x"] {
                let error = client.error("resources/list", json!({ "cursor": cursor })).await;
                assert_eq!(error["code"], -32602, "{error}");
            }
            let (templates, _) = all(&mut client, "resources/templates/list", "resourceTemplates").await;
            assert_eq!(templates.len(), 3);
        }
    }
}

/// A template whose list fails, or panics, or never ends.
#[mcp_resource("test://broken/{name}", list = broken)]
async fn failing(name: String) -> String {
    name
}

async fn broken(request: ListRequest) -> Result<Vec<ResourceEntry>> {
    match request.state::<&str>()? {
        &"error" => Err("the disk is gone".into()),
        _ => panic!("on purpose"),
    }
}

#[tokio::test]
async fn failures_of_a_list_function_are_errors() {
    for (state, message) in
        [("error", "the disk is gone"), ("panic", "internal error: the list of resources `resources/list` panicked")]
    {
        let server = Server::new("s", "1").tools(tools![echo]).state(state).resources(resources![failing]);
        let service = server.build().unwrap();
        for revision in Revision::ALL {
            let mut client = Client::open(&service, revision).await;
            let error = client.error("resources/list", json!({})).await;
            assert_eq!(error, json!({ "code": -32603, "message": message }));
            client.works().await;
        }
    }
}

#[tokio::test]
async fn ten_thousand_resources_take_linear_time() {
    let times = [1_000, 10_000].map(|count| {
        let server = Server::new("many", "1").tools(tools![echo]);
        let server = (0..count).fold(server, |server, number| server.resource(Numbered(number)));
        async move {
            let start = Instant::now();
            let service = server.build().unwrap();
            let mut client = Client::open(&service, Revision::V2025_11_25).await;
            let (items, pages) = all(&mut client, "resources/list", "resources").await;
            assert_eq!((items.len(), pages), (count, count / 250));
            for number in (0..count).step_by(10) {
                let uri = format!("test://numbers/{number}");
                let read = client.result("resources/read", json!({ "uri": uri })).await;
                assert_eq!(read["contents"][0]["text"], *uri);
            }
            start.elapsed()
        }
    });
    let [few, many] = times;
    let (few, many) = (few.await, many.await);
    // Ten times as many: quadratic time would be a hundred times as long.
    assert!(many < few * 40 + Duration::from_secs(1), "{few:?}, {many:?}");
}
