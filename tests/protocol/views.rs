//! Views: what tools say about them, how they are served, and forms that a view renders.

use mcp_runtime::{
    CallToolResult, Result,
    prelude::*,
    testing,
    tool::{DynamicTool, ToolDefinition},
    view::{ToolVisibility, View, ViewDefinition},
};
use serde_json::{Value, json};

use crate::protocol::{
    Revision,
    client::{Client, modern},
};

const UI: &str = "io.modelcontextprotocol/ui";
const MIME_TYPE: &str = "text/html;profile=mcp-app";
const PAGE: &str = include_str!("views/seats.html");

/// The seats of a flight.
#[mcp_view(
    "ui://flights/seats",
    html = "views/seats.html",
    title = "Seats",
    csp(connect = "https://api.example", resource = ["https://cdn.example", "https://*.tiles.example"]),
    permissions(geolocation, clipboard_write),
    prefers_border,
    domain = "seats.example"
)]
struct SeatMap;

/// A page that loads nothing.
#[mcp_view("ui://flights/note", html = "views/note.html")]
struct Note;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Seats {
    free: Vec<&'static str>,
}

/// Shows the free seats.
#[mcp_tool(view = SeatMap, read_only)]
async fn show_seats() -> Json<Seats> {
    Json(Seats { free: vec!["1A"] })
}

/// Reads the seats again.
#[mcp_tool(visibility = "app", meta("example.com/a" = 1))]
async fn refresh_seats() -> Json<Seats> {
    Json(Seats { free: vec!["1A"] })
}

/// Reserves a seat.
#[mcp_tool(view = Note, visibility = "model")]
async fn reserve(blank: Option<bool>) -> Result<CallToolResult> {
    let result = CallToolResult::json(&json!({ "seat": "1A" }))?;
    Ok(match blank {
        None => result.text("reserved"),
        Some(true) => result.text(" "),
        Some(false) => result,
    })
}

#[elicits]
enum Booking {
    #[elicit(view = SeatMap)]
    PickSeat {
        #[elicit(min_length = 2)]
        seat: String,
    },
    Confirm {
        confirmed: bool,
    },
}

/// Books a seat.
#[mcp_tool(replayable)]
async fn book(ctx: &Ctx<Booking>) -> Result<String> {
    let seats = [("1A", "1A, window"), ("2C", "2C, aisle")];
    let picked = ctx.elicit::<PickSeat>("Which seat?").choices(PickSeat::SEAT, seats).strict().await?;
    let confirmed = ctx.elicit::<Confirm>(format!("Book {}?", picked.seat)).strict().await?;
    Ok(format!("{} {}", picked.seat, confirmed.confirmed))
}

fn server() -> Server {
    Server::new("flights", "1").tools(tools![show_seats, refresh_seats, reserve])
}

/// Returns what the server declares about views.
async fn declared(client: &mut Client, revision: Revision) -> Value {
    let mut result = match revision.is_modern() {
        true => client.result("server/discover", json!({})).await,
        false => client.initialize().await,
    };
    result["capabilities"]["extensions"][UI].take()
}

#[tokio::test]
async fn a_tool_names_its_view_and_the_view_is_served() {
    let service = server().build().unwrap();
    for revision in Revision::ALL.into_iter().filter(|revision| *revision >= Revision::V2025_06_18) {
        let mut client = Client::open(&service, revision).await;
        let tools = client.result("tools/list", json!({})).await["tools"].take();
        let expected = [
            json!({ "ui": { "resourceUri": "ui://flights/seats" }, "ui/resourceUri": "ui://flights/seats" }),
            json!({ "ui": { "visibility": ["app"] }, "example.com/a": 1 }),
            json!({
                "ui": { "resourceUri": "ui://flights/note", "visibility": ["model"] },
                "ui/resourceUri": "ui://flights/note",
            }),
        ];
        for (tool, expected) in tools.as_array().unwrap().iter().zip(expected) {
            assert_eq!(tool["_meta"], expected, "{revision}");
        }

        let ui = json!({
            "csp": {
                "connectDomains": ["https://api.example"],
                "resourceDomains": ["https://cdn.example", "https://*.tiles.example"],
            },
            "permissions": { "geolocation": {}, "clipboardWrite": {} },
            "domain": "seats.example",
            "prefersBorder": true,
        });
        let resources = client.result("resources/list", json!({})).await["resources"].take();
        let listed = json!({
            "uri": "ui://flights/seats",
            "name": "seat_map",
            "title": "Seats",
            "description": "The seats of a flight.",
            "mimeType": MIME_TYPE,
            "size": PAGE.len(),
            "_meta": { "ui": ui },
        });
        assert_eq!(resources[0], listed, "{revision}");
        assert_eq!(resources[1]["name"], "note", "{revision}");
        assert_eq!(resources[1].get("_meta"), None, "{revision}");
        assert_eq!(resources.as_array().unwrap().len(), 2, "{revision}");

        let read = client.result("resources/read", json!({ "uri": "ui://flights/seats" })).await;
        let contents =
            json!([{ "uri": "ui://flights/seats", "mimeType": MIME_TYPE, "text": PAGE, "_meta": { "ui": ui } }]);
        assert_eq!(read["contents"], contents, "{revision}");
        client.works().await;
    }
}

#[tokio::test]
async fn the_extension_is_declared_if_a_view_is_used_whatever_the_client_declares() {
    let (with, without) = (server().build().unwrap(), Server::new("s", "1").tools(tools![refresh]).build().unwrap());
    for revision in Revision::ALL {
        for extensions in [json!({}), json!({ UI: { "mimeTypes": [MIME_TYPE] } })] {
            let mut client = Client::silent(&with, revision);
            if revision.is_modern() {
                client.capabilities = json!({ "extensions": extensions });
            }
            let expected = if revision >= Revision::V2025_06_18 { json!({}) } else { Value::Null };
            assert_eq!(declared(&mut client, revision).await, expected, "{revision}");
        }
        let mut client = Client::silent(&without, revision);
        assert_eq!(declared(&mut client, revision).await, Value::Null, "{revision}");
    }

    /// Reads everything again.
    #[mcp_tool]
    async fn refresh() {}
}

#[tokio::test]
async fn older_revisions_get_the_tools_without_views() {
    let service = server().build().unwrap();
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        let mut client = Client::open(&service, revision).await;
        let tools = client.result("tools/list", json!({})).await["tools"].take();
        assert!(tools.as_array().unwrap().iter().all(|tool| tool.get("_meta").is_none()), "{revision}");
        assert_eq!(client.call("show_seats", json!({})).await["content"][0]["text"], r#"{"free":["1A"]}"#);
        client.works().await;
    }
}

#[tokio::test]
async fn a_result_with_a_view_always_has_a_text() {
    let mut client = Client::open(&server().build().unwrap(), Revision::LATEST).await;
    let shown = client.call("show_seats", json!({})).await;
    assert_eq!(shown["structuredContent"], json!({ "free": ["1A"] }));
    assert_eq!(shown["content"][0]["text"], r#"{"free":["1A"]}"#);
    let reserved = client.call("reserve", json!({})).await;
    assert_eq!(reserved["content"], json!([{ "type": "text", "text": "reserved" }]));
    assert_eq!(reserved["structuredContent"], json!({ "seat": "1A" }));
    assert_eq!(client.call("reserve", json!({ "blank": true })).await["content"][0]["text"], r#"{"seat":"1A"}"#);
    assert_eq!(client.call("reserve", json!({ "blank": false })).await["content"][0]["text"], r#"{"seat":"1A"}"#);
}

#[tokio::test]
async fn a_hand_written_view_is_served_and_can_be_added_to_a_running_server() {
    struct Clock;

    impl View for Clock {
        const DEFINITION: &'static ViewDefinition =
            &ViewDefinition::new("ui://clock/face", "face", "<!doctype html><title>Clock</title>");
    }

    let clock = |name: &str| {
        let definition = ToolDefinition::new(name.to_owned(), "Tells the time.");
        let definition = definition.view::<Clock>().visibility(ToolVisibility::App);
        DynamicTool::new(definition, async |_: Ctx, _: Value| "noon")
    };
    let service = Server::new("clock", "1").dynamic_tools().dynamic_resources().build().unwrap();
    let mut client = Client::open(&service, Revision::LATEST).await;
    assert_eq!(declared(&mut client, Revision::LATEST).await, Value::Null);
    service.tools().add(clock("now")).unwrap();
    service.tools().add(clock("again")).unwrap();
    assert_eq!(declared(&mut client, Revision::LATEST).await, json!({}));
    assert_eq!(service.resources().names(), ["face"]);
    let read = client.result("resources/read", json!({ "uri": "ui://clock/face" })).await;
    assert_eq!(read["contents"][0]["mimeType"], MIME_TYPE);
    service.tools().remove("now");
    assert_eq!(service.resources().names(), ["face"]);
}

#[test]
fn build_rejects_views_that_cannot_be_served() {
    struct Bad<const N: usize>;

    impl View for Bad<0> {
        const DEFINITION: &'static ViewDefinition = &ViewDefinition::new("ui://flights/seats", "other", PAGE);
    }
    impl View for Bad<1> {
        const DEFINITION: &'static ViewDefinition = &ViewDefinition::new("https://flights/seats", "seats", PAGE);
    }
    impl View for Bad<2> {
        const DEFINITION: &'static ViewDefinition = &ViewDefinition::new("ui://a/b", "b", "<p>");
    }
    impl View for Bad<3> {
        const DEFINITION: &'static ViewDefinition = &ViewDefinition::new("ui://a/b", "b", PAGE).connect(&["*"]);
    }
    impl View for Bad<4> {
        const DEFINITION: &'static ViewDefinition = &ViewDefinition::new("ui://a/b", "seat_map", PAGE);
    }
    impl View for Bad<5> {
        const DEFINITION: &'static ViewDefinition = &ViewDefinition::new("ui://a/c", "c", PAGE);
    }

    fn problem<V: View>() -> String {
        let bad = DynamicTool::new(ToolDefinition::new("bad", "Bad.").view::<V>(), async |_: Ctx, _: Value| "bad");
        let error = server().tool(bad).resources(resources![taken]).build().unwrap_err();
        let [problem] = error.problems() else { panic!("{error}") };
        problem.clone()
    }

    /// Takes a URI of a view.
    #[mcp_resource("ui://a/c")]
    async fn taken() -> &'static str {
        ""
    }

    for (problem, expected) in [
        (
            problem::<Bad<0>>(),
            "two views have the URI `ui://flights/seats`: one is declared at tests/protocol/views.rs:",
        ),
        (problem::<Bad<1>>(), "view `seats`: `https://flights/seats`: the URI of a view begins with `ui://`"),
        (problem::<Bad<2>>(), "view `b`: its page is not an HTML document; begin it with `<!doctype html>`"),
        (problem::<Bad<3>>(), "view `b`: `*` is not an origin; write a scheme and a host without a path"),
        (problem::<Bad<4>>(), "view `seat_map`: another resource has this name; write `name = \"…\"`"),
        (problem::<Bad<5>>(), "view `c`: another resource has the URI `ui://a/c`"),
    ] {
        assert!(problem.starts_with(expected), "{problem}");
    }
}

/// The capabilities of a client that renders forms with views.
fn renders(elicitation: Value) -> Value {
    json!({ "elicitation": elicitation, "extensions": { UI: { "mimeTypes": [MIME_TYPE], "elicitation": {} } } })
}

#[tokio::test]
async fn a_form_names_its_view_only_to_clients_that_render_forms_with_views() {
    let service = Server::new("s", "1").tools(tools![book]).build().unwrap();
    let view = json!({ "ui": { "resourceUri": "ui://flights/seats" } });
    let mut forms = Vec::new();
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        for (capabilities, expected) in [
            (renders(json!({ "form": {} })), Some(&view)),
            (renders(json!({})), Some(&view)),
            (json!({ "elicitation": { "form": {} } }), None),
            (json!({ "elicitation": {}, "extensions": { UI: { "mimeTypes": [MIME_TYPE] } } }), None),
        ] {
            let mut client = testing::Client::new(&service, revision).capabilities(capabilities.clone());
            let booked = client
                .call("book", ())
                .accept(PickSeat { seat: "3D".into() })
                .accept(PickSeat { seat: "2C".into() })
                .accept(Confirm { confirmed: true })
                .await;
            assert_eq!(booked.text(), "2C true", "{revision} {capabilities}");
            let [first, again, confirm] = booked.asked() else { panic!("{:?}", booked.asked()) };
            assert_eq!(first.params().get("_meta"), expected, "{revision} {capabilities}");
            assert_eq!(again.params().get("_meta"), expected, "{revision} {capabilities}");
            assert!(again.message().contains("The last answer did not fit"), "{}", again.message());
            assert_eq!(confirm.params().get("_meta"), None, "{revision} {capabilities}");
            // Without the view, the question is the same in all of its parts.
            let mut params = first.params().clone();
            params.as_object_mut().unwrap().remove("_meta");
            forms.push((revision, params));
        }
    }
    for (revision, form) in &forms {
        assert!(forms.iter().filter(|(of, _)| of == revision).all(|(_, other)| other == form), "{revision}");
    }
}

#[tokio::test]
async fn the_server_declares_forms_rendered_by_a_view_and_serves_the_view() {
    let service = Server::new("s", "1").tools(tools![book]).build().unwrap();
    for revision in Revision::ALL.into_iter().filter(|revision| *revision >= Revision::V2025_06_18) {
        let mut client = Client::silent(&service, revision);
        assert_eq!(declared(&mut client, revision).await, json!({ "elicitation": {} }), "{revision}");
    }
    let manifest = service.manifest();
    assert_eq!(manifest["resources"][0]["uri"], "ui://flights/seats");
    assert_eq!(manifest["tools"][0]["forms"][0]["view"], "ui://flights/seats");
    assert_eq!(manifest["tools"][0]["forms"][1].get("view"), None);
}

#[tokio::test]
async fn a_call_can_move_from_a_client_with_views_to_one_without() {
    let mut memory = Server::new("s", "1").tools(tools![book]).build().unwrap().memory();
    let mut call = async |capabilities: Value, round: Value| {
        let mut params = json!({ "name": "book", "arguments": {} });
        params.as_object_mut().unwrap().extend(round.as_object().unwrap().clone());
        let params = modern(params, &capabilities);
        memory.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()).await;
        let mut response: Value = serde_json::from_str(&memory.receive().await.unwrap()).unwrap();
        response["result"].take()
    };
    let asked = call(renders(json!({})), json!({})).await;
    assert_eq!(asked["inputRequests"]["pick_seat"]["params"]["_meta"]["ui"]["resourceUri"], "ui://flights/seats");
    let answer = json!({ "pick_seat": { "action": "accept", "content": { "seat": "1A" } } });
    let round = json!({ "inputResponses": answer, "requestState": asked["requestState"] });
    let asked = call(json!({ "elicitation": {} }), round).await;
    assert!(asked["inputRequests"]["confirm"]["params"].is_object(), "{asked}");
}

#[tokio::test]
async fn the_scripted_client_opens_a_view_as_a_host_does() {
    let service = server().build().unwrap();
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let view = testing::Client::new(&service, revision).view("show_seats").await;
        assert_eq!((view.uri(), view.html()), ("ui://flights/seats", PAGE));
        assert_eq!(view.meta()["csp"]["connectDomains"][0], "https://api.example");
    }
}

#[tokio::test]
#[should_panic(expected = "the tool `refresh_seats` has no view in 2026-07-28; write `#[mcp_tool(view = …)]`")]
async fn the_scripted_client_says_that_a_tool_has_no_view() {
    testing::Client::modern(&server().build().unwrap()).view("refresh_seats").await;
}

#[tokio::test]
#[should_panic(
    expected = "hosts cannot show the view of the tool `by_hand`:\n  - the server does not declare the extension"
)]
async fn the_scripted_client_lists_what_stops_a_host() {
    /// Names a view by hand.
    #[mcp_tool(meta(ui = json!({ "resourceUri": "ui://a/b" })))]
    async fn by_hand() {}

    /// A page that is not a view.
    #[mcp_resource("ui://a/b", mime_type = "text/html")]
    async fn page() -> &'static str {
        "<p>"
    }

    let service = Server::new("s", "1").tools(tools![by_hand]).resources(resources![page]).build().unwrap();
    testing::Client::modern(&service).view("by_hand").await;
}

struct Runs(Vec<(&'static str, &'static str)>);

#[derive(serde::Serialize)]
struct Run {
    title: String,
    steps: Vec<u8>,
}

/// A run.
#[mcp_view("ui://runs/{id}", html = "views/run.html", csp(connect = "https://api.example"), register = RunPage)]
async fn run_page(runs: &Runs, id: String) -> Option<Json<Run>> {
    let (_, title) = runs.0.iter().find(|(known, _)| *known == id)?;
    Some(Json(Run { title: (*title).to_owned(), steps: vec![1, 2] }))
}

/// The last run.
#[mcp_view("ui://runs/last", html = "views/run.html", register = LastRun)]
async fn last_run(runs: &Runs) -> Json<Run> {
    Json(Run { title: runs.0[0].1.to_owned(), steps: Vec::new() })
}

/// Shows the last run.
#[mcp_tool(view = LastRun)]
async fn show_run() -> Json<u8> {
    Json(1)
}

#[tokio::test]
async fn a_function_fills_in_its_page_with_escaped_state() {
    let runs = Runs(vec![("7", "<b>\"Build\" & 'test'</b></script>")]);
    let service =
        Server::new("s", "1").state(runs).tools(tools![show_run]).resources(resources![RunPage]).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        let read = client.result("resources/read", json!({ "uri": "ui://runs/7" })).await["contents"][0].take();
        assert_eq!(read["mimeType"], MIME_TYPE, "{revision}");
        let html = read["text"].as_str().unwrap();
        let escaped = "&lt;b&gt;&quot;Build&quot; &amp; &#39;test&#39;&lt;/b&gt;&lt;/script&gt;";
        assert!(html.contains(&format!("<h1 title=\"{escaped}\">{escaped}</h1>")), "{html}");
        let state = html.split("type=\"application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
        let state: Value = serde_json::from_str(state).unwrap();
        assert_eq!(state, json!({ "title": "<b>\"Build\" & 'test'</b></script>", "steps": [1, 2] }));
        client.error("resources/read", json!({ "uri": "ui://runs/8" })).await;
        client.works().await;
    }
    let mut client = testing::Client::modern(&service);
    assert!(client.view("show_run").await.html().contains("\"steps\":[]"));
    let templates = client.templates().await;
    assert_eq!(templates[0]["mimeType"], MIME_TYPE);
    assert_eq!(templates[0]["_meta"]["ui"]["csp"]["connectDomains"], json!(["https://api.example"]));
}

#[tokio::test]
async fn a_page_that_is_added_as_a_resource_too_is_served_once() {
    let server = Server::new("s", "1").state(Runs(vec![("7", "")])).tools(tools![show_run]);
    let service = server.resources(resources![LastRun]).build().unwrap();
    assert_eq!(service.resources().names(), ["last_run"]);
}
