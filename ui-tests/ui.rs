//! What a programmer sees: compile errors, and code that must compile. See `README.md`.

/// Also here, because clippy looks at tests and not at the cases of `trybuild`.
#[path = "pass/mcp_tool/strict_lints.rs"]
pub mod strict_lints;
#[path = "pass/elicits/strict_lints.rs"]
pub mod strict_lints_of_forms;
#[path = "pass/handoff/strict_lints.rs"]
pub mod strict_lints_of_handoffs;
#[path = "pass/sample_tools/strict_lints.rs"]
pub mod strict_lints_of_sample_tools;

// Two tests: `trybuild` checks the cases of one test with a single run of Cargo, unless one of them must pass. Then it
// builds each by a run of its own.

#[test]
fn ui_pass() {
    trybuild::TestCases::new().pass("pass/**/*.rs");
}

#[test]
fn ui_fail() {
    trybuild::TestCases::new().compile_fail("fail/**/*.rs");
}
