//! What a programmer sees: compile errors, and code that must compile.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui-tests/pass/**/*.rs");
    cases.compile_fail("ui-tests/fail/**/*.rs");
}
