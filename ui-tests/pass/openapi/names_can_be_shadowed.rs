//! Names of the standard library and of generated code can be others in the module.
#![allow(dead_code, non_camel_case_types)]

mod shop {
    pub struct Option;
    pub struct Result;
    pub struct String;
    pub struct Vec;
    pub struct Box;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct str;
    pub struct u8;
    pub struct usize;
    pub struct bool;
    pub trait Into {}
    pub trait IntoIterator {}
    pub mod core {}
    pub mod std {}
    pub mod mcp_runtime {}
    pub const DOCUMENT: i32 = 0;

    pub fn api() -> ::mcp_runtime::openapi::Api {
        ::mcp_runtime::openapi!("list.yaml", rename("addPet" = "offer_pet"), actions(pets = ["findPets"]))
    }
}

fn main() {
    assert_eq!(shop::api().into_iter().count(), 2);
}
