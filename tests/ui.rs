//! What a programmer sees: compile errors, and code that must compile. See `ui-tests/README.md`.

/// Also here, because clippy looks at tests and not at the cases of `trybuild`.
#[path = "../ui-tests/pass/strict_lints.rs"]
pub mod strict_lints;

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui-tests/pass/**/*.rs");
    cases.compile_fail("ui-tests/fail/**/*.rs");
}
