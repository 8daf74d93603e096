//! Names of the standard library can be others in the module, and the types of two lists can be in one module.

mod tracker {
    pub struct Option;
    pub struct Result;
    pub struct String;
    pub struct Vec;
    pub struct Box;
    pub trait Into {}
    pub trait Serialize {}
    pub mod serde {}
    pub mod core {}
    pub mod std {}

    mcp_runtime::remote_tools!("list.json");
    mcp_runtime::remote_tools!("other_list.json");
}

fn main() {
    let search = tracker::Search { limit: Some(5), ..tracker::Search::new("tea") };
    assert_eq!(serde_json::to_string(&search).unwrap(), r#"{"text":"tea","limit":5}"#);
    let tagged = serde_json::to_string(&tracker::Tag::new(vec!["a".to_owned()])).unwrap();
    assert_eq!(tagged, r#"{"tags":["a"]}"#);
}
