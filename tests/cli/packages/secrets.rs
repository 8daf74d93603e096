//! The values of secrets are in no package.

use std::fs;

use crate::cli::packages::Folder;

/// The value of the secret in every test of packages.
pub(super) const SECRET: &str = "s3cr3t-71ab";

#[test]
fn no_output_of_manifest_contains_the_value_of_a_secret() {
    let folder = Folder::of_package();
    folder.write_programs();
    folder.write("README.md", "mcp-name: io.github.ann/packed");
    for arguments in [
        &["manifest"][..],
        &["manifest", "mcpb"],
        &["manifest", "mcpb", "--pack", "packed.mcpb", "--binary", "linux=app"],
        &["manifest", "mcpb", "--icon", "none.png"],
        &["manifest", "server-json", "--cargo", "packed-crate"],
        &["manifest", "server-json", "--oci", "ann/packed:1"],
        &["manifest", "--help"],
        &["manifest", "mcpb", "--help"],
        &["manifest", "server-json", "--help"],
    ] {
        let ran = folder.run(arguments);
        assert!(!ran.output.contains(SECRET) && !ran.errors.contains(SECRET), "{ran:?}");
    }
    for (name, bytes, _) in super::unpacked(&folder.path("packed.mcpb")) {
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET), "{name}");
    }
    assert!(!String::from_utf8_lossy(&fs::read(folder.path("packed.mcpb")).unwrap()).contains(SECRET));
}

#[test]
fn manifest_alone_prints_what_the_server_publishes() {
    let folder = Folder::new();
    let manifest = folder.json(&["manifest"]);
    assert_eq!((&manifest["server"]["name"], &manifest["tools"][0]["name"]), (&"packed".into(), &"show".into()));
    assert_eq!(manifest["settings"][3]["max"], 100);
}
