//! Skills that are embedded at compile time.

use std::{fs, path::Path};

use mcp_runtime::{Revision, Server, Service, skill::Skills, skills};
use serde_json::{Value, json};

use crate::skills::{Wire, assert_complete};

fn both() -> Skills {
    skills!["files/refunds", "files/reports"]
}

fn service() -> Service {
    Server::new("shop", "1").skills(both()).build().unwrap()
}

/// Returns the bytes of the files below a folder, with their URIs, sorted by path.
fn files(folder: &Path, uri: &str) -> Vec<(String, Vec<u8>)> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let mut files = Vec::new();
    for place in names {
        let name = place.file_name().unwrap().to_str().unwrap();
        // As in RFC 3986, for the names that these tests have.
        let encoded = name.replace(' ', "%20").replace('+', "%2B").replace('é', "%C3%A9");
        let uri = format!("{uri}/{encoded}");
        if place.is_dir() {
            files.extend(self::files(&place, &uri));
        } else if !name.starts_with('.') {
            files.push((uri, fs::read(&place).unwrap()));
        }
    }
    files
}

fn files_of(skill: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/skills/files").join(skill);
    files(&folder, &format!("skill://{skill}"))
}

#[tokio::test]
async fn a_skill_lists_every_file_with_the_digest_of_the_bytes_that_are_read() {
    let service = service();
    let mut wire = Wire::new(&service, Revision::LATEST).await;
    let skills = wire.skills().await;
    assert_eq!(skills.len(), 2);
    let expected = files_of("refunds");
    assert_eq!(expected.len(), 6, "the test has files of each kind");
    assert_complete(&mut wire, &skills[0], &expected).await;
    assert_complete(&mut wire, &skills[1], &files_of("reports")).await;
}

#[tokio::test]
async fn the_frontmatter_has_all_fields() {
    let mut wire = Wire::new(&service(), Revision::LATEST).await;
    let skills = wire.skills().await;
    let expected = json!({
        "name": "refunds",
        "description": "Decides on a refund and books it. Use it when a customer asks for money back.",
        "license": "Apache-2.0",
        "metadata": { "team": "payments", "version": "1.0", "since": 2026 },
    });
    assert_eq!(skills[0]["frontmatter"], expected);
    assert_eq!(skills[1]["frontmatter"]["description"], "Writes the weekly report: numbers first.");
    assert_eq!(skills[1]["uri"], "skill://reports/SKILL.md");
}

#[tokio::test]
async fn files_are_resources_in_every_revision() {
    let service = service();
    for revision in Revision::ALL {
        let mut wire = Wire::new(&service, revision).await;
        let (resources, _) = wire.all("resources/list", "resources", &json!({})).await;
        let expected: Vec<_> = [files_of("refunds"), files_of("reports")].concat();
        let mut uris: Vec<_> = expected.iter().map(|(uri, _)| &**uri).collect();
        uris.sort_unstable();
        let listed: Vec<_> = resources.iter().map(|resource| resource["uri"].as_str().unwrap()).collect();
        assert_eq!(listed, uris, "{revision}");
        let find = |uri: &str| resources.iter().find(|resource| resource["uri"] == uri).unwrap();
        let marker = find("skill://refunds/SKILL.md");
        assert_eq!(marker["name"], "refunds");
        assert_eq!(marker["mimeType"], "text/markdown");
        assert!(marker["description"].as_str().unwrap().starts_with("Decides on a refund"));
        let policy = find("skill://refunds/references/policy.md");
        assert_eq!((&policy["name"], &policy["size"]), (&json!("policy.md"), &json!(files_of("refunds")[4].1.len())));
        assert_eq!(find("skill://refunds/logo.png")["mimeType"], "image/png");
        for (uri, bytes) in &expected {
            assert_eq!(&wire.read(uri).await, bytes, "{uri}");
        }
        let (templates, _) = wire.all("resources/templates/list", "resourceTemplates", &json!({})).await;
        assert!(templates.is_empty(), "{templates:?}");
        let unknown = wire.error_code("resources/read", json!({ "uri": "skill://refunds/none.md" })).await;
        assert_eq!(unknown, if revision.is_modern() { -32602 } else { -32002 });
    }
}

#[tokio::test]
async fn only_the_newest_revision_has_the_extension() {
    let service = service();
    let mut wire = Wire::new(&service, Revision::LATEST).await;
    let capabilities = wire.result("server/discover", json!({})).await["capabilities"].take();
    assert_eq!(capabilities["extensions"]["io.modelcontextprotocol/skills"], json!({ "directoryRead": true }));
    assert!(capabilities["resources"].is_object());
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.is_modern()) {
        let mut wire = Wire::new(&service, revision).await;
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": info });
        let capabilities = Wire { client: service.memory(), revision, last_id: 0 }.result("initialize", params).await;
        assert_eq!(capabilities["capabilities"].get("extensions"), None);
        for method in ["skills/list", "skills/get", "resources/directory/read"] {
            assert_eq!(
                wire.error_code(method, json!({ "uri": "skill://refunds" })).await,
                -32601,
                "{revision} {method}"
            );
        }
    }
}

#[tokio::test]
async fn a_server_without_skills_declares_nothing() {
    let service = Server::new("shop", "1").build().unwrap();
    let mut wire = Wire::new(&service, Revision::LATEST).await;
    let capabilities = wire.result("server/discover", json!({})).await["capabilities"].take();
    assert_eq!(capabilities.get("extensions"), None);
    assert_eq!(wire.error_code("skills/list", json!({})).await, -32601);
}

#[tokio::test]
async fn a_prefix_stands_before_the_name() {
    let service = Server::new("shop", "1").skills(both().prefix("acme/my team")).build().unwrap();
    let mut wire = Wire::new(&service, Revision::LATEST).await;
    let skills = wire.skills().await;
    assert_eq!(skills[0]["uri"], "skill://acme/my%20team/refunds/SKILL.md");
    assert!(!wire.read("skill://acme/my%20team/refunds/references/policy.md").await.is_empty());
    assert_eq!(wire.error_code("resources/read", json!({ "uri": "skill://refunds/SKILL.md" })).await, -32602);
    for prefix in ["", "a//b", "../a", "a/."] {
        let error = Server::new("shop", "1").skills(both().prefix(prefix)).build().unwrap_err().to_string();
        assert!(error.contains("is empty, `.` or `..`; write one such as `acme/billing`"), "{prefix}: {error}");
    }
}

#[test]
fn two_skills_with_one_uri_are_rejected() {
    let twice = Server::new("shop", "1").skills(both()).skills(skills!["files/reports"]).build().unwrap_err();
    let expected = "skills: `skill://reports/{+path}` is served twice; rename the folder of one skill, or set \
                    `Skills::prefix` for one";
    assert!(twice.to_string().contains(expected), "{twice}");
    assert_eq!(twice.to_string().matches("twice").count(), 1, "{twice}");
    let apart = Server::new("shop", "1").skills(both()).skills(skills!["files/reports"].prefix("old"));
    assert!(apart.build().is_ok());
}

#[test]
fn the_manifest_has_the_skills() {
    let manifest = service().manifest();
    assert_eq!(manifest["skills"][0]["uri"], "skill://refunds/SKILL.md");
    assert_eq!(manifest["skills"].as_array().unwrap().len(), 2);
    assert_eq!(Server::new("shop", "1").build().unwrap().manifest().get("skills"), None::<&Value>);
}
