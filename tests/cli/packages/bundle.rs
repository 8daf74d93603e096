//! The bundle: its manifest, its files, and what the program in it answers when a host starts it.

use std::{collections::BTreeMap, fs, process::Command};

use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use crate::cli::packages::{Folder, unpacked};

const ALL_SYSTEMS: [&str; 6] = ["--binary", "linux=app", "--binary", "darwin=app-mac", "--binary", "win32=app.exe"];

/// What the host replaces in the start of the program, by its name.
type Values<'v> = BTreeMap<&'v str, Value>;

#[test]
fn the_manifest_says_what_cargo_and_the_server_know() {
    let folder = Folder::of_package();
    folder.write_programs();
    let mut manifest = folder.json(&["manifest", "mcpb", "--binary", "linux=app"]);
    let members = manifest.as_object_mut().unwrap();
    for other in ["server", "user_config"] {
        members.remove(other);
    }
    let expected = json!({
        "manifest_version": "0.3",
        "name": "packed",
        "display_name": "Packed server",
        "version": "1.2.3",
        "description": "Shows what packages contain.",
        "author": { "name": "Ann Author", "email": "ann@example.com" },
        "repository": { "type": "git", "url": "https://github.com/ann/packed" },
        "homepage": "https://example.com/packed",
        "license": "MIT",
        "keywords": ["mcp", "packages"],
        "icon": "icon.png",
        "tools": [{ "name": "show", "description": "Show the settings." }],
        "prompts_generated": true,
        "compatibility": { "platforms": ["linux"] },
    });
    assert_eq!(manifest, expected);
}

#[test]
fn options_have_precedence_over_cargo() {
    let options = [
        "--description",
        "Other.",
        "--author",
        "Bob",
        "--license",
        "0BSD",
        "--repository",
        "https://gitlab.com/bob/x",
        "--homepage",
        "https://bob.example",
        "--privacy-policy",
        "https://bob.example/privacy",
    ];
    let manifest = Folder::of_package().json(&[&["manifest", "mcpb"], &options[..]].concat());
    assert_eq!((&manifest["description"], &manifest["license"]), (&json!("Other."), &json!("0BSD")));
    assert_eq!(manifest["author"], json!({ "name": "Bob" }));
    assert_eq!(manifest["repository"]["url"], "https://gitlab.com/bob/x");
    assert_eq!(manifest["homepage"], "https://bob.example");
    assert_eq!(manifest["privacy_policies"], json!(["https://bob.example/privacy"]));
}

#[test]
fn one_error_lists_everything_that_is_missing() {
    let folder = Folder::new();
    assert_eq!(
        folder.refused(&["manifest", "mcpb"]),
        "error: the bundle cannot be written:\n  \
         - the description is missing; give `--description TEXT`, or write `description = …` into `Cargo.toml`, and name that \
         file with `--manifest-path`\n  \
         - the author is missing; give `--author 'NAME <MAIL>'`, or write `authors = …` into `Cargo.toml`, and name that file \
         with `--manifest-path`\n"
    );
    let manifest = folder.json(&["manifest", "mcpb", "--description", "Text.", "--author", "Ann"]);
    assert_eq!(manifest["author"], json!({ "name": "Ann" }));
    let lost = folder.refused(&["manifest", "mcpb", "--manifest-path", "Cargo.toml"]);
    assert!(lost.starts_with("error: `cargo metadata` failed: "), "{lost}");
}

#[test]
fn the_package_of_the_program_is_found_in_a_workspace() {
    let package = Folder::of_package();
    let folder = Folder::new();
    let path = package.path("Cargo.toml").display().to_string();
    let manifest = folder.json(&["manifest", "mcpb", "--manifest-path", &path]);
    assert_eq!(manifest["description"], "Shows what packages contain.");

    fs::rename(&package.0, folder.path("member")).unwrap();
    let member = fs::read_to_string(folder.path("member/Cargo.toml")).unwrap();
    let member = member.replace("[workspace]", "").replace("license = \"MIT\"", "license.workspace = true");
    folder.write("member/Cargo.toml", member);
    folder.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"member\"]\nresolver = \"3\"\n[workspace.package]\nlicense = \"Zlib\"\n",
    );
    assert_eq!(folder.json(&["manifest", "mcpb"])["license"], "Zlib");
}

#[test]
fn a_bundle_has_a_program_for_each_system() {
    let folder = Folder::of_package();
    folder.write_programs();
    let packed = folder.run(&[&["manifest", "mcpb", "--pack", "packed.mcpb"], &ALL_SYSTEMS[..]].concat());
    assert!(packed.result().starts_with("wrote `packed.mcpb`: "), "{packed:?}");
    let files = unpacked(&folder.path("packed.mcpb"));
    let names: Vec<_> = files.iter().map(|(name, _, mode)| (name.as_str(), *mode)).collect();
    assert_eq!(
        names,
        [
            ("manifest.json", 0o644),
            ("icon.png", 0o644),
            ("server/linux/packed", 0o755),
            ("server/darwin/packed", 0o755),
            ("server/win32/packed.exe", 0o755),
        ]
    );
    assert_eq!(files[4].1, fs::read(folder.path("app.exe")).unwrap());

    let manifest: Value = serde_json::from_slice(&files[0].1).unwrap();
    let server = &manifest["server"];
    assert_eq!((&server["type"], &server["entry_point"]), (&json!("binary"), &json!("server/linux/packed")));
    assert_eq!(server["mcp_config"]["command"], "${__dirname}/server/linux/packed");
    let overrides = json!({
        "darwin": { "command": "${__dirname}/server/darwin/packed" },
        "win32": { "command": "${__dirname}/server/win32/packed.exe" },
    });
    assert_eq!(server["mcp_config"]["platform_overrides"], overrides);
    assert_eq!(manifest["compatibility"]["platforms"], json!(["linux", "darwin", "win32"]));
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let folder = Folder::of_package();
    folder.write_programs();
    let pack = |name| {
        let packed = folder.run(&["manifest", "mcpb", "--pack", name, "--binary", "linux=app"]);
        let digest = packed.result().rsplit(' ').next().unwrap().to_owned();
        (fs::read(folder.path(name)).unwrap(), digest)
    };
    assert_eq!(pack("one.mcpb"), pack("two.mcpb"));
}

#[test]
fn refuses_what_is_not_a_program_of_its_system() {
    let folder = Folder::of_package();
    folder.write_programs();
    let wrong = ["--binary", "linux=app.exe", "--binary", "darwin=none", "--binary", "linux=app", "--icon", "app"];
    assert_eq!(
        folder.refused(&[&["manifest", "mcpb"], &wrong[..]].concat()),
        "error: the bundle cannot be written:\n  \
         - `app.exe` is not a program for `linux`\n  \
         - the program `none` for `darwin` cannot be read: No such file or directory (os error 2)\n  \
         - there are two programs for `linux`; keep one `--binary`\n  \
         - the icon `app` is not a PNG file\n"
    );
    let windows = folder.refused(&["manifest", "mcpb", "--binary", "windows=app.exe"]);
    assert!(windows.contains("`windows` is not `linux`, `darwin` or `win32`; write `win32`"), "{windows}");
}

#[test]
fn refuses_a_debug_build() {
    let folder = Folder::of_package();
    fs::create_dir_all(folder.path("target/debug")).unwrap();
    folder.write("target/debug/app", b"\x7fELF");
    let arguments = ["manifest", "mcpb", "--pack", "packed.mcpb", "--binary", "linux=target/debug/app"];
    let refused = folder.refused(&arguments);
    assert!(refused.starts_with("error: `target/debug/app` is a debug build, which is slow and large"), "{refused}");
    assert!(!folder.path("packed.mcpb").exists());
    assert_eq!(folder.run(&[&arguments[..], &["--allow-debug"]].concat()).code, Some(0));
}

#[cfg(unix)]
#[tokio::test]
async fn the_program_of_a_bundle_answers_with_the_values_of_its_user() {
    let folder = Folder::of_package();
    let packed = folder.run(&["manifest", "mcpb", "--pack", "packed.mcpb", "--allow-debug"]);
    assert_eq!(packed.code, Some(0), "{packed:?}");
    let installed = folder.path("installed");
    for (name, bytes, mode) in unpacked(&folder.path("packed.mcpb")) {
        let path = installed.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    }
    let manifest: Value = serde_json::from_slice(&fs::read(installed.join("manifest.json")).unwrap()).unwrap();
    assert!(installed.join(manifest["server"]["entry_point"].as_str().unwrap()).is_file());

    // The user fills in what is required, and then everything.
    let required = Values::from([("root", json!("/r")), ("user", json!("ann")), ("token", json!("12345"))]);
    let shown = answer(&manifest, &installed.display().to_string(), &required).await;
    assert_eq!(
        shown,
        "PackSettings { root: \"/r\", more: [], rules: \"/etc/rules\", limit: 20, size: None, threshold: 0.5, mode: Fast, \
         modes: [], skip: [\"target\", \".git\"], links: false, user: \"ann\", token: ***, pin: None } 5"
    );
    let mut all = required;
    all.extend([
        ("more", json!(["/a b", "/c"])),
        ("limit", json!(100)),
        ("size", json!(9007199254740991_i64)),
        ("threshold", json!(0.25)),
        ("mode", json!("thorough")),
        ("modes", json!("fast, thorough")),
        ("skip", json!("")),
        ("links", json!(true)),
        ("pin", json!("1234")),
    ]);
    let shown = answer(&manifest, &installed.display().to_string(), &all).await;
    assert_eq!(
        shown,
        "PackSettings { root: \"/r\", more: [\"/a b\", \"/c\"], rules: \"/etc/rules\", limit: 100, size: Some(9007199254740991), \
         threshold: 0.25, mode: Thorough, modes: [Fast, Thorough], skip: [\"target\", \".git\"], links: true, user: \"ann\", \
         token: ***, pin: Some(***) } 5"
    );
}

/// Starts the program as a host does, and returns what its tool answers.
async fn answer(manifest: &Value, folder: &str, given: &Values<'_>) -> String {
    let mut values = Values::new();
    for (name, field) in manifest["user_config"].as_object().unwrap() {
        let value = given.get(&**name).or_else(|| field.get("default"));
        values.extend(value.map(|value| (&**name, value.clone())));
    }
    let start = &manifest["server"]["mcp_config"];
    let mut command = Command::new(start["command"].as_str().unwrap().replace("${__dirname}", folder));
    for argument in start["args"].as_array().unwrap() {
        match value_of(argument.as_str().unwrap(), &values) {
            Some(Value::Array(several)) => drop(command.args(several.iter().map(|value| value.as_str().unwrap()))),
            Some(value) => drop(command.arg(text(value))),
            None => drop(command.arg(argument.as_str().unwrap())),
        }
    }
    for (name, value) in start["env"].as_object().unwrap() {
        let value = value.as_str().unwrap();
        // A list stays a placeholder in a variable, as a value that the user has not set does.
        let single = value_of(value, &values).filter(|value| !value.is_array());
        command.env(name, single.map_or_else(|| value.to_owned(), text));
    }
    command.current_dir("/");
    Client::process(command).call("show", json!({})).await.text().to_owned()
}

fn value_of<'v>(placeholder: &str, values: &'v Values<'_>) -> Option<&'v Value> {
    values.get(placeholder.strip_prefix("${user_config.")?.strip_suffix('}')?)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
