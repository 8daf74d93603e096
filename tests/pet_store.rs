//! A mock of the service that the example `petstore` calls. It has one pet, and wants the key `s3cr3t-key`.

use serde_json::{Value, json};

use crate::mock_service::{self, ServiceRequest};

pub(crate) const KEY: &str = "s3cr3t-key";

/// Starts the service, which answers until the tests end. Returns its URL.
pub(crate) fn start() -> String {
    format!("http://{}/v1", mock_service::start(answer))
}

fn answer(request: &ServiceRequest) -> (&'static str, Option<Value>) {
    let pet = || json!({ "id": 7, "name": "Ida", "status": "available", "born": null });
    let (path, _) = request.target.split_once('?').unwrap_or((&request.target, ""));
    match path {
        _ if request.headers.get("x-api-key").is_none_or(|key| key != KEY) => {
            ("401 Unauthorized", Some(json!({ "message": "the key is not valid" })))
        }
        "GET /v1/pets" => ("200 OK", Some(json!({ "pets": [pet()] }))),
        "GET /v1/pets/7" => ("200 OK", Some(pet())),
        "DELETE /v1/pets/7" => ("204 No Content", None),
        "POST /v1/pets" => {
            let mut added: Value = serde_json::from_slice(&request.body).unwrap();
            added["id"] = 8.into();
            ("201 Created", Some(added))
        }
        _ => ("404 Not Found", Some(json!({ "title": "there is no such pet" }))),
    }
}
