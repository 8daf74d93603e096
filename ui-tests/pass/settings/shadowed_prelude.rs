//! Generated code uses nothing of the author's scope: not the prelude, and no names of its own.
#![allow(dead_code)]

use mcp_runtime::settings::{Secret, SettingsLoader};

mod core {}
mod std {}

struct Option;
struct Result;
struct String;
struct Vec;
struct Some;
struct None;
struct Ok;
struct Err;
struct SettingDraft;
struct SettingValues;

type Text = ::std::string::String;
type Maybe = ::core::option::Option<u32>;

#[derive(mcp_runtime::settings::Settings)]
#[setting(prefix = "APP")]
struct Settings {
    /// One.
    values: Text,
    /// Two.
    value_0: Maybe,
    /// Three.
    #[setting(default = ["a"])]
    definitions: ::std::vec::Vec<Text>,
    /// Four.
    secret: Secret<Text>,
}

fn main() {
    let variables = [("APP_VALUES", "a"), ("APP_VALUE_0", "1"), ("APP_SECRET", "b")];
    let read = SettingsLoader::new().variables(variables).load::<Settings>();
    let ::core::result::Result::Ok(settings) = read else { panic!("all are set") };
    assert_eq!((settings.values.as_str(), settings.value_0, settings.definitions.len()), ("a", Maybe::Some(1), 1));
    assert_eq!(settings.secret.expose_secret(), "b");
}
