//! What clients get to know about files that change.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use mcp_runtime::{MemoryClient, Revision, Server, Service, resource::Directory};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    directory::place::{Place, serve},
    support::own_process::in_own_process,
};

/// Longer than changes are gathered.
const SETTLED: Duration = Duration::from_millis(800);
const LONG: Duration = Duration::from_secs(60);

const LEGACY: Revision = Revision::V2025_11_25;

/// A client of one era, with its subscriptions.
struct WatchingClient {
    wire: MemoryClient,
    revision: Revision,
    last_id: u64,
}

impl WatchingClient {
    /// Subscribes to the list of resources, and to these files.
    async fn new(service: &Service, revision: Revision, uris: &[&str]) -> Self {
        let mut client = Self { wire: service.memory(), revision, last_id: 0 };
        if revision.is_modern() {
            let wanted = json!({ "resourcesListChanged": true, "resourceSubscriptions": uris });
            client.send("subscriptions/listen", json!({ "notifications": wanted })).await;
            assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");
        } else {
            let info = json!({ "name": "test", "version": "1" });
            let params = json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": info });
            let capabilities = client.result("initialize", params).await["capabilities"].take();
            assert_eq!(capabilities["resources"], json!({ "subscribe": true, "listChanged": true }));
            client.wire.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
            for uri in uris {
                assert_eq!(client.result("resources/subscribe", json!({ "uri": uri })).await, json!({}));
            }
        }
        client
    }

    async fn send(&mut self, method: &str, mut params: Value) {
        self.last_id += 1;
        if self.revision.is_modern() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.revision.as_str(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.wire.send(&message.to_string()).await;
    }

    async fn result(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params).await;
        let mut answer = self.next().await;
        assert_eq!(answer["id"], self.last_id, "{answer}");
        answer["result"].take()
    }

    async fn next(&mut self) -> Value {
        let message = timeout(LONG, self.wire.receive()).await.expect("a message").unwrap();
        serde_json::from_str(&message).unwrap()
    }

    /// Returns the next notice as the URI or as `list`. Returns `None` if none comes in this time.
    async fn notice(&mut self, limit: Duration) -> Option<String> {
        let message: Value = serde_json::from_str(&timeout(limit, self.wire.receive()).await.ok()??).unwrap();
        Some(match message["method"].as_str().unwrap() {
            "notifications/resources/list_changed" => "list".to_owned(),
            "notifications/resources/updated" => message["params"]["uri"].as_str().unwrap().to_owned(),
            other => panic!("{other}"),
        })
    }

    /// Waits for each of these notices, and checks that no other comes. Returns how many came: on a slow machine the
    /// server may see one change in two parts.
    async fn gets(&mut self, wanted: &[&str]) -> usize {
        let (mut missing, mut count) = (wanted.to_vec(), 0);
        while let Some(notice) = self.notice(if missing.is_empty() { SETTLED } else { LONG }).await {
            assert!(wanted.contains(&&*notice), "{notice} instead of {missing:?}");
            missing.retain(|wanted| **wanted != notice);
            count += 1;
        }
        assert!(missing.is_empty(), "no notice of {missing:?}");
        count
    }
}

#[tokio::test]
async fn subscribers_get_one_notice_for_each_changed_file() {
    for revision in [LEGACY, Revision::LATEST] {
        let place = Place::new();
        ["a.md", "b c.md", "guide/d.md"].iter().for_each(|name| place.write(&format!("docs/{name}"), "1"));
        let service = serve(place.directory().watch());
        let uris = ["dir://docs/b%20c.md", "dir://docs/guide/d.md", "dir://docs/late.md"];
        let mut client = WatchingClient::new(&service, revision, &uris).await;
        client.gets(&[]).await;
        // The size stays, and the client did not subscribe to `a.md`.
        for round in 0..20 {
            place.write("docs/b c.md", (round % 10).to_string());
            place.write("docs/a.md", "2");
        }
        let count = client.gets(&[uris[0]]).await;
        assert!(count < 20, "{count} notices of 20 changes in {revision}");
        place.write("docs/guide/d.md", "22");
        client.gets(&[uris[1]]).await;
        place.write("docs/late.md", "1");
        client.gets(&[uris[2], "list"]).await;
        fs::remove_dir_all(place.0.join("docs/guide")).unwrap();
        client.gets(&[uris[1], "list"]).await;
        // As editors save.
        place.write("docs/new.tmp", "saved");
        fs::rename(place.0.join("docs/new.tmp"), place.0.join("docs/late.md")).unwrap();
        client.gets(&[uris[2]]).await;
        // A folder that appears is watched too.
        place.write("docs/x/y/z.md", "1");
        client.gets(&["list"]).await;
        place.write("docs/x/y/w.md", "1");
        client.gets(&["list"]).await;
    }
}

#[tokio::test]
async fn files_that_are_not_served_cause_no_notice() {
    for revision in [LEGACY, Revision::LATEST] {
        let place = Place::new();
        place.write("docs/.gitignore", "*.log\ntarget/\n");
        let unserved = [".env", ".git/index", "a.log", "target/out/a.md"];
        unserved.iter().for_each(|name| place.write(&format!("docs/{name}"), "1"));
        place.write("secret.md", "1");
        let service = serve(place.directory().watch());
        let uris = unserved.map(|name| format!("dir://docs/{name}"));
        let uris: Vec<_> = uris.iter().map(|uri| &**uri).chain(["dir://docs/../secret.md"]).collect();
        let mut client = WatchingClient::new(&service, revision, &uris).await;
        unserved.iter().for_each(|name| place.write(&format!("docs/{name}"), "2"));
        ["docs/.late", "docs/late.log", "docs/target/late.md", "secret.md"]
            .iter()
            .for_each(|path| place.write(path, "2"));
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.md", place.0.join("docs/link.md")).unwrap();
        client.gets(&[]).await;
        // Other rules are another list.
        place.write("docs/.gitignore", "target/\n");
        client.gets(&["dir://docs/a.log", "list"]).await;
    }
}

#[tokio::test]
async fn the_files_of_a_folder_that_is_moved_are_watched_at_its_new_path() {
    let place = Place::new();
    // Neither size nor time tells the two files apart.
    for name in ["old/in/a.md", "other/in/a.md"] {
        place.write(&format!("docs/{name}"), "1");
        let file = fs::File::options().write(true).open(place.0.join("docs").join(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    let service = serve(place.directory().watch());
    let uris = ["dir://docs/new/in/a.md", "dir://docs/old/in/a.md"];
    let mut client = WatchingClient::new(&service, Revision::LATEST, &uris).await;
    let moved =
        |from: &str, to: &str| fs::rename(place.0.join("docs").join(from), place.0.join("docs").join(to)).unwrap();
    // Another folder takes the path of the first one at once.
    moved("old", "new");
    moved("other", "old");
    client.gets(&[uris[0], uris[1], "list"]).await;
    for uri in uris {
        place.write(uri.strip_prefix("dir://").unwrap(), "2");
        client.gets(&[uri]).await;
    }
    // A folder that leaves the folder is not watched.
    fs::rename(place.0.join("docs/new"), place.0.join("gone")).unwrap();
    client.gets(&[uris[0], "list"]).await;
    place.write("gone/in/a.md", "3");
    client.gets(&[]).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn folders_that_are_not_served_are_not_watched() {
    use std::os::unix::fs::MetadataExt as _;

    let place = Place::new();
    place.write("docs/.gitignore", "target/\n");
    ["guide/in/a.md", "target/debug/deps/a.md", ".git/objects/a"]
        .iter()
        .for_each(|name| place.write(&format!("docs/{name}"), "1"));
    let is_watched = |folder: &str| {
        let wanted = format!(" ino:{:x} ", fs::metadata(place.0.join("docs").join(folder)).unwrap().ino());
        let files =
            fs::read_dir("/proc/self/fdinfo").unwrap().filter_map(|file| fs::read_to_string(file.unwrap().path()).ok());
        files.flat_map(|info| info.lines().map(str::to_owned).collect::<Vec<_>>()).any(|line| line.contains(&wanted))
    };
    let service = serve(place.directory().watch());
    let mut client = WatchingClient::new(&service, Revision::LATEST, &[]).await;
    assert!(["", "guide", "guide/in"].iter().all(|folder| is_watched(folder)));
    assert!(
        !["target", "target/debug", "target/debug/deps", ".git", ".git/objects"]
            .iter()
            .any(|folder| is_watched(folder))
    );
    // What is served later is watched, and what is no longer served is not.
    place.write("docs/.gitignore", "guide/\n");
    client.gets(&["list"]).await;
    assert!(["target", "target/debug", "target/debug/deps"].iter().all(|folder| is_watched(folder)));
    assert!(!["guide", "guide/in"].iter().any(|folder| is_watched(folder)));
    place.write("docs/target/debug/deps/b.md", "1");
    client.gets(&["list"]).await;
}

#[tokio::test]
async fn many_new_files_become_few_notices() {
    let place = Place::new();
    place.write("docs/a.md", "1");
    let service = serve(place.directory().watch());
    let mut client = WatchingClient::new(&service, Revision::LATEST, &[]).await;
    (0..200).for_each(|index| place.write(&format!("docs/files/{index}.md"), "1"));
    // The files are not written in one moment.
    let count = client.gets(&["list"]).await;
    assert!(count < 100, "{count} notices of 200 files");
}

#[tokio::test]
async fn many_changes_of_a_file_become_few_notices() {
    let place = Place::new();
    place.write("docs/a.md", "1");
    let service = serve(place.directory().watch());
    let mut client = WatchingClient::new(&service, Revision::LATEST, &["dir://docs/a.md"]).await;
    (0..1000).for_each(|index| place.write("docs/a.md", index.to_string()));
    let count = client.gets(&["dir://docs/a.md"]).await;
    assert!(count < 100, "{count} notices of 1000 changes");
}

#[tokio::test]
async fn a_directory_that_is_added_at_run_time_is_watched_until_it_is_removed() {
    let place = Place::new();
    place.write("docs/a.md", "1");
    let service = Server::new("files", "1").dynamic_resources().build().unwrap();
    let mut client = WatchingClient::new(&service, Revision::LATEST, &["dir://docs/a.md"]).await;
    service.resources().add(place.directory().watch()).unwrap();
    client.gets(&["list"]).await;
    place.write("docs/a.md", "2");
    client.gets(&["dir://docs/a.md"]).await;
    assert!(service.resources().remove("docs"));
    client.gets(&["list"]).await;
    place.write("docs/a.md", "3");
    client.gets(&[]).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_watch_ends_with_the_service() {
    in_own_process!();
    let threads = || {
        let tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path().join("comm"));
        tasks.filter(|name| fs::read_to_string(name).is_ok_and(|name| name == "mcp-watch\n")).count()
    };
    let place = Place::new();
    let service = serve(place.directory().watch());
    // The thread names itself when it begins.
    let begun = async {
        while threads() == 0 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, begun).await.expect("a thread watches");
    // A handle does not keep the service.
    let resources = service.resources();
    drop(service);
    let ended = async {
        while threads() > 0 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, ended).await.expect("no thread is left");
    resources.notify();
}

#[test]
fn a_missing_folder_is_reported_once() {
    let error = Server::new("s", "1").resource(Directory::new("/none").watch()).build().unwrap_err();
    assert_eq!(error.problems().len(), 1, "{error}");
    assert!(error.to_string().contains("cannot open the folder `/none`"), "{error}");
}
