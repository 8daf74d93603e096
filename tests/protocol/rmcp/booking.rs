//! The tool `book_flight` of the example `flights`: two forms, and everything a user may do with them.
//!
//! `rmcp` reads forms into types of its own, so what is held against the official schema here is what it made of
//! them. It judges no answer: whatever its handler gives leaves as it is, and it fills no defaults in.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use ::rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationCapability, ErrorCode, ProtocolVersion,
    },
    service::{RequestContext, ServiceError},
};
use mcp_runtime::Revision;
use serde_json::{Value, json};

use super::{
    call, connect, params, text,
    ways::{Connected, Way, asking, connect_as, every_way},
};
use crate::protocol::schema;

/// A client and its user. The user gives these answers in order.
#[derive(Clone)]
struct User {
    config: ClientConfig,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    forms: Arc<Mutex<Vec<Form>>>,
}

type Answer = Result<ElicitResult, ErrorData>;

#[derive(Clone)]
pub(super) struct Form {
    pub(super) message: String,
    pub(super) schema: Value,
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(&self, request: ElicitRequestParams, _: RequestContext<RoleClient>) -> Answer {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request else {
            panic!("not a form: {request:?}");
        };
        let schema = serde_json::to_value(&requested_schema).unwrap();
        self.forms.lock().unwrap().push(Form { message, schema });
        self.answers
            .lock()
            .unwrap()
            .pop_front()
            .unwrap_or_else(|| Err(ErrorData::internal_error("asked too often", None)))
    }
}

async fn with_user(way: &Way, answers: &[Answer]) -> Connected<User> {
    let mut capabilities = ClientCapabilities::default();
    capabilities.elicitation = Some(ElicitationCapability::default());
    let config = ClientConfig::new(capabilities, Default::default()).with_protocol_version(way.version.clone());
    let answers = Arc::new(Mutex::new(answers.iter().cloned().collect()));
    connect_as(User { config, answers, forms: Arc::default() }, "flights", way).await
}

/// Books a flight with these answers, and checks that the tool asks for all of them. Returns the result and the forms.
async fn book(way: &Way, answers: &[Answer]) -> (CallToolResult, Vec<Form>) {
    let client = with_user(way, answers).await;
    let result = call(&client, "book_flight", wanted()).await;
    let forms = client.service().forms.lock().unwrap().clone();
    assert_eq!(forms.len(), answers.len(), "{}", text(&result));
    for form in &forms {
        check(&way.version, form);
    }
    assert!(client.list_all_tools().await.unwrap().iter().any(|tool| tool.name == "book_flight"));
    client.close().await;
    (result, forms)
}

pub(super) fn check(version: &ProtocolVersion, Form { message, schema }: &Form) {
    let official = schema::of(Revision::parse(version.as_str()).unwrap());
    let params = json!({ "message": message, "requestedSchema": schema });
    if official.has("ElicitRequestFormParams") {
        official.check("ElicitRequestFormParams", &params);
    } else {
        official.check("ElicitRequest", &json!({ "method": "elicitation/create", "params": params }));
    }
}

fn wanted() -> Value {
    json!({ "destination": "OSL" })
}

fn accept(content: Value) -> Answer {
    Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
}

fn pick() -> Answer {
    accept(json!({ "flight_id": "AL136-04", "seat": "window" }))
}

fn confirm(confirmed: bool) -> Answer {
    accept(json!({ "confirmed": confirmed }))
}

fn decline() -> Answer {
    Ok(ElicitResult::new(ElicitationAction::Decline))
}

fn cancel() -> Answer {
    Ok(ElicitResult::new(ElicitationAction::Cancel))
}

/// Returns the choices of a field and their titles, in the notation of any revision.
fn choices(field: &Value) -> Vec<[&str; 2]> {
    let list = |name: &str| field[name].as_array().unwrap().iter();
    if field.get("oneOf").is_some() {
        list("oneOf").map(|choice| [&choice["const"], &choice["title"]].map(|text| text.as_str().unwrap())).collect()
    } else {
        list("enum")
            .zip(list("enumNames"))
            .map(|(name, title)| [name, title].map(|text| text.as_str().unwrap()))
            .collect()
    }
}

pub(super) fn names(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn booking_needs_a_client_with_forms() {
    for way in every_way() {
        let client = connect("flights", &way).await;
        let outcome = client.call_tool(params("book_flight", wanted())).await;
        if way.is_legacy() {
            let result = outcome.unwrap();
            assert_eq!(result.is_error, Some(true));
            assert!(
                text(&result).contains("`book_flight` needs a client that supports form elicitation"),
                "{}",
                text(&result)
            );
        } else {
            let Err(ServiceError::McpError(error)) = outcome else { panic!("{outcome:?}") };
            assert_eq!(error.code, ErrorCode(-32021));
        }
        client.close().await;
    }
}

#[tokio::test]
async fn a_flight_is_picked_and_confirmed() {
    for way in asking() {
        let (booked, forms) = book(&way, &[pick(), confirm(true)]).await;
        let words = text(&booked);
        assert!(words.starts_with("Booked Alpenlinie, BER to OSL on 2026-12-04, "), "{words}");
        assert!(words.ends_with(", a window seat. The ticket is AL136-04/48."), "{words}");

        let titled = way.version >= ProtocolVersion::V_2025_11_25;
        let [picking, confirming] = &forms[..] else { panic!("{} forms", forms.len()) };
        assert_eq!(picking.message, "Which flight to OSL?");
        assert_eq!(names(&picking.schema["properties"]), ["flight_id", "seat"]);
        assert_eq!(picking.schema["required"], json!(["flight_id"]));
        let flight_id = choices(&picking.schema["properties"]["flight_id"]);
        assert_eq!(flight_id[0][0], "AL122-04");
        assert!(flight_id.iter().all(|[_, title]| title.contains(" to OSL on 2026-12-0")), "{flight_id:?}");
        let seat = &picking.schema["properties"]["seat"];
        assert_eq!(choices(seat), [["window", "Window"], ["aisle", "Aisle"], ["none", "No preference"]]);
        assert_eq!(seat.get("default"), titled.then_some(&json!("none")));
        assert_eq!(seat.get("oneOf").is_some(), titled);
        assert_eq!(names(&confirming.schema["properties"]), ["confirmed"]);

        let (left_out, _) = book(&way, &[accept(json!({ "flight_id": "AL136-04" })), confirm(true)]).await;
        assert!(text(&left_out).contains(", any seat. "), "{}", text(&left_out));
    }
}

#[tokio::test]
async fn a_decline_is_a_result_and_books_nothing() {
    let cases = [
        (vec![decline()], "The user wants none of these flights. Nothing is booked."),
        (vec![cancel()], "The user closed the form. Nothing is booked"),
        (vec![pick(), decline()], "The user decided against AL136-04. Nothing is booked."),
        (vec![pick(), confirm(false)], "The user decided against AL136-04. Nothing is booked."),
        (vec![pick(), cancel()], "The user closed the form. Nothing is booked"),
    ];
    for way in asking() {
        for (answers, words) in &cases {
            let (result, _) = book(&way, answers).await;
            assert_ne!(result.is_error, Some(true));
            assert!(text(&result).starts_with(words), "{}", text(&result));
        }
    }
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_once() {
    let cases = [
        (json!({ "flight_id": "FJ171-04" }), "Flight", "`flight_id`", r#": got "FJ171-04""#),
        (json!({ "seat": "aisle" }), "Flight", "`flight_id`", ": missing"),
        (json!({ "flight_id": 108 }), "Flight", "`flight_id`", ": got 108"),
        (json!({ "flight_id": { "id": "AL136-04" } }), "Flight", "`flight_id`", ""),
        (json!({ "flight_id": "AL136-04", "seat": "wing" }), "Seat", "`seat`", r#": got "wing""#),
        (json!("AL136-04"), "", "", "`content` must be an object"),
    ];
    for way in asking() {
        for (wrong, title, name, reason) in &cases {
            let wrong = accept(wrong.clone());
            let (booked, forms) = book(&way, &[wrong.clone(), pick(), confirm(true)]).await;
            assert!(text(&booked).starts_with("Booked "), "{}", text(&booked));
            let why = forms[1].message.strip_prefix("Which flight to OSL?\n\nThe last answer did not fit:\n").unwrap();
            assert!(why.contains(&format!("{title}{reason}")), "{why}");
            assert_eq!(forms[0].schema, forms[1].schema);

            let (given_up, _) = book(&way, &[wrong.clone(), wrong]).await;
            assert_eq!(given_up.is_error, Some(true));
            assert!(text(&given_up).starts_with("the answer does not fit:"), "{}", text(&given_up));
            assert!(text(&given_up).contains(&format!("{name}{reason}")), "{}", text(&given_up));
        }
    }
}

#[tokio::test]
async fn a_client_error_is_an_error_of_the_call() {
    let broken = || Err(ErrorData::internal_error("the window is gone", None));
    for way in asking() {
        let client = with_user(&way, &[broken()]).await;
        let outcome = client.call_tool(params("book_flight", wanted())).await;
        if way.is_legacy() {
            let result = outcome.unwrap();
            assert_eq!(result.is_error, Some(true));
            assert_eq!(text(&result), "the client refused: the window is gone (code -32603)");
        } else {
            // It gives the call up and tells its caller.
            let Err(ServiceError::McpError(error)) = outcome else { panic!("{outcome:?}") };
            assert_eq!(error.message, "the window is gone");
        }
        client.close().await;
    }
}
