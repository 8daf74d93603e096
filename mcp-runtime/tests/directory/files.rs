//! Which files are listed and read, and how.

use std::fs;

use mcp_runtime::{Revision, Server, in_every_mode, resource::Directory, testing::Client};
use serde_json::{Value, json};

use crate::directory::place::{Place, serve};

#[tokio::test]
async fn files_are_listed_in_pages_with_type_size_and_time() {
    let place = Place::new();
    let names = ["a.md", "b/c.json", "b/d e.txt", "b/logo.png", "LICENSE", "main.rs", "app.ts"];
    names.iter().for_each(|name| place.write(&format!("docs/{name}"), "12345"));
    let service = place.service();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        let resources = client.resources().await;
        let member = |name: &str| resources.iter().map(|entry| entry[name].clone()).collect::<Vec<_>>();
        assert_eq!(member("name"), ["LICENSE", "a.md", "app.ts", "b/c.json", "b/d e.txt", "b/logo.png", "main.rs"]);
        assert_eq!(member("uri")[4], "dir://docs/b/d%20e.txt");
        assert_eq!(
            member("mimeType"),
            [
                Value::Null,
                json!("text/markdown"),
                json!("text/plain"),
                json!("application/json"),
                json!("text/plain"),
                json!("image/png"),
                json!("text/x-rust"),
            ]
        );
        assert!(resources.iter().all(|entry| entry["size"] == 5), "{resources:?}");
        let modified = resources[0]["annotations"]["lastModified"].as_str();
        // `lastModified` came with 2025-06-18.
        assert_eq!(modified.is_some(), Revision::V2025_06_18 <= revision, "{revision}: {resources:?}");
        assert!(modified.is_none_or(|modified| modified.starts_with("20") && modified.ends_with('Z')), "{modified:?}");

        let templates = client.templates().await;
        assert_eq!(templates.len(), 1);
        assert_eq!(templates[0]["uriTemplate"], "dir://docs/{+path}");
        assert_eq!(templates[0]["name"], "docs");
    }
}

#[tokio::test]
async fn text_and_bytes_are_read_in_every_mode() {
    let place = Place::new();
    place.write("docs/a.md", "# é");
    place.write("docs/LICENSE", "MIT");
    place.write("docs/logo.png", b"\x89PNG\r\n\x1a\n\0");
    place.write("docs/app.ts", "let a");
    place.write("docs/empty.txt", "");
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("files", "1").resource(place.directory()));
        for (path, mime_type, text) in [
            ("a.md", "text/markdown", Some("# é")),
            ("LICENSE", "text/plain", Some("MIT")),
            ("app.ts", "text/plain", Some("let a")),
            ("empty.txt", "text/plain", Some("")),
            ("logo.png", "image/png", None),
        ] {
            let uri = format!("dir://docs/{path}");
            let read = client.read(&uri).await;
            let [contents] = &read.contents()[..] else { panic!("{read:?}") };
            assert_eq!(contents.uri, uri);
            assert_eq!(contents.mime_type.as_deref(), Some(mime_type));
            assert_eq!(contents.text.as_deref(), text);
            assert_eq!(contents.meta, Value::Null);
            assert_eq!(contents.bytes(), fs::read(place.0.join("docs").join(path)).unwrap());
        }
        assert!(client.read("dir://docs/b.md").await.is_not_found());
    });
}

#[tokio::test]
async fn a_large_file_is_read_piece_by_piece() {
    let place = Place::new();
    let text = "Zeile €\n".repeat(1_000);
    place.write("docs/big.txt", &text);
    let bytes: Vec<u8> = (0..5_000_u32).map(|number| (number % 251) as u8).collect();
    place.write("docs/big.bin", &bytes);
    let service = serve(place.directory().max_bytes(1_000));
    let mut client = Client::modern(&service);
    for (path, whole) in [("big.txt", text.as_bytes()), ("big.bin", &bytes)] {
        let mut uri = format!("dir://docs/{path}");
        let mut read = Vec::new();
        loop {
            let part = client.read(&uri).await.contents().remove(0);
            assert_eq!((&part.meta["offset"], &part.meta["size"]), (&json!(read.len()), &json!(whole.len())));
            assert!(part.bytes().len() <= 1_000);
            assert_eq!(part.text.is_some(), path == "big.txt");
            read.extend(part.bytes());
            match part.meta["nextUri"].as_str() {
                Some(next) => next.clone_into(&mut uri),
                None => break,
            }
        }
        assert_eq!(read, whole, "{path}");
    }
    let part = client.read("dir://docs/big.txt?offset=6&length=5").await.contents().remove(0);
    assert_eq!(part.text.as_deref(), Some("€\nZ"));
    assert_eq!(part.meta["nextUri"], "dir://docs/big.txt?offset=11&length=5");
    let wrong = client.read("dir://docs/big.txt?from=6").await;
    let message = &wrong.error().unwrap().message;
    assert!(message.contains("only `offset` and `length` are allowed"), "{message}");
}

#[tokio::test]
async fn the_settings_change_what_is_served() {
    let place = Place::new();
    place.write("docs/.gitignore", "*.log\n");
    place.write("docs/.env", "a");
    place.write("docs/a.log", "a");
    place.write("docs/a.md", "a");
    let names = async |directory: Directory| -> Vec<String> {
        let resources = Client::modern(&serve(directory)).resources().await;
        resources.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(place.directory()).await, ["a.md"]);
    assert_eq!(names(place.directory().ignored()).await, ["a.log", "a.md"]);
    assert_eq!(names(place.directory().hidden()).await, [".env", ".gitignore", "a.md"]);

    let mut client =
        Client::modern(&serve(place.directory().uri("docs://guide/").name("guide").description("A guide.")));
    assert_eq!(client.read("docs://guide/a.md").await.text(), "a");
    let template = client.templates().await.remove(0);
    assert_eq!(template["name"], "guide");
    assert_eq!(template["description"], "A guide.");
}

#[tokio::test]
async fn a_changed_file_is_read_again() {
    let place = Place::new();
    place.write("docs/a.md", "one");
    let mut client = Client::modern(&place.service());
    assert_eq!(client.read("dir://docs/a.md").await.text(), "one");
    place.write("docs/a.md", "two");
    assert_eq!(client.read("dir://docs/a.md").await.text(), "two");
    fs::remove_file(place.0.join("docs/a.md")).unwrap();
    assert!(client.read("dir://docs/a.md").await.is_not_found());
}

#[test]
fn a_missing_folder_is_an_error_of_build() {
    let place = Place::new();
    let missing = place.0.join("missing");
    let error = Server::new("files", "1").resource(Directory::new(&missing)).build().unwrap_err().to_string();
    let expected = format!("resource `missing`: cannot open the folder `{}`: ", missing.display());
    assert!(error.contains(&expected), "{error}");

    place.write("file", "");
    let error = Server::new("files", "1").resource(Directory::new(place.0.join("file"))).build().unwrap_err();
    assert!(error.to_string().contains("resource `file`: cannot open the folder"), "{error}");
}

#[test]
fn an_invalid_prefix_is_an_error_of_build() {
    let place = Place::new();
    let error = Server::new("files", "1").resource(place.directory().uri("no scheme")).build().unwrap_err();
    assert!(error.to_string().contains("a URI begins with a scheme"), "{error}");
}
