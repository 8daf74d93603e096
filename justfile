# Usual commands. `just` lists them: https://just.systems

_list:
    @just --list

# Tests everything, or the tests whose names contain NAME.
test NAME="":
    cargo test {{NAME}}

# Formats, and checks what the compiler and Clippy can find.
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets --all-features --locked -- -D warnings

# Checks spelling and dependencies.
hygiene:
    .ci/hygiene

# Runs what every change must pass, or some of its steps.
ci *STEPS:
    .ci/run {{STEPS}}

# Writes the current compile errors and transcripts. Read the differences before you commit them.
bless:
    TRYBUILD=overwrite cargo test -p mcp-ui-tests
    BLESS=1 cargo test --test transcripts

# Opens the documentation.
docs:
    cargo doc --open -p mcp-runtime --all-features --no-deps

# Builds the book to `target/book/html`.
book:
    .ci/book build
