//! The code of the page `asking`.
#![cfg(test)]

use std::{fmt, time::Duration};

use mcp_runtime::{
    Result, Revision, Service,
    elicit::{ElicitRequest, Email, FormField, MultiSelect, OnDecline, Shape},
    plugin::{Plugin, PluginHost},
    prelude::*,
    testing::Client,
};
use serde_json::{Value, json};

// ANCHOR: forms
#[elicits]
#[derive(Debug)]
enum Delivery {
    /// Where the parcel goes.
    Recipient {
        /// As on the doorbell.
        #[elicit(title = "Name", min_length = 2, max_length = 60)]
        name: String,
        email: Option<Email>,
        #[elicit(title = "Parcels", default = 1, min = 1, max = 9)]
        parcels: u8,
        #[elicit(default = "door")]
        place: Place,
        #[elicit(max_items = 2)]
        extras: Option<MultiSelect<Extra>>,
    },
    /// When it comes.
    PickSlot { slot: String },
    #[elicit(key = "sure")]
    Confirm { confirmed: bool },
}

#[derive(Choice, Debug, PartialEq)]
enum Place {
    Door,
    #[choice(title = "With a neighbour")]
    Neighbour,
}

#[derive(Choice, Debug)]
enum Extra {
    Insurance,
    Signature,
}
// ANCHOR_END: forms

// ANCHOR: several_questions
/// Sends a parcel, as the user says.
#[mcp_tool(destructive = false)]
async fn send_parcel(ctx: &Ctx<Delivery>, weight_grams: u32) -> Result<String> {
    let to = ctx.elicit::<Recipient>("Who gets the parcel?").strict().await?;

    let slots = free_slots(weight_grams);
    let ask = ctx.elicit::<PickSlot>(format!("When does {} want it?", to.name));
    let when = ask.choices(PickSlot::SLOT, slots).default_for(PickSlot::SLOT, "am").strict().await?;

    match ctx.elicit::<Confirm>(format!("Send it to {}, {}?", to.name, when.slot)).await? {
        Elicited::Accept(Confirm { confirmed: true }) => Ok(format!("sent to {}, {}", to.name, when.slot)),
        Elicited::Accept(_) | Elicited::Decline => Ok("The user does not want to send it.".to_owned()),
        Elicited::Cancel => Ok("The user closed the form. Ask whether they still want to send it.".to_owned()),
    }
}

fn free_slots(_weight_grams: u32) -> [(&'static str, &'static str); 2] {
    [("am", "Tomorrow morning"), ("pm", "Tomorrow afternoon")]
}
// ANCHOR_END: several_questions

fn desk() -> Service {
    Server::new("desk", "1.0.0").tools(tools![send_parcel]).build().unwrap()
}

fn ada() -> Recipient {
    Recipient { name: "Ada".into(), email: None, parcels: 1, place: Place::Door, extras: None }
}

// ANCHOR: answered_in_both_eras
#[tokio::test]
async fn asks_the_same_in_a_session_and_in_rounds() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&desk(), revision);
        let sent = client
            .call("send_parcel", json!({ "weight_grams": 900 }))
            .accept(ada())
            .accept(PickSlot { slot: "pm".into() })
            .accept(Confirm { confirmed: true })
            .await;
        assert_eq!(sent.text(), "sent to Ada, pm");
        assert_eq!(sent.asked()[1].message(), "When does Ada want it?");
    }
}
// ANCHOR_END: answered_in_both_eras

// ANCHOR: form_on_the_wire
#[tokio::test]
async fn a_form_is_a_flat_schema() {
    let mut client = Client::modern(&desk());
    let declined = client.call("send_parcel", json!({ "weight_grams": 900 })).decline().await;
    let form = json!({
        "type": "object",
        "properties": {
            "name": {
                "type": "string", "title": "Name", "description": "As on the doorbell.", "minLength": 2, "maxLength": 60
            },
            "email": { "type": "string", "format": "email" },
            "parcels": { "type": "integer", "title": "Parcels", "minimum": 1, "maximum": 9, "default": 1 },
            "place": {
                "type": "string",
                "oneOf": [
                    { "const": "door", "title": "Door" },
                    { "const": "neighbour", "title": "With a neighbour" }
                ],
                "default": "door"
            },
            "extras": {
                "type": "array", "maxItems": 2, "items": { "type": "string", "enum": ["insurance", "signature"] }
            }
        },
        "required": ["name"]
    });
    assert_eq!(declined.asked()[0].schema(), Some(&form));
}
// ANCHOR_END: form_on_the_wire

// ANCHOR: rounds
/// Since 2026-07-28 each question is a result, and each answer is a new request of the client.
#[tokio::test]
async fn a_question_ends_the_round() {
    let mut client = Client::modern(&desk());
    let call = client.call("send_parcel", json!({ "weight_grams": 900 }));
    let sent = call.accept(ada()).accept(PickSlot { slot: "am".into() }).accept(Confirm { confirmed: true }).await;
    assert_eq!(sent.rounds(), 4);

    let replies = sent.transcript().received();
    assert_eq!(replies[2]["result"]["resultType"], "input_required");
    let questions = json!({ "sure": {
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": "Send it to Ada, am?",
            "requestedSchema": {
                "type": "object", "properties": { "confirmed": { "type": "boolean" } }, "required": ["confirmed"]
            }
        }
    }});
    assert_eq!(replies[2]["result"]["inputRequests"], questions);

    let last = &sent.transcript().sent()[3]["params"];
    assert_eq!(last["inputResponses"], json!({ "sure": { "action": "accept", "content": { "confirmed": true } } }));
    assert_eq!(last["requestState"], replies[2]["result"]["requestState"]);
}
// ANCHOR_END: rounds

// ANCHOR: session
/// Before, the server asks with a request of its own while the call is open.
#[tokio::test]
async fn a_question_is_a_request_in_a_session() {
    let mut client = Client::legacy(&desk(), Revision::V2025_11_25);
    let declined = client.call("send_parcel", json!({ "weight_grams": 900 })).decline().await;
    let methods: Vec<Value> = declined.transcript().received().iter().map(|one| one["method"].clone()).collect();
    assert_eq!(methods, [json!("elicitation/create"), Value::Null]);
}
// ANCHOR_END: session

// ANCHOR: invalid_answer
#[tokio::test]
async fn an_invalid_answer_is_asked_again_with_the_reason() {
    let mut client = Client::modern(&desk());
    let call = client.call("send_parcel", json!({ "weight_grams": 900 }));
    let wrong = || json!({ "action": "accept", "content": { "name": "A", "parcels": 12 } });
    let failed = call.answer(wrong()).answer(wrong()).await;
    assert_eq!(
        failed.asked()[1].message(),
        "Who gets the parcel?\n\nThe last answer did not fit:\n\
         - Name: got \"A\" (1 character), must have between 2 and 60 characters (As on the doorbell)\n\
         - Parcels: got 12, must be between 1 and 9",
    );
    // The second invalid answer is the last. The model reads what was wrong.
    assert!(failed.is_error());
    assert!(failed.text().starts_with("the answer does not fit:"), "{}", failed.text());
}
// ANCHOR_END: invalid_answer

#[tokio::test]
async fn declining_a_strict_question_is_an_error_that_the_model_reads() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&desk(), revision);
        let declined = client.call("send_parcel", json!({ "weight_grams": 900 })).decline().await;
        assert!(declined.is_error());
        assert_eq!(declined.text(), "the user declined");
        let cancelled = client.call("send_parcel", json!({ "weight_grams": 900 })).cancel().await;
        assert_eq!(cancelled.text(), "the user cancelled");
        let call = client.call("send_parcel", json!({ "weight_grams": 900 }));
        let closed = call.accept(ada()).accept(PickSlot { slot: "am".into() }).cancel().await;
        assert!(closed.text().starts_with("The user closed the form."));
    }
}

#[tokio::test]
async fn many_answers_leave_fields_out() {
    let mut client = Client::modern(&desk());
    let call = client.call("send_parcel", json!({ "weight_grams": 900 }));
    let empty = json!({ "action": "accept", "content": { "name": "Ada", "email": "", "parcels": null, "extras": [] } });
    let sent = call.answer(empty).accept(PickSlot { slot: "am".into() }).decline().await;
    assert_eq!(sent.asked().len(), 3);
}

#[tokio::test]
async fn an_old_client_lacks_several_choices_in_one_field() {
    let mut client = Client::legacy(&desk(), Revision::V2025_06_18);
    let failed = client.call("send_parcel", json!({ "weight_grams": 900 })).await;
    assert!(failed.text().contains("does not support several choices in one field (`extras`)"), "{}", failed.text());
}

// ANCHOR: together
#[elicits]
enum Visit {
    Guest { name: String },
    Car { plate: Option<String> },
}

/// Asks who comes, and registers the visitor for today.
#[mcp_tool]
async fn register_visitor(ctx: &Ctx<Visit>) -> Result<String> {
    let (guest, car) = tokio::try_join!(
        ctx.elicit::<Guest>("Who comes?").strict(),
        ctx.elicit::<Car>("Which car needs a place?").strict(),
    )?;
    Ok(format!("{}, {}", guest.name, car.plate.as_deref().unwrap_or("on foot")))
}
// ANCHOR_END: together

// ANCHOR: retries
/// Registers a visitor whose car needs a place. The user has five minutes, and two more tries.
#[mcp_tool]
async fn register_driver(ctx: &Ctx<Visit>) -> Result<String> {
    let ask = ctx.elicit::<Car>("Which car?").retry(2).on_decline(OnDecline::Again).timeout(Duration::from_secs(300));
    Ok(ask.strict().await?.plate.unwrap_or_default())
}
// ANCHOR_END: retries

// ANCHOR: without_forms
/// Registers a visitor, with the number of the car if the client can ask for it.
#[mcp_tool(optional(elicitation))]
async fn register(ctx: &Ctx<Visit>, name: String) -> Result<String> {
    if !ctx.client().can_elicit() {
        return Ok(format!("{name} is registered without a car. Ask the user for the plate, and register it later."));
    }
    let car = ctx.elicit::<Car>("Which car?").strict().await?;
    Ok(format!("{name}, {}", car.plate.as_deref().unwrap_or("on foot")))
}
// ANCHOR_END: without_forms

#[tokio::test]
async fn questions_that_are_awaited_together_leave_together() {
    let service =
        Server::new("gate", "1.0.0").tools(tools![register_visitor, register, register_driver]).build().unwrap();
    let mut client = Client::modern(&service);
    let guest = || Guest { name: "Ada".into() };
    let registered = client.call("register_visitor", ()).accept(guest()).accept(Car { plate: None }).await;
    assert_eq!((registered.text().as_str(), registered.rounds()), ("Ada, on foot", 2));

    let driver = client.call("register_driver", ()).decline().decline().accept(Car { plate: Some("X 1".into()) });
    assert_eq!(driver.await.text(), "X 1");

    let mut without = Client::modern(&service).capabilities(json!({}));
    let registered = without.call("register", json!({ "name": "Ada" })).await;
    assert!(registered.text().contains("without a car"));
    let rejected = without.call("register_visitor", ()).await;
    assert_eq!(rejected.error().unwrap().code, -32021);
    let mut old = Client::legacy(&service, Revision::V2025_11_25).capabilities(json!({}));
    let listed: Vec<Value> = old.tools().await.into_iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(listed, ["register"]);
    let with_forms = client.call("register", json!({ "name": "Ada" })).accept(Car { plate: None }).await;
    assert_eq!(with_forms.text(), "Ada, on foot");
}

// ANCHOR: own_field
/// The code of a country.
#[derive(Debug)]
struct Country(String);

impl FormField for Country {
    const SHAPE: Shape = String::SHAPE;

    fn read(answer: Value) -> Result<Self, String> {
        let code = String::read(answer)?;
        let fits = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
        if fits { Ok(Self(code)) } else { Err("a country is two capital letters, such as NO".into()) }
    }

    fn write(self) -> Value {
        self.0.write()
    }
}

#[elicits]
enum Customs {
    Origin { country: Country },
}

/// Declares where a parcel comes from.
#[mcp_tool]
async fn declare(ctx: &Ctx<Customs>) -> Result<Text<Country>> {
    Ok(Text(ctx.elicit::<Origin>("Where does it come from?").strict().await?.country))
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
// ANCHOR_END: own_field

#[tokio::test]
async fn the_user_reads_why_a_type_rejects_an_answer() {
    let service = Server::new("customs", "1.0.0").tools(tools![declare]).build().unwrap();
    let mut client = Client::modern(&service);
    let norway = json!({ "action": "accept", "content": { "country": "Norway" } });
    let declared = client.call("declare", ()).answer(norway).accept(Origin { country: Country("NO".into()) }).await;
    assert!(declared.asked()[1].message().contains("a country is two capital letters, such as NO"));
    assert_eq!(declared.text(), "NO");
}

// ANCHOR: application
/// Answers the forms of `declare` in an application, without a client.
struct Office;

impl CustomsHandler for Office {
    async fn origin(&self, request: ElicitRequest<'_, Origin>) -> Elicited<Origin> {
        assert_eq!(request.message(), "Where does it come from?");
        Elicited::Accept(Origin { country: Country("NO".to_owned()) })
    }
}

#[tokio::test]
async fn an_application_answers_the_forms() {
    let tool = Plugin::new(declare {}).on_elicit(Office);
    let host = PluginHost::builder(Server::new("customs", "1.0.0")).plugin(tool).start().await.unwrap();
    let call = host.plugin("declare").unwrap().call(json!({})).await.unwrap();
    assert_eq!(call.outcome().await.text(), "NO");
}
// ANCHOR_END: application

// ANCHOR: page
/// Connects the calendar of the user.
#[mcp_tool(requires(elicitation_url))]
async fn connect_calendar(pages: &Pages, ctx: &Ctx) -> Result<String> {
    let page = pages.open();
    let url = format!("https://desk.example/connect/{page}");
    let visited = ctx.elicit_url("connect", url, "Sign in to your calendar.").await?;
    // The user agreed to open the page. The page says when they are done.
    let account = pages.signed_in(page).await;
    visited.complete();
    Ok(format!("The calendar of {account} is connected."))
}
// ANCHOR_END: page

struct Pages;

impl Pages {
    fn open(&self) -> u32 {
        81
    }

    async fn signed_in(&self, _page: u32) -> &'static str {
        "Ada"
    }
}

#[tokio::test]
async fn a_secret_is_asked_on_a_page() {
    let service = Server::new("desk", "1.0.0").state(Pages).tools(tools![connect_calendar]).build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let connected = client.call("connect_calendar", ()).accept_url().await;
        assert_eq!(connected.asked()[0].url(), Some("https://desk.example/connect/81"));
        assert_eq!(connected.text(), "The calendar of Ada is connected.");
        let completes = connected.transcript().to_string().contains("notifications/elicitation/complete");
        assert_eq!(completes, revision == Revision::V2025_11_25);
        assert_eq!(client.call("connect_calendar", ()).decline().await.text(), "the user declined");
    }
}

#[test]
fn a_choice_is_known_by_its_name() {
    assert_eq!(Place::at(1), Some(Place::Neighbour));
}
