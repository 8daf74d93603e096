//! Ship it: how users get a server, from a program to a bundle, the registry and a container.
//!
//! | users have | they get the server with | this page |
//! | --- | --- | --- |
//! | Rust | `cargo install`, then the command `install` | [A program](#a-program) |
//! | a host with bundles, such as Claude Desktop | a file that they open | [A bundle](#a-bundle) |
//! | a host that reads the MCP registry | a search in the host | [The registry](#the-registry) |
//! | a URL | nothing to install | [A container](#a-container) |
//!
//! # Settings
//!
//! Declare what a user must choose as [settings](crate::settings), with a description of each. Everything below reads this
//! declaration: options and variables of the program, the form of a bundle, and the variables in the registry. Give a number
//! its limits, a path its `kind`, and a secret the type [`Secret`](crate::settings::Secret): a host then shows the right field
//! for each, and hides the secret.
//!
//! The commands below take the description, the author, the license, the repository and the homepage from the `Cargo.toml` of
//! the program, which they find through `cargo metadata` in the current folder. Options replace these values, and one error
//! lists all that are missing. The version is that of [`Server::new`](crate::Server::new), so write
//! `env!("CARGO_PKG_VERSION")` there.
//!
//! # A program
//!
//! Build with `--release`. The program adds itself to hosts, see [`installing`](crate::guide::installing):
//!
//! ```text
//! $ notes install claude-code cursor
//! ```
//!
//! # A bundle
//!
//! A bundle ([MCPB](https://github.com/modelcontextprotocol/mcpb)) is a file that a user opens to install the server. It has
//! the program for one or more systems, and the host asks for the settings:
//!
//! ```text
//! $ notes manifest mcpb
//! $ notes manifest mcpb --pack notes.mcpb
//! $ notes manifest mcpb --pack notes.mcpb --binary linux=notes-linux --binary darwin=notes-mac --binary win32=notes.exe
//! ```
//!
//! The first command prints the manifest, the second writes a bundle with this program, and the third one with programs that
//! were built elsewhere. A bundle does not distinguish processors: build for macOS with both in one file (`lipo`), or write a
//! bundle for each. The same programs always give the same file. The command prints its SHA-256 hash.
//!
//! | setting | field of the form |
//! | --- | --- |
//! | text, number, boolean | a field of this kind, with the default and the limits |
//! | `kind = "file"`, `kind = "directory"` | a picker. A relative default is left out, and the user must pick: hosts start programs in any folder |
//! | list of such paths | a picker for several |
//! | another list | a text, with commas between the values |
//! | choice | a text whose description has the choices |
//! | [`Secret`](crate::settings::Secret) | a text that the host hides and stores safely |
//!
//! The host passes the values in the environment of the program, and several paths as arguments. The icon is the first icon
//! of the server that is a PNG image in a `data:` URI, or the file of `--icon`. Prompts are not listed, because those of a
//! manifest are fixed texts; the host asks the server for them. What stands behind `--` are arguments of the program:
//!
//! ```text
//! $ notes manifest mcpb --license MIT --privacy-policy https://example.com/privacy -- --log-level=info
//! ```
//!
//! # The registry
//!
//! The [MCP registry](https://registry.modelcontextprotocol.io) knows where servers are, and hosts search in it. This prints
//! the document that describes a server, with its settings as environment variables:
//!
//! ```text
//! $ notes manifest server-json --cargo notes-server > server.json
//! $ notes manifest server-json --mcpb https://github.com/ann/notes/releases/download/v1.2.3/notes.mcpb --mcpb-file notes.mcpb
//! $ notes manifest server-json --oci ghcr.io/ann/notes:1.2.3 --remote https://example.com/mcp
//! ```
//!
//! `mcp-publisher login github` and `mcp-publisher publish` then publish `server.json`. The command checks what the registry
//! would refuse:
//!
//! - The name is `--name NAMESPACE/NAME`, or `io.github.OWNER/SERVER` for a repository at GitHub. You must own the namespace.
//! - The description has at most 100 characters.
//! - `--cargo`: the README of the crate shows the line `mcp-name: NAME`, and the crate has the version of the server. A
//!   comment in the README does not count.
//! - `--mcpb`: a file of a release at GitHub or GitLab, with its hash from `--mcpb-file` or `--sha256`.
//! - `--oci`: an image with a tag, in a registry that the MCP registry reads. The image needs the label
//!   `io.modelcontextprotocol.server.name`.
//! - `--remote`: an `https` URL.
//!
//! # A container
//!
//! One image serves standard input and output for the registry, and HTTP for clients with a URL:
//!
//! ```text
//! FROM rust:1.89-bookworm AS build
//! WORKDIR /source
//! COPY . .
//! RUN cargo build --release --locked
//!
//! FROM debian:bookworm-slim
//! # If the program uses HTTPS itself, such as for the keys of an issuer.
//! RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
//! COPY --from=build /source/target/release/notes /usr/local/bin/notes
//! LABEL io.modelcontextprotocol.server.name="io.github.ann/notes"
//! USER nobody
//! ENTRYPOINT ["notes"]
//! ```
//!
//! ```text
//! docker run --interactive notes
//! docker run --publish 8080:8080 notes http --addr 0.0.0.0:8080 --allow-host mcp.example.com
//! ```
//!
//! Set secrets with variables whose names end in `_FILE`, which name mounted files: see [`settings`](crate::settings). Over
//! HTTP, see `guide::serving` for limits, authorization and health checks. `Server::landing_page` adds a page at `/`, with the
//! tools, and links and entries that add the URL to hosts.
