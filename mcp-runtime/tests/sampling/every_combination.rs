//! Every kind of ask, with every kind of model, in every mode.

use mcp_runtime::{
    Revision,
    sample::ProviderAbilities,
    testing::{Client, Fault, Outcome},
};
use serde_json::json;

use super::{model::Say, *};

/// Asks for words.
#[mcp_tool(replayable)]
async fn text(ctx: &Ctx<Ending>) -> Result<String> {
    let reply = ctx.sample("Say hello.").system("Be brief.").max_tokens(50).await?;
    ended(ctx, reply.text).await
}

/// Asks for a move.
#[mcp_tool(replayable)]
async fn schema(ctx: &Ctx<Ending>) -> Result<String> {
    let parsed = ctx.sample("Your move.").schema::<Move>().await?.parsed;
    ended(ctx, format!("{parsed:?}")).await
}

/// Offers strategies.
#[mcp_tool(replayable)]
async fn tools_of(ctx: &Ctx<Ending>) -> Result<String> {
    let calls = ctx.sample("Your strategy?").tools::<Strategy>().await?.calls;
    ended(ctx, format!("{:?}", calls.into_iter().map(|call| call.parsed).collect::<Vec<_>>())).await
}

/// Asks until there is a move.
#[mcp_tool(replayable)]
async fn sure_schema(ctx: &Ctx<Ending>) -> Result<String> {
    let sure = ctx.sample_schema::<Move>("Your move.").await?;
    ended(ctx, format!("{:?} in {}", sure.parsed, sure.attempts)).await
}

/// Asks until there is a strategy.
#[mcp_tool(replayable)]
async fn sure_tools(ctx: &Ctx<Ending>) -> Result<String> {
    let sure = ctx.sample_tools::<Strategy>("Your strategy?").await?;
    let attempts = sure.attempts;
    ended(ctx, format!("{:?} in {attempts}", sure.into_first())).await
}

/// Asks the user at the end, so that every call has another round after the model's reply.
async fn ended(ctx: &Ctx<Ending>, with: String) -> Result<String> {
    ctx.elicit::<Done>("Done?").strict().await?;
    Ok(with)
}

/// A kind of ask.
#[derive(Clone)]
struct Kind {
    tool: &'static str,
    says: Vec<Say>,
    result: &'static str,
    /// The tools that a model with native tools gets.
    tools: &'static [&'static str],
    /// The description for a model without native tools.
    told: &'static str,
    /// Whether a model with JSON output gets a schema.
    by_schema: bool,
}

fn kinds() -> [Kind; 5] {
    let value = |cell: u8| Say::Value(json!({ "cell": cell }));
    let attack = || Say::Call("attack", json!({ "cell": 5 }));
    let (json, tools) = ("Answer with JSON alone", "call one, answer with JSON alone");
    [
        Kind {
            tool: "text",
            says: vec![Say::Text("Hello.")],
            result: "Hello.",
            tools: &[],
            told: "",
            by_schema: false,
        },
        Kind {
            tool: "schema",
            says: vec![value(5)],
            result: "Ok(Move { cell: 5 })",
            tools: &["answer"],
            told: json,
            by_schema: true,
        },
        Kind {
            tool: "tools_of",
            says: vec![attack()],
            result: "[Ok(Attack { cell: 5 })]",
            tools: &["attack", "wait"],
            told: tools,
            by_schema: false,
        },
        Kind {
            tool: "sure_schema",
            says: vec![value(12), Say::Text("Nine?"), value(9)],
            result: "Move { cell: 9 } in 3",
            tools: &["answer"],
            told: json,
            by_schema: true,
        },
        Kind {
            tool: "sure_tools",
            says: vec![Say::Text("I attack."), attack()],
            result: "Attack { cell: 5 } in 2",
            tools: &["attack", "wait"],
            told: "Call one of these tools",
            by_schema: true,
        },
    ]
}

/// The model that replies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    ClientWithTools,
    Client,
    Provider(ProviderAbilities),
    Nobody,
}

fn everybody() -> [Who; 7] {
    let can = ProviderAbilities::new;
    let providers = [can(), can().schema(), can().tools(), can().schema().tools()].map(Who::Provider);
    let [words, schema, tools, both] = providers;
    [Who::ClientWithTools, Who::Client, words, schema, tools, both, Who::Nobody]
}

/// The modes of the calls.
const WAYS: [(Revision, Option<Fault>); 5] = [
    (Revision::V2025_06_18, None),
    (Revision::V2025_11_25, None),
    (Revision::V2026_07_28, None),
    (Revision::V2026_07_28, Some(Fault::Restarts)),
    (Revision::V2026_07_28, Some(Fault::RepliesLost)),
];

#[tokio::test]
async fn every_ask_works_with_every_model_in_every_mode() {
    for kind in kinds() {
        for who in everybody() {
            for (revision, trouble) in WAYS {
                let name = format!("{} by {who:?} in {revision}, {trouble:?}", kind.tool);
                let cell = Cell { kind: kind.clone(), who, revision, trouble };
                tokio::spawn(cell.check()).await.unwrap_or_else(|_| panic!("{name}"));
            }
        }
    }
}

struct Cell {
    kind: Kind,
    who: Who,
    revision: Revision,
    trouble: Option<Fault>,
}

impl Cell {
    async fn check(self) {
        let Self { kind, who, revision, trouble } = &self;
        let model = match who {
            Who::Provider(abilities) => Some(Model::new(*abilities, kind.says.clone())),
            _ => None,
        };
        let service = service(tools![text, schema, tools_of, sure_schema, sure_tools], model.as_ref());
        let mut client = Client::new(&service, *revision);
        client = match who {
            Who::ClientWithTools => client,
            Who::Client => client.without_sampling_tools(),
            Who::Provider(_) | Who::Nobody => client.without_sampling(),
        };
        if let Some(trouble) = trouble {
            client = client.fault(*trouble);
        }
        let mut call = client.call(kind.tool, ());
        if matches!(who, Who::Client | Who::ClientWithTools) {
            call = kind.says.iter().fold(call, |call, say| call.reply(say.reply()));
        }
        if *who != Who::Nobody {
            call = call.accept(Done { done: true });
        }
        let outcome = call.await;
        match model {
            _ if *who == Who::Nobody => self.nobody_answered(&outcome),
            Some(model) => self.provider_was_asked(&outcome, &model),
            None => self.client_was_asked(&outcome),
        }
    }

    fn nobody_answered(&self, outcome: &Outcome) {
        assert!(outcome.asked().is_empty());
        if self.revision.is_modern() {
            let error = outcome.error().unwrap();
            assert_eq!(error.code, -32021);
            assert_eq!(error.data, json!({ "requiredCapabilities": { "sampling": {} } }));
        } else {
            assert!(outcome.is_error());
            assert_eq!(outcome.text(), "the client does not support sampling");
        }
    }

    fn client_was_asked(&self, outcome: &Outcome) {
        let Self { kind, who, revision, .. } = self;
        assert_eq!(outcome.text(), kind.result);
        let asked = sampled(outcome, *revision);
        assert_eq!(asked.len(), kind.says.len());
        let has_tools = *who == Who::ClientWithTools && *revision >= Revision::V2025_11_25;
        for (index, question) in asked.iter().enumerate() {
            let key = if index == 0 { "sample".to_owned() } else { format!("sample/{}", index + 1) };
            assert_eq!(question.key(), key);
            assert_eq!(question.tools(), if has_tools { kind.tools } else { &[] });
            // In the last message, in every try.
            let is_told = !kind.told.is_empty() && question.message().contains(kind.told);
            assert_eq!(is_told, !has_tools && !kind.told.is_empty(), "{question:?}");
        }
    }

    fn provider_was_asked(&self, outcome: &Outcome, model: &Model) {
        let Self { kind, who, revision, .. } = self;
        let Who::Provider(can) = who else { panic!() };
        assert_eq!(outcome.text(), kind.result);
        assert!(sampled(outcome, *revision).is_empty());
        // Once for each, however often the call is replayed.
        let asked = model.asked();
        assert_eq!(asked.len(), kind.says.len());
        for request in asked {
            let has_schema = can.schema && kind.by_schema && !(can.tools && kind.tools.len() > 1);
            let has_tools = can.tools && !has_schema;
            assert_eq!(request.schema.is_some(), has_schema);
            let tools: Vec<_> = request.tools.iter().map(|tool| &*tool.name).collect();
            assert_eq!(tools, if has_tools { kind.tools } else { &[] });
            let is_told = request.messages.last().unwrap().text().contains(kind.told);
            assert!(has_schema || has_tools || is_told, "{request:?}");
        }
    }
}
