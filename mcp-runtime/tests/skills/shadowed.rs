//! `skills!` where common names have other meanings, and inside of an author's macro.

use mcp_runtime::Server;

#[allow(non_camel_case_types, dead_code)]
struct u8;
#[allow(dead_code)]
struct Option;
#[allow(dead_code)]
struct Result;
#[allow(unused_macros)]
macro_rules! include_bytes {
    ($file:literal) => {
        compile_error!("not the macro of the standard library")
    };
}

macro_rules! shop_skills {
    ($folder:literal) => {
        mcp_runtime::skills![$folder]
    };
}

#[test]
fn a_skill_is_embedded() {
    let service = Server::new("shop", "1.0.0").skills(shop_skills!("files/reports")).build().unwrap();
    assert_eq!(service.manifest()["skills"][0]["frontmatter"]["name"], "reports");
    assert!(Server::new("shop", "1.0.0").skills(mcp_runtime::skills![]).build().is_ok());
}
