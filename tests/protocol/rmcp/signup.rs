//! The tool `sign_up` of the example `signup`: every kind of field, two forms at once, and a page.

use std::sync::{Arc, Mutex};

use ::rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability,
        FormElicitationCapability, ProtocolVersion, UrlElicitationCapability,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{
    booking::{Form, check, names},
    call, text,
    ways::{asking, connect_as},
};

/// A client whose user fills in every form, and chooses a password.
#[derive(Clone)]
struct User {
    config: ClientConfig,
    forms: Arc<Mutex<Vec<Form>>>,
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let accept = ElicitResult::new(ElicitationAction::Accept);
        match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let form = Form { message, schema: serde_json::to_value(requested_schema).unwrap() };
                let content = content(names(&form.schema["properties"])[0]);
                self.forms.lock().unwrap().push(form);
                Ok(accept.with_content(content))
            }
            ElicitRequestParams::UrlElicitationParams { url, .. } => {
                tokio::spawn(choose(url));
                Ok(accept)
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The first fields of the forms, in the order in which they are asked.
const FIRST: [&str; 3] = ["name", "guests", "workshops"];

/// Returns the answer to the form that begins with this field.
fn content(field: &str) -> Value {
    match field {
        "name" => json!({ "name": "Ada Lovelace", "email": "ada@example.com", "website": "https://example.com/ada" }),
        "guests" => {
            json!({ "guests": 1, "donation": 12.5, "arrives": "2026-12-04", "taxi": "2026-12-06T17:30:00+01:00",
            "meals": "vegan", "shirt": "m", "transport": "train", "photos": true })
        }
        "workshops" => json!({ "workshops": ["ffi", "async"] }),
        other => panic!("`{other}` begins no form"),
    }
}

/// Chooses a password at the page. The page responds when the tool waits for the password.
async fn choose(url: String) {
    let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).unwrap();
    let body = "password=correct horse battery staple\r\n";
    let length = body.len();
    let mut page = TcpStream::connect(host).await.unwrap();
    page.write_all(format!("POST /{path} HTTP/1.1\r\ncontent-length: {length}\r\n\r\n{body}").as_bytes())
        .await
        .unwrap();
    page.read_to_end(&mut Vec::new()).await.unwrap();
}

#[tokio::test]
async fn fills_in_every_kind_of_field_and_opens_a_page() {
    for way in asking() {
        let has_pages = way.version >= ProtocolVersion::V_2025_11_25;
        let mut elicitation = ElicitationCapability::default();
        if has_pages {
            elicitation.form = Some(FormElicitationCapability::default());
            elicitation.url = Some(UrlElicitationCapability::default());
        }
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        let config = ClientConfig::new(capabilities, Default::default()).with_protocol_version(way.version.clone());
        let client = connect_as(User { config, forms: Arc::default() }, "signup", &way).await;

        let signed_up = call(&client, "sign_up", json!({})).await;
        let rest = if has_pages { "2." } else { "0. They have no password yet." };
        assert_eq!(
            text(&signed_up),
            format!("Ada Lovelace is number 1: from 2026-12-04, guests: 1, workshops: {rest}")
        );
        let mut forms = client.service().forms.lock().unwrap().clone();
        forms.iter().for_each(|form| check(&way.version, form));
        // Forms that come together are handled side by side.
        let place = |form: &Form| FIRST.iter().position(|first| *first == names(&form.schema["properties"])[0]);
        forms.sort_by_key(place);
        assert_eq!(forms.len(), if has_pages { 3 } else { 2 });
        for (form, first) in forms.iter().zip(FIRST) {
            assert_eq!(names(&form.schema["properties"]), names(&content(first)));
        }
        client.close().await;
    }
}
