//! Errors of the whole document.

use quote::quote;
use serde_json::json;

use super::api;

#[test]
fn a_path_in_another_file_is_reported() {
    let elsewhere = json!({ "$ref": "paths/pets.yaml" });
    for paths in [json!({ "/pets": elsewhere, "/shops": { "get": {} } }), json!({ "/pets": elsewhere })] {
        let document = json!({ "openapi": "3.1.0", "paths": paths });
        let Err(error) = api(&document.to_string(), &quote!(include("getPet"))) else { panic!("{paths}") };
        assert!(
            error.contains("the path `/pets` of `api.json`: `$ref: paths/pets.yaml` leads to another file"),
            "{error}"
        );
        assert_eq!(error.matches("compile_error").count(), 1, "{error}");
    }
}

#[test]
fn two_schemes_with_one_setting_are_reported() {
    let document = json!({
        "openapi": "3.1.0",
        "paths": { "/a": { "get": { "operationId": "a", "security": [{ "apiKey": [] }] } },
                   "/b": { "get": { "operationId": "b", "security": [{ "api_key": [] }] } } },
        "components": { "securitySchemes": {
            "apiKey": { "type": "apiKey", "in": "header", "name": "X-Key" },
            "api_key": { "type": "http", "scheme": "basic" },
        } },
    });
    let Err(error) = api(&document.to_string(), &quote!()) else { panic!("two schemes have one setting") };
    assert!(error.contains("schemes `apiKey` and `api_key` of `api.json` would both get"), "{error}");
    assert!(error.contains("the setting `api_api_key`; rename one of them in the document"), "{error}");
    assert!(api(&document.to_string(), &quote!(except("b"))).is_ok());
}
