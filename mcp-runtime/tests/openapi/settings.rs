//! The credentials of an API as settings of the server.

use mcp_runtime::{Server, openapi, openapi::Api, prelude::*, settings::SettingDefinition};

use super::service;

fn names(settings: &[SettingDefinition]) -> Vec<&str> {
    settings.iter().map(SettingDefinition::name).collect()
}

#[test]
fn each_scheme_that_an_operation_uses_is_a_secret_setting() {
    let service = service(openapi!("api.json").base_url("http://h"));
    let settings = service.setting_definitions();
    assert_eq!(names(&settings), ["api_key", "api_query_key", "api_login", "api_token"]);
    for setting in &settings {
        assert!(setting.is_secret() && !setting.is_required() && setting.flag().is_none(), "{setting:?}");
    }
    let [key, _, login, token] = &settings[..] else { unreachable!("there are four") };
    assert_eq!((key.env(), key.description()), ("API_KEY", Some("The key for `key` of Parts.")));
    assert_eq!(login.description(), Some("The user and the password, as `user:password`, for `login` of Parts."));
    assert_eq!(token.description(), Some("The token for `token` of Parts."));
    assert_eq!(service.manifest()["settings"][0]["secret"], true);
}

#[test]
fn a_scheme_that_no_operation_uses_is_no_setting() {
    let service = service(openapi!("api.json", except("findParts")).base_url("http://h"));
    assert!(service.setting_definitions().is_empty());
    assert!(service.manifest().get("settings").is_none());
}

#[test]
fn a_credential_that_the_author_sets_is_no_setting() {
    let service = service(openapi!("api.json").base_url("http://h").credential("key", "k".to_owned()));
    assert_eq!(names(&service.setting_definitions()), ["api_query_key", "api_login", "api_token"]);
}

#[test]
fn the_settings_of_one_document_are_there_once() {
    let [parts, report] = [openapi!("api.json", include("findParts")), openapi!("api.json", except("getReport"))];
    let server = Server::new("parts", "1.0.0").tools(parts.base_url("http://h").prefix("a_"));
    let service = server.tools(report.base_url("http://h")).build().unwrap();
    assert_eq!(service.setting_definitions().len(), 4);
}

#[test]
fn two_services_do_not_get_the_credentials_of_each_other() {
    let server = |second: Api| {
        let first = openapi!("api.json", include("findParts")).base_url("https://a.example/v1");
        Server::new("parts", "1.0.0").tools(first.prefix("a_")).tools(second)
    };
    let second = || openapi!("api.json", include("findParts"));
    assert!(server(second().base_url("https://a.example/v2")).build().is_ok());
    let error = server(second().base_url("https://b.example/v1")).build().unwrap_err();
    assert_eq!(
        error.problems()[0],
        "`https://a.example` and `https://b.example` would both get the value of the setting `api_key`; its name is that of \
         the file of an OpenAPI document, so give one file another name, or set one with `Api::credential`"
    );
    assert_eq!(error.problems().len(), 4, "{error}");
    let given = ["key", "query_key", "login", "token"]
        .into_iter()
        .fold(second(), |api, scheme| api.credential(scheme, "ann:given".to_owned()));
    assert!(server(given.base_url("https://b.example/v1")).build().is_ok());
}

#[test]
fn settings_of_the_program_come_first_and_cannot_have_the_same_names() {
    #[derive(Settings)]
    #[setting(prefix = "API")]
    #[allow(dead_code, reason = "only its names are used")]
    struct Own {
        /// How many parts are shown.
        #[setting(default = 5)]
        limit: u8,
        /// Another key.
        key: Option<String>,
    }

    let server = Server::new("parts", "1.0.0").tools(openapi!("api.json").base_url("http://h")).settings::<Own>();
    let error = server.build().unwrap_err().to_string();
    assert!(error.contains("two settings have the variable `API_KEY`"), "{error}");
}
