//! Programs that must not compile, and what the compiler shows. See `README.md`.

#[test]
fn ui_fail() {
    trybuild::TestCases::new().compile_fail("fail/**/*.rs");
}
