"""Writes a package with a program for each document, and one with as many hand-written tools as the largest has operations.

python3 programs.py ROOT FOLDER DOCUMENTS: the package is written to FOLDER, which has the documents in DOCUMENTS. The mock of
the largest one reads `github_selected.json`, which has only the chosen operations.
"""

import json
import pathlib
import re
import sys

# Of GitHub's 1,223 operations.
SELECTED = 200
# What has a body that is not supported. The compile errors name these.
LEFT_OUT = {"blockfrost": ["POST /tx/submit", "POST /utils/txs/evaluate", "ipfs_add"]}
# The servers that only some operations have.
OWN_SERVERS = {"blockfrost": ["https://ipfs.blockfrost.io/api/v0"]}

MANIFEST = """[package]
name = "openapi-programs"
version = "0.1.0"
edition = "2024"

[workspace]

[dependencies]
mcp-runtime = {{ path = "{root}/mcp-runtime", features = ["openapi"] }}
schemars = {{ version = "1.2", default-features = false, features = ["derive", "std", "preserve_order"] }}
serde = {{ version = "1", features = ["derive"] }}
tokio = {{ version = "1", features = ["macros", "rt"] }}
"""

# The mocks need long for schemas that contain themselves.
PROGRAM = """use std::{{env, process::ExitCode, time::Duration}};

use mcp_runtime::{{Server, openapi}};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {{
    let url = env::var("API_URL").unwrap_or_default();
    let api = openapi!("{document}"{lists}).base_url(&url){own_servers}.timeout(Duration::from_secs(300));
    Server::new("{name}", "1.0.0").tools(api).run().await
}}
"""


def selected(document):
    """Returns every sixth operation, without those that upload to another server."""
    operations = [
        operation["operationId"]
        for item in document["paths"].values()
        for method, operation in item.items()
        if method in ("get", "put", "post", "delete", "patch") and "servers" not in operation
    ]
    return operations[:: len(operations) // SELECTED][:SELECTED]


def only(document, names):
    """Returns the document with these operations only."""
    methods = ("get", "put", "post", "delete", "patch")
    keep = lambda method, value: method not in methods or value["operationId"] in names
    paths = {
        path: {method: value for method, value in item.items() if keep(method, value)}
        for path, item in document["paths"].items()
    }
    paths = {path: item for path, item in paths.items() if any(method in item for method in methods)}
    return {**document, "paths": paths}


def main(root, folder, documents):
    programs = folder / "src/bin"
    programs.mkdir(parents=True, exist_ok=True)
    # With the profiles of the workspace, so that the crates of the registry are those of the other steps.
    profiles = re.search(r"^\[profile\..*", (root / "Cargo.toml").read_text(), re.M | re.S).group()
    (folder / "Cargo.toml").write_text(MANIFEST.format(root=root) + "\n" + profiles)
    (folder / "Cargo.lock").write_bytes((root / "Cargo.lock").read_bytes())
    for name, file in (("github", "github.json"), ("blockfrost", "blockfrost.yaml"), ("figma", "figma.yaml")):
        lists = ""
        if name == "github":
            document = json.loads((documents / file).read_text())
            names = selected(document)
            (documents / "github_selected.json").write_text(json.dumps(only(document, names)))
            lists = f", include({', '.join(map(json.dumps, names))})"
        elif name in LEFT_OUT:
            lists = f", except({', '.join(map(json.dumps, LEFT_OUT[name]))})"
        own_servers = "".join(f".own_server({json.dumps(own)}, &url)" for own in OWN_SERVERS.get(name, []))
        text = PROGRAM.format(document=documents / file, lists=lists, name=name, own_servers=own_servers)
        (programs / f"{name}.rs").write_text(text)
    parts = (root / "benches/compile/driver/sources/ours.txt").read_text().split("//each\n")
    by_hand = "".join(
        "".join(part.replace("@", str(number)) for number in range(SELECTED)) if index % 2 else part
        for index, part in enumerate(parts)
    )
    (programs / "by_hand.rs").write_text(by_hand)


if __name__ == "__main__":
    main(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:4]))
