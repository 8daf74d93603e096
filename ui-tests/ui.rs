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

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/**/*.rs");
    cases.compile_fail("fail/**/*.rs");
}
