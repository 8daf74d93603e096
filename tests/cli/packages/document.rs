//! The document for the registry, and what the registry would refuse.

use std::fs;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::cli::packages::Folder;

const URL: &str = "https://github.com/ann/packed/releases/download/v1.2.3/packed.mcpb";
const README: &str = "# Packed\n\nmcp-name: io.github.ann/packed\n";

fn assert_valid(document: &Value) {
    let schema = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/server-json-2025-12-11.json")).unwrap();
    let schema: Validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let errors: Vec<_> =
        schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?} in {document:#}");
}

#[test]
fn the_schema_rejects_what_the_registry_rejects() {
    let schema = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/server-json-2025-12-11.json")).unwrap();
    let schema: Validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let valid = json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.ann/packed",
        "description": "Text.",
        "version": "1.0.0",
        "packages": [{
            "registryType": "cargo", "identifier": "packed", "version": "1.0.0", "transport": { "type": "stdio" },
            "environmentVariables": [{ "name": "A", "isSecret": true }],
        }],
    });
    assert!(schema.is_valid(&valid));
    for (pointer, value) in [
        ("/name", json!("packed")),
        ("/description", json!("x".repeat(101))),
        ("/version", json!("^1.0.0")),
        ("/packages", json!([])),
        ("/packages/0/registryType", json!("mcpb")),
        ("/packages/0/registryType", json!("oci")),
        ("/packages/0/environmentVariables/0", json!({ "name": "A", "isSecret": true, "default": "secret" })),
        ("/packages/0/environmentVariables/0", json!({ "name": "A", "default": 1 })),
    ] {
        let mut wrong = valid.clone();
        *wrong.pointer_mut(pointer).unwrap() = value;
        assert!(!schema.is_valid(&wrong), "{pointer}");
    }
}

#[test]
fn a_document_has_all_places_and_the_settings_as_variables() {
    let folder = Folder::of_package();
    folder.write("README.md", README);
    folder.write("packed.mcpb", "PK");
    let places = [
        "--cargo",
        "packed-crate",
        "--mcpb",
        URL,
        "--mcpb-file",
        "packed.mcpb",
        "--oci",
        "ghcr.io/ann/packed:1.2.3",
        "--remote",
        "https://example.com/mcp",
    ];
    let document = folder.json(&[&["manifest", "server-json"], &places[..]].concat());
    assert_valid(&document);
    let mut head = document.clone();
    let members = head.as_object_mut().unwrap();
    let (packages, remotes) = (members.remove("packages").unwrap(), members.remove("remotes").unwrap());
    assert_eq!(
        head,
        json!({
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": "io.github.ann/packed",
            "title": "Packed server",
            "description": "Shows what packages contain.",
            "version": "1.2.3",
            "repository": { "url": "https://github.com/ann/packed", "source": "github" },
            "websiteUrl": "https://example.com/packed",
            "icons": [{
                "src": "https://example.com/icon.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark",
            }],
        })
    );
    assert_eq!(remotes, json!([{ "type": "streamable-http", "url": "https://example.com/mcp" }]));
    let of_package = |index: usize| {
        let mut package = packages[index].clone();
        let variables = package.as_object_mut().unwrap().remove("environmentVariables").unwrap();
        (package, variables)
    };
    let stdio = json!({ "type": "stdio" });
    let (cargo, variables) = of_package(0);
    assert_eq!(
        cargo,
        json!({ "registryType": "cargo", "identifier": "packed-crate", "version": "1.2.3", "transport": stdio })
    );
    // The SHA-256 hash of `PK`.
    let hash = "fcab7fcc2b4cffd9bb45003bfc2e468a04ef6f77ca8200a7341f027631584d25";
    let (mcpb, _) = of_package(1);
    assert_eq!((&mcpb["registryType"], &mcpb["identifier"]), (&json!("mcpb"), &json!(URL)));
    assert_eq!(mcpb["fileSha256"], hash);
    let (oci, _) = of_package(2);
    assert_eq!(oci, json!({ "registryType": "oci", "identifier": "ghcr.io/ann/packed:1.2.3", "transport": stdio }));
    let variable = |name: &str| variables.as_array().unwrap().iter().find(|variable| variable["name"] == name).unwrap();
    assert_eq!(
        variable("PACK_LIMIT"),
        &json!({ "name": "PACK_LIMIT", "description": "How many results there are.", "format": "number", "default": "20" })
    );
    assert_eq!(
        variable("PACK_MODE"),
        &json!({
            "name": "PACK_MODE", "description": "How to search.", "default": "fast", "choices": ["fast", "thorough"],
        })
    );
    assert_eq!(
        variable("PACK_TOKEN"),
        &json!({ "name": "PACK_TOKEN", "description": "Token of the service.", "isRequired": true, "isSecret": true })
    );
    assert_eq!(
        (&variable("PACK_ROOT")["format"], &variable("PACK_LINKS")["format"]),
        (&json!("filepath"), &json!("boolean"))
    );
    assert_eq!((&variable("PACK_SKIP")["default"], variable("PACK_SKIP").get("format")), (&json!("target,.git"), None));
}

#[test]
fn each_place_alone_gives_a_valid_document() {
    let folder = Folder::of_package();
    folder.write("README.md", README);
    let hash = "A".repeat(64);
    for place in [
        &["--cargo", "packed-crate"][..],
        &["--mcpb", URL, "--sha256", &hash],
        &["--oci", "ann/packed:1"],
        &["--remote", "https://a.example/mcp", "--remote", "https://b.example/mcp"],
    ] {
        assert_valid(&folder.json(&[&["manifest", "server-json"], place].concat()));
    }
    let none = folder.refused(&["manifest", "server-json"]);
    assert!(none.contains("--cargo") && none.contains("--remote"), "{none}");
}

#[test]
fn the_readme_must_show_the_name() {
    let folder = Folder::of_package();
    let arguments = ["manifest", "server-json", "--cargo", "packed-crate"];
    let lost = folder.run(&arguments);
    assert!(lost.errors.contains("the README of the crate was not found; it must show the line"), "{lost:?}");
    folder.write("README.md", "# Packed\n\n<!-- mcp-name: io.github.ann/packed -->\n");
    let hidden = folder.refused(&arguments);
    let reason = "README.md` does not show the line `mcp-name: io.github.ann/packed`, by which the registry knows that the \
                  crate is yours; add it as visible text, because comments do not count, and publish the crate again\n";
    assert!(hidden.ends_with(reason), "{hidden}");
    folder.write("other.md", README);
    assert_eq!(folder.run(&[&arguments[..], &["--readme", "other.md"]].concat()).code, Some(0));
    let named = folder.refused(&[&arguments[..], &["--readme", "other.md", "--name", "io.github.ann/pack"]].concat());
    assert!(named.contains("does not show the line `mcp-name: io.github.ann/pack`"), "{named}");
}

#[test]
fn one_error_lists_everything_that_is_missing_or_wrong() {
    let folder = Folder::new();
    folder.write("text.mcpb", "not an archive");
    let long = "x".repeat(101);
    let wrong = ["--description", &long, "--mcpb", URL, "--mcpb-file", "text.mcpb"];
    assert_eq!(
        folder.refused(&[&["manifest", "server-json"], &wrong[..]].concat()),
        "error: the document cannot be written:\n  \
         - the name is missing; give `--name NAMESPACE/NAME`, such as `io.github.ann/flights`; your account at GitHub gives the \
         namespace `io.github.ACCOUNT`, and the domain `example.com` gives `com.example`\n  \
         - the description has 101 characters, and the registry allows 100; give a shorter one with `--description TEXT`\n  \
         - `text.mcpb` is not a bundle; `manifest mcpb --pack text.mcpb` writes one\n"
    );
    let unhashed = folder.refused(&["manifest", "server-json", "--description", "x", "--name", "a.b/c", "--mcpb", URL]);
    assert!(
        unhashed.contains("the hash of the bundle is missing; give `--mcpb-file FILE` or `--sha256 HASH`"),
        "{unhashed}"
    );
}

#[test]
fn the_crate_has_the_version_of_the_server() {
    let folder = Folder::of_package();
    folder.write("README.md", README);
    let manifest = fs::read_to_string(folder.path("Cargo.toml")).unwrap();
    folder.write("Cargo.toml", manifest.replace("1.2.3", "1.2.4"));
    let refused = folder.refused(&["manifest", "server-json", "--cargo", "packed-crate"]);
    assert!(refused.contains("the version of the server is `1.2.3`, but that of the crate is `1.2.4`"), "{refused}");
}
