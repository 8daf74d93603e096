//! Skills of a folder that is read while the server runs.

use std::{
    fs,
    path::PathBuf,
    process,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, SystemTime},
};

use mcp_runtime::{Revision, Server, Service, skill::Skills, skills};
use serde_json::{Value, json};

use crate::skills::{Wire, assert_complete};

/// A folder with skills, which is removed at the end.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        static PLACES: AtomicUsize = AtomicUsize::new(0);
        let number = PLACES.fetch_add(1, Ordering::Relaxed);
        let place = Self(std::env::temp_dir().join(format!("mcp_skills_{}_{number}", process::id())));
        fs::create_dir_all(&place.0).unwrap();
        files.iter().for_each(|(path, text)| place.write(path, text));
        place
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Sets the time of a file's last change to an hour ago, so that its digest is kept.
    fn age(&self, path: &str) {
        let file = fs::File::options().write(true).open(self.0.join(path)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    }

    pub(crate) fn skills(&self) -> Skills {
        Skills::directory(&self.0)
    }

    fn service(&self) -> Service {
        Server::new("shop", "1").skills(self.skills()).build().unwrap()
    }

    fn error(&self) -> String {
        Server::new("shop", "1").skills(self.skills()).build().unwrap_err().to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) const REFUNDS: &str = "---\nname: refunds\ndescription: Decides on a refund.\n---\n";
const REPORTS: &str = "---\nname: reports\ndescription: Writes a report.\n---\n";

async fn wire(service: &Service) -> Wire {
    Wire::new(service, Revision::LATEST).await
}

fn uris(skills: &[Value]) -> Vec<&str> {
    skills.iter().map(|skill| skill["uri"].as_str().unwrap()).collect()
}

fn files(skill: &Value) -> Vec<&str> {
    skill["resources"].as_array().unwrap().iter().map(|file| file["uri"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_folder_with_a_skill_file_is_a_skill() {
    let place = Place::new(&[
        ("refunds/SKILL.md", REFUNDS),
        ("refunds/references/policy.md", "Pay back."),
        // It belongs to the skill around it, whatever its frontmatter is.
        ("refunds/nested/SKILL.md", "no frontmatter"),
        ("billing/reports/SKILL.md", REPORTS),
        ("billing/README.md", "not a skill"),
        ("README.md", "not a skill"),
        ("refunds/.draft.md", "hidden"),
    ]);
    let service = place.service();
    let mut wire = wire(&service).await;
    let skills = wire.skills().await;
    assert_eq!(uris(&skills), ["skill://billing/reports/SKILL.md", "skill://refunds/SKILL.md"]);
    let expected = [
        ("skill://refunds/SKILL.md", REFUNDS),
        ("skill://refunds/nested/SKILL.md", "no frontmatter"),
        ("skill://refunds/references/policy.md", "Pay back."),
    ];
    let expected: Vec<_> = expected.iter().map(|(uri, text)| ((*uri).to_owned(), text.as_bytes().to_vec())).collect();
    assert_complete(&mut wire, &skills[1], &expected).await;
    for uri in
        ["skill://README.md", "skill://billing/README.md", "skill://refunds/.draft.md", "skill://refunds/../README.md"]
    {
        assert_eq!(wire.error_code("resources/read", json!({ "uri": uri })).await, -32602, "{uri}");
    }
    assert_eq!(wire.error_code("skills/get", json!({ "uri": "skill://refunds/nested/SKILL.md" })).await, -32602);
    let read = wire.result("resources/directory/read", json!({ "uri": "skill://billing" })).await;
    assert_eq!(
        read["resources"],
        json!([{ "uri": "skill://billing/reports", "name": "reports", "mimeType": "inode/directory" }])
    );
    let (resources, _) = wire.all("resources/list", "resources", &json!({})).await;
    assert_eq!(resources.len(), 4, "{resources:#?}");
    assert_eq!((&resources[0]["name"], &resources[0]["description"]), (&json!("reports"), &json!("Writes a report.")));
}

#[tokio::test]
async fn changes_are_seen_at_once_also_if_size_and_time_stay() {
    let place = Place::new(&[("refunds/SKILL.md", REFUNDS), ("refunds/policy.md", "aaa")]);
    let service = place.service();
    let mut wire = wire(&service).await;
    for text in ["aaa", "bbb", "ccc"] {
        place.write("refunds/policy.md", text);
        let expected = [
            ("skill://refunds/SKILL.md".to_owned(), REFUNDS.as_bytes().to_vec()),
            ("skill://refunds/policy.md".to_owned(), text.as_bytes().to_vec()),
        ];
        let skill = wire.result("skills/get", json!({ "uri": "skill://refunds/SKILL.md" })).await["skill"].take();
        assert_complete(&mut wire, &skill, &expected).await;
    }
    place.write("refunds/late.md", "late");
    assert_eq!(files(&wire.skills().await[0]).len(), 3);
    place.write("reports/SKILL.md", REPORTS);
    assert_eq!(uris(&wire.skills().await), ["skill://refunds/SKILL.md", "skill://reports/SKILL.md"]);
    fs::remove_dir_all(place.0.join("refunds")).unwrap();
    assert_eq!(uris(&wire.skills().await), ["skill://reports/SKILL.md"]);
    assert_eq!(wire.error_code("skills/get", json!({ "uri": "skill://refunds/SKILL.md" })).await, -32602);
}

#[tokio::test]
async fn a_digest_is_kept_while_size_and_time_stay() {
    let place = Place::new(&[("refunds/SKILL.md", REFUNDS), ("refunds/policy.md", "aaa")]);
    place.age("refunds/policy.md");
    let service = place.service();
    let mut wire = wire(&service).await;
    let digest = |skills: &[Value]| skills[0]["resources"][1]["digest"].as_str().unwrap().to_owned();
    let first = digest(&wire.skills().await);
    // Only somebody who sets the time of a file can do this.
    let modified = fs::metadata(place.0.join("refunds/policy.md")).unwrap().modified().unwrap();
    place.write("refunds/policy.md", "bbb");
    fs::File::options().write(true).open(place.0.join("refunds/policy.md")).unwrap().set_modified(modified).unwrap();
    assert_eq!(digest(&wire.skills().await), first, "the file was not read again");
    place.write("refunds/policy.md", "ccc");
    assert_ne!(digest(&wire.skills().await), first);
}

#[tokio::test]
async fn a_skill_that_becomes_invalid_is_left_out() {
    let place = Place::new(&[("refunds/SKILL.md", REFUNDS), ("reports/SKILL.md", REPORTS)]);
    let service = place.service();
    let mut wire = wire(&service).await;
    place.write("refunds/SKILL.md", "---\nname: other\ndescription: b\n---\n");
    assert_eq!(uris(&wire.skills().await), ["skill://reports/SKILL.md"]);
    place.write("refunds/SKILL.md", REFUNDS);
    assert_eq!(wire.skills().await.len(), 2);
    for number in 0..512 {
        place.write(&format!("refunds/{number}.md"), "");
    }
    assert_eq!(uris(&wire.skills().await), ["skill://reports/SKILL.md"]);
    fs::remove_file(place.0.join("refunds/0.md")).unwrap();
    let skills = wire.skills().await;
    assert_eq!(files(&skills[0]).len(), 512);
    fs::File::create(place.0.join("refunds/1.md")).unwrap().set_len(16 << 20).unwrap();
    assert_eq!(uris(&wire.skills().await), ["skill://reports/SKILL.md"]);
}

#[test]
fn build_rejects_invalid_skills_with_the_file_and_the_line() {
    let place = Place::new(&[
        ("refunds/SKILL.md", "---\nname: refund\ndescription: b\n---\n"),
        ("reports/SKILL.md", "# Reports"),
        ("fine/SKILL.md", "---\nname: fine\ndescription: b\n---\n"),
    ]);
    let error = place.error();
    for part in [
        "`refunds/SKILL.md`: line 2: the name is `refund`, but the folder is `refunds`; give both the same name",
        "`reports/SKILL.md`: the file must begin with its frontmatter",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert!(!error.contains("fine"), "{error}");
    let missing =
        Server::new("shop", "1").skills(Skills::directory("/no/such/folder")).build().unwrap_err().to_string();
    assert!(missing.contains("skills: cannot open the folder `/no/such/folder`"), "{missing}");
    assert_eq!(missing.matches("folder").count(), 2, "{missing}");
}

#[tokio::test]
async fn a_large_file_is_read_as_a_whole() {
    let place = Place::new(&[("refunds/SKILL.md", REFUNDS)]);
    let text = "Zeile €\n".repeat(300_000);
    place.write("refunds/large.txt", &text);
    let service = place.service();
    let mut wire = wire(&service).await;
    assert!(text.len() > 2 << 20);
    assert_eq!(wire.read("skill://refunds/large.txt").await, text.as_bytes());
}

#[tokio::test]
async fn a_skill_of_the_program_hides_one_of_the_folder() {
    let place =
        Place::new(&[("refunds/SKILL.md", REFUNDS), ("archive/SKILL.md", "---\nname: archive\ndescription: b\n---\n")]);
    let server = Server::new("shop", "1").skills(place.skills()).skills(skills!["files/refunds"]);
    let service = server.build().unwrap();
    let mut wire = wire(&service).await;
    let skills = wire.skills().await;
    assert_eq!(uris(&skills), ["skill://archive/SKILL.md", "skill://refunds/SKILL.md"]);
    assert_eq!(files(&skills[1]).len(), 6);
    let got = wire.result("skills/get", json!({ "uri": "skill://refunds/SKILL.md" })).await;
    assert_eq!(got["skill"], skills[1]);
    assert_ne!(wire.read("skill://refunds/SKILL.md").await, REFUNDS.as_bytes());
}

#[tokio::test]
async fn a_folder_is_not_cached() {
    let place = Place::new(&[("refunds/SKILL.md", REFUNDS)]);
    let service = place.service();
    let mut wire = wire(&service).await;
    let list = wire.result("skills/list", json!({})).await;
    assert_eq!((&list["ttlMs"], &list["cacheScope"]), (&json!(0), &json!("public")));
}
