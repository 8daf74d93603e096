//! `skills/list`, `skills/get` and `resources/directory/read`: pages, caching, what is not listed, and errors.

use std::time::Duration;

use mcp_runtime::{Revision, Server, Service, skills};
use serde_json::{Value, json};

use crate::skills::Wire;

fn server() -> Server {
    Server::new("shop", "1").skills(skills!["files/reports", "files/refunds"])
}

async fn wire(service: &Service) -> Wire {
    Wire::new(service, Revision::LATEST).await
}

#[tokio::test]
async fn pages_together_contain_every_skill_once() {
    for size in [1, 2, 9] {
        let service = server().page_size(size).build().unwrap();
        let mut wire = wire(&service).await;
        let (skills, pages) = wire.all("skills/list", "skills", &json!({})).await;
        let uris: Vec<_> = skills.iter().map(|skill| skill["uri"].as_str().unwrap()).collect();
        assert_eq!(uris, ["skill://refunds/SKILL.md", "skill://reports/SKILL.md"]);
        assert_eq!(pages, if size == 1 { 2 } else { 1 });
        for skill in &skills {
            let got = wire.result("skills/get", json!({ "uri": skill["uri"] })).await;
            assert_eq!(&got["skill"], skill);
            assert_eq!(got.get("nextCursor"), None);
        }
    }
}

#[tokio::test]
async fn a_cursor_of_another_list_is_rejected() {
    let service = server().build().unwrap();
    let mut wire = wire(&service).await;
    for cursor in ["page-1", "", "1-0"] {
        assert_eq!(wire.error_code("skills/list", json!({ "cursor": cursor })).await, -32602, "{cursor}");
    }
}

#[tokio::test]
async fn only_the_uri_of_a_skill_is_a_skill() {
    let service = server().build().unwrap();
    let mut wire = wire(&service).await;
    for uri in [
        "skill://none/SKILL.md",
        "skill://refunds",
        "skill://refunds/",
        "skill://refunds/references/policy.md",
        "skill://refunds/SKILL.md?x",
        "docs://refunds/SKILL.md",
        "",
    ] {
        assert_eq!(wire.error_code("skills/get", json!({ "uri": uri })).await, -32602, "{uri}");
    }
    for params in [json!({}), json!({ "uri": 7 })] {
        assert_eq!(wire.error_code("skills/get", params.clone()).await, -32602, "{params}");
        assert_eq!(wire.error_code("resources/directory/read", params).await, -32602);
    }
}

#[tokio::test]
async fn embedded_skills_can_be_cached_by_everybody() {
    async fn hints(server: Server) -> Vec<(Value, Value)> {
        let service = server.build().unwrap();
        let mut wire = wire(&service).await;
        let uri = json!({ "uri": "skill://refunds/SKILL.md" });
        let mut hints = Vec::new();
        for (method, params) in [
            ("skills/list", json!({})),
            ("skills/get", uri.clone()),
            ("resources/directory/read", json!({ "uri": "skill://refunds" })),
            ("resources/read", uri),
            ("resources/list", json!({})),
        ] {
            let mut result = wire.result(method, params).await;
            assert_eq!(result["resultType"], "complete", "{method}");
            hints.push((result["ttlMs"].take(), result["cacheScope"].take()));
        }
        hints
    }
    assert_eq!(hints(server()).await, vec![(json!(3_600_000), json!("public")); 5]);
    let private = Server::new("shop", "1").skills(skills!["files/refunds"].scope("a").ttl(Duration::from_secs(1)));
    assert_eq!(hints(private).await, vec![(json!(1_000), json!("private")); 5]);
}

#[tokio::test]
async fn an_unlisted_skill_can_be_got_and_read() {
    let server = Server::new("shop", "1").skills(skills!["files/refunds"].unlisted());
    let service = server.skills(skills!["files/reports"]).build().unwrap();
    let mut wire = wire(&service).await;
    assert_eq!(wire.skills().await.len(), 1);
    let (resources, _) = wire.all("resources/list", "resources", &json!({})).await;
    assert!(resources.iter().all(|resource| !resource["uri"].as_str().unwrap().contains("refunds")), "{resources:?}");
    let got = wire.result("skills/get", json!({ "uri": "skill://refunds/SKILL.md" })).await;
    assert_eq!(got["skill"]["frontmatter"]["name"], "refunds");
    assert!(!wire.read("skill://refunds/SKILL.md").await.is_empty());
    assert!(wire.result("resources/directory/read", json!({ "uri": "skill://refunds" })).await["resources"].is_array());
}

/// Returns the names and the MIME types of what a folder contains.
async fn children(wire: &mut Wire, uri: &str) -> Vec<(String, String)> {
    let (found, _) = wire.all("resources/directory/read", "resources", &json!({ "uri": uri })).await;
    let text = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
    for child in &found {
        assert!(child["uri"].as_str().unwrap().starts_with(&format!("{uri}/")), "{child}");
    }
    found.iter().map(|child| (text(child, "name"), text(child, "mimeType"))).collect()
}

#[tokio::test]
async fn a_folder_contains_its_files_and_folders() {
    for size in [1, 2, 250] {
        let service = server().page_size(size).build().unwrap();
        let mut wire = wire(&service).await;
        let owned = |children: &[(&str, &str)]| -> Vec<(String, String)> {
            children.iter().map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned())).collect()
        };
        let root = [
            ("refunds", "text/markdown"),
            ("logo.png", "image/png"),
            ("references", "inode/directory"),
            ("scripts", "inode/directory"),
        ];
        assert_eq!(children(&mut wire, "skill://refunds").await, owned(&root));
        let inside = [("deep", "inode/directory"), ("empty.txt", "text/plain"), ("policy.md", "text/markdown")];
        assert_eq!(children(&mut wire, "skill://refunds/references").await, owned(&inside));
        assert_eq!(children(&mut wire, "skill://refunds/references/deep").await, owned(&[("limits.csv", "text/csv")]));
        assert_eq!(children(&mut wire, "skill://refunds/scripts").await, owned(&[("a b+é.py", "text/plain")]));
    }
}

#[tokio::test]
async fn what_is_not_a_folder_is_rejected() {
    let service = server().build().unwrap();
    let mut wire = wire(&service).await;
    for uri in [
        "skill://refunds/SKILL.md",
        "skill://refunds/references/",
        "skill://refunds/none",
        "skill://refunds/refer",
        "skill://none",
        "skill:/",
        "docs://refunds",
        "",
    ] {
        let response = wire.response("resources/directory/read", json!({ "uri": uri })).await;
        assert_eq!(response["error"]["code"], -32602, "{uri}: {response}");
        let message = response["error"]["message"].as_str().unwrap();
        assert_eq!(message, format!("`{uri}` is not a folder of a skill that this server has"));
    }
}
