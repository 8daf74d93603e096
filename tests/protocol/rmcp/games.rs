//! The tool `play_ttt` of the example of this name: whole games, through the client's own model and forms.
//!
//! In 2026-07-28 the client goes along with ten rounds. A game takes eight at most, or is adjourned.

use std::sync::{Arc, Mutex};

use ::rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
        ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode, ProtocolVersion, SamplingCapability,
        SamplingMessage,
    },
    service::{RequestContext, ServiceError},
};
use mcp_runtime::Revision;
use serde_json::{Value, json};

use super::{
    call, connect, params, text,
    ways::{Way, asking, connect_as, every_way},
};
use crate::protocol::schema;

/// A client whose model and user each have a list of cells. They take the first free cell of their list.
#[derive(Clone)]
struct Players {
    config: ClientConfig,
    model: [u64; 9],
    user: [u64; 9],
    /// How often the model chooses a cell that is not free.
    errs: Arc<Mutex<usize>>,
    asked: Arc<Mutex<Vec<&'static str>>>,
}

impl ClientHandler for Players {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let request = serde_json::to_value(request).unwrap();
        schema::of(Revision::parse(self.config.protocol_version.as_str()).unwrap()).check(
            "CreateMessageRequest",
            &json!({ "jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": request }),
        );
        let content = &request["messages"][0]["content"];
        let prompt = content.get(0).unwrap_or(content)["text"].as_str().unwrap();
        let is_plan = prompt.contains("How do you play");
        self.asked.lock().unwrap().push(if is_plan { "plan" } else { "move" });
        let free = prompt.lines().find_map(|line| line.strip_prefix("Free cells: ")).unwrap();
        let mut errs = self.errs.lock().unwrap();
        let is_wrong = *errs > 0 && !is_plan && free.len() < "1, 2, 3, 4, 5, 6, 7, 8, 9".len();
        *errs -= usize::from(is_wrong);
        let cell = self.model.iter().find(|cell| free.contains(&cell.to_string()) != is_wrong).unwrap();
        // The tools that are offered, where there are any: `answer` stands for a value.
        let message = match (&request["tools"], is_plan) {
            (Value::Array(_), true) => {
                SamplingMessage::assistant_tool_use("c1", "defend", object(json!({ "line": "a column" })))
            }
            (Value::Array(_), false) => {
                SamplingMessage::assistant_tool_use("c2", "answer", object(json!({ "cell": cell })))
            }
            (_, true) => SamplingMessage::assistant_text("{\"tool\": \"defend\", \"input\": {\"line\": \"a column\"}}"),
            (_, false) => SamplingMessage::assistant_text(format!("I think:\n```json\n{{\"cell\": {cell}}}\n```")),
        };
        Ok(CreateMessageResult::new(message, "first-free".to_owned()))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = serde_json::to_value(request).unwrap();
        self.asked.lock().unwrap().push("user");
        let field = request["requestedSchema"]["properties"]["cell"].to_string();
        let is_free = |cell: &&u64| field.contains(&format!("\"{cell}\""));
        let cell = self.user.iter().find(is_free).unwrap().to_string();
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "cell": cell })))
    }
}

fn object(value: Value) -> ::rmcp::model::JsonObject {
    value.as_object().unwrap().clone()
}

struct Played {
    outcome: Value,
    cells: Value,
    asked: Vec<&'static str>,
}

async fn play(way: &Way, user_plays: &str, [model, user]: [[u64; 9]; 2], errs: usize) -> Played {
    let mut capabilities = ClientCapabilities::default();
    capabilities.elicitation = Some(ElicitationCapability::default());
    let mut sampling = SamplingCapability::default();
    sampling.tools = (way.version >= ProtocolVersion::V_2025_11_25).then(Default::default);
    capabilities.sampling = Some(sampling);
    let config = ClientConfig::new(capabilities, Default::default()).with_protocol_version(way.version.clone());
    let players = Players { config, model, user, errs: Arc::new(Mutex::new(errs)), asked: Arc::default() };
    let client = connect_as(players, "play_ttt", way).await;
    let result = call(&client, "play_ttt", json!({ "user_plays": user_plays })).await;
    let report: Value = serde_json::from_str(text(&result)).unwrap();
    assert_eq!(result.structured_content.as_ref(), Some(&report));
    let cells = report["moves"].as_array().unwrap().iter().map(|turn| turn["cell"].clone()).collect();
    let asked = client.service().asked.lock().unwrap().clone();
    client.close().await;
    Played { outcome: report["outcome"].clone(), cells, asked }
}

const IN_ORDER: [u64; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

fn counts(asked: &[&str]) -> [usize; 3] {
    ["plan", "move", "user"].map(|kind| asked.iter().filter(|asked| **asked == kind).count())
}

#[tokio::test]
async fn plays_games_to_the_end() {
    for way in asking() {
        let has_plans = usize::from(way.is_legacy());

        let won = play(&way, "O", [IN_ORDER, [4, 5, 6, 1, 2, 3, 7, 8, 9]], 0).await;
        assert_eq!((won.outcome, won.cells), (json!("model_won"), json!([1, 4, 2, 5, 3])));
        assert_eq!(counts(&won.asked), [2 * has_plans, 3, 2]);

        let lost = play(&way, "X", [IN_ORDER, [7, 8, 9, 1, 2, 3, 4, 5, 6]], 0).await;
        assert_eq!((lost.outcome, lost.cells), (json!("user_won"), json!([7, 1, 8, 2, 9])));

        let draw = [[1, 2, 7, 6, 9, 3, 4, 5, 8], [5, 3, 4, 8, 1, 2, 6, 7, 9]];
        let drawn = play(&way, "O", draw, 0).await;
        assert_eq!((drawn.outcome, drawn.cells), (json!("draw"), json!([1, 5, 2, 3, 7, 4, 6, 8, 9])));
        assert_eq!(counts(&drawn.asked), [3 * has_plans, 4, 4]);

        // What a correction takes is missing in the end, where each question is a round.
        let corrected = play(&way, "O", draw, 1).await;
        let outcome = if way.is_legacy() { "draw" } else { "adjourned" };
        assert_eq!(corrected.outcome, outcome, "{:?}", corrected.asked);
        assert_eq!(corrected.asked.len(), if way.is_legacy() { 12 } else { 8 });

        let forfeited = play(&way, "X", [IN_ORDER, IN_ORDER], 3).await;
        assert_eq!((forfeited.outcome, forfeited.cells), (json!("forfeited"), json!([1])));
    }
}

#[tokio::test]
async fn a_game_needs_a_client_that_samples() {
    for way in every_way() {
        let client = connect("play_ttt", &way).await;
        let outcome = client.call_tool(params("play_ttt", json!({}))).await;
        if way.is_legacy() {
            let result = outcome.unwrap();
            assert_eq!(result.is_error, Some(true));
            assert!(text(&result).contains("`play_ttt` needs a client that supports"), "{}", text(&result));
        } else {
            let Err(ServiceError::McpError(error)) = outcome else { panic!("{outcome:?}") };
            assert_eq!(error.code, ErrorCode(-32021));
        }
        client.close().await;
    }
}
