//! Branches: conversations separate from the main one of the call.

use std::time::Duration;

use mcp_runtime::{
    AskError, Revision,
    sample::{Branch, BranchLimits},
    testing::{Client, Question, Reply, in_every_mode},
};
use serde_json::json;

use super::{model::Say, *};

/// Asks in two branches, one of them with one within, and besides.
#[mcp_tool(replayable)]
async fn wander(ctx: &Ctx<Ending>) -> Result<String> {
    let first = ctx
        .branch(async |b| {
            let one = b.sample("One?").await?.text;
            let within = b
                .branch(async |b| {
                    let deep = b.sample("Deep?").await?.text;
                    let cell = b.sample_schema::<Move>("Cell?").await?.parsed.cell;
                    Result::<_>::Ok(format!("{deep} {cell}"))
                })
                .await?;
            b.log(Level::Info, "half way");
            let two = b.sample("Two?").await?.text;
            Result::<_>::Ok(format!("{one} {within} {two} ({} said)", b.messages().iter().count()))
        })
        .await?;
    let plain = ctx.sample("Plain?").await?.text;
    ctx.elicit::<Done>("Done?").strict().await?;
    let second = ctx.branch(async |b| b.sample_tools::<Strategy>("Strategy?").await).await?.into_first();
    Ok(format!("{first}, {plain}, {second:?}"))
}

fn server() -> Server {
    Server::new("games", "1").tools(tools![wander, limited, deep])
}

#[tokio::test]
async fn each_branch_has_its_keys_and_history_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let wandered = client
            .call("wander", ())
            .sampled("1")
            .sampled("d")
            .sampled("?")
            .sampled_value(json!({ "cell": 7 }))
            .sampled("2")
            .sampled("p")
            .accept(Done { done: true })
            .sampled_tool("wait", ())
            .await;
        assert_eq!(wandered.text(), "1 d 7 2 (4 said), p, Wait");
        assert!(wandered.logs().iter().any(|log| log.data == "half way"));
        let asked = sampled(&wandered, mode.revision());
        let keys: Vec<_> = asked.iter().map(|question| question.key()).collect();
        assert_eq!(
            keys,
            [
                "branch/sample",
                "branch/branch/sample",
                "branch/branch/sample#2",
                "branch/branch/sample#2/2",
                "branch/sample#2",
                "sample",
                "branch#2/sample"
            ]
        );
        let said = |question: &Question| -> Vec<_> {
            question.texts().map(|text| text.lines().next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(said(asked[1]), ["Deep?"], "a branch begins with nothing");
        assert_eq!(said(asked[2]), ["Deep?", "d", "Cell?"]);
        assert_eq!(said(asked[4]), ["One?", "1", "Two?"], "what a branch within says is its own");
        assert_eq!(said(asked[5]), ["Plain?"], "what a branch says is not seen outside");
        assert_eq!(said(asked[6]), ["Strategy?"]);
    });
}

/// Talks in two branches at once.
#[mcp_tool(replayable)]
async fn both(ctx: &Ctx) -> Result<String> {
    let talk = async |name: &str| {
        ctx.branch(async |b| {
            b.sample(format!("{name} begins.")).await?;
            let cell = b.sample_schema::<Move>(format!("{name} goes on.")).await?.parsed.cell;
            Result::<_>::Ok((cell, b.messages().iter().map(|message| message.text()).collect::<Vec<_>>()))
        })
        .await
    };
    let (one, two) = tokio::join!(talk("One"), talk("Two"));
    Ok(format!("{:?} {:?}", one?, two?))
}

#[tokio::test]
async fn concurrent_branches_are_independent_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("games", "1").tools(tools![both]));
        let talked = client
            .call("both", ())
            .reply_to("branch/sample", Reply::sampled("1"))
            .reply_to("branch#2/sample", Reply::sampled("2"))
            .reply_to("branch/sample#2", Reply::sampled_value(json!({ "cell": 1 })))
            .reply_to("branch#2/sample#2", Reply::sampled("no"))
            .reply_to("branch#2/sample#2/2", Reply::sampled_value(json!({ "cell": 2 })))
            .await;
        let asked = sampled(&talked, mode.revision());
        for question in &asked {
            let other = if question.key().starts_with("branch/") { "Two" } else { "One" };
            assert!(question.texts().all(|text| !text.contains(other)), "{question}");
        }
        let said = |name: &str, cell: u8| {
            let all = [
                format!("{name} begins."),
                cell.to_string(),
                format!("{name} goes on."),
                format!(r#"{{"cell":{cell}}}"#),
            ];
            format!("{:?}", (cell, all))
        };
        // The correction is not kept.
        assert_eq!(talked.text(), format!("{} {}", said("One", 1), said("Two", 2)));
        if mode.revision().is_modern() {
            assert_eq!(talked.rounds(), 4);
        }
    });
}

/// Asks four times within limits.
#[mcp_tool(replayable)]
async fn limited(ctx: &Ctx, asks: Option<u32>, tokens: Option<u64>, seconds: Option<u64>) -> String {
    let limits = BranchLimits::new();
    let limits = asks.map_or(limits, |asks| limits.asks(asks));
    let limits = tokens.map_or(limits, |tokens| limits.tokens(tokens));
    let limits = seconds.map_or(limits, |seconds| limits.time(Duration::from_secs(seconds)));
    ctx.branch_within(limits, async |b| {
        for number in 1..=4 {
            if let Err(error) = b.sample(format!("{number}?")).await {
                return format!("{error} ({number})");
            }
        }
        "all".to_owned()
    })
    .await
}

fn clients() -> [(Client, Revision); 3] {
    let service = server().build().unwrap();
    let (old, new) = (Revision::V2025_06_18, Revision::V2026_07_28);
    [
        (Client::legacy(&service, old), old),
        (Client::modern(&service), new),
        (Client::modern(&service).rebuilding(), new),
    ]
}

#[tokio::test]
async fn limits_the_asks_of_a_branch() {
    for (mut client, _) in clients() {
        let all =
            client.call("limited", json!({ "asks": 4 })).sampled("a").sampled("b").sampled("c").sampled("d").await;
        assert_eq!(all.text(), "all");
        let some = client.call("limited", json!({ "asks": 2 })).sampled("a").sampled("b").await;
        assert_eq!(some.text(), "the branch has reached its limit of 2 questions (3)");
        let none = client.call("limited", json!({ "asks": 0 })).await;
        assert_eq!(none.text(), "the branch has reached its limit of 0 questions (1)");
    }
}

#[tokio::test]
async fn limits_the_output_tokens_of_a_branch() {
    for (mut client, revision) in clients() {
        // Ten times four bytes, and the rest.
        let long = || "long".repeat(10);
        let some = client.call("limited", json!({ "tokens": 20 })).sampled(long()).sampled(long()).await;
        assert_eq!(some.text(), "the branch has reached its limit of 20 output tokens (3)");
        let asked = sampled(&some, revision);
        let most: Vec<_> = asked.iter().map(|question| question.params()["maxTokens"].clone()).collect();
        assert_eq!(most, [20, 9]);
    }
}

#[tokio::test(start_paused = true)]
async fn limits_the_duration_of_a_branch() {
    let mut client = Client::legacy(&server().build().unwrap(), Revision::V2025_11_25);
    let late = Reply::sampled("late").after(Duration::from_secs(61));
    let some = client.call("limited", json!({ "seconds": 60 })).sampled("soon").reply(late).await;
    assert_eq!(some.text(), "the branch has reached its limit of 60s of running time (2)");
}

/// Branches within each other, as deep as it goes.
#[mcp_tool(replayable)]
async fn deep(ctx: &Ctx, depth: u32) -> Result<String> {
    Ok(ctx.branch_within(BranchLimits::new().depth(depth), async |b| deeper(b, 1).await).await?)
}

async fn deeper(branch: &Branch<'_>, depth: u32) -> Result<String, AskError> {
    let said = branch.sample(format!("{depth}?")).await;
    match said {
        Err(error) => Ok(format!("{error} at {depth}")),
        Ok(_) => Box::pin(branch.branch(async |b| Box::pin(deeper(b, depth + 1)).await)).await,
    }
}

#[tokio::test]
async fn limits_the_depth_of_nested_branches() {
    for (mut client, revision) in clients() {
        for depth in 0..=3 {
            let call = client.call("deep", json!({ "depth": depth }));
            let outcome = (0..depth).fold(call, |call, _| call.sampled("more")).await;
            let expected = format!("the branches have reached their limit of {depth} nested branches at {}", depth + 1);
            assert_eq!(outcome.text(), expected);
            let deepest = sampled(&outcome, revision).last().map(|question| question.key().matches("branch").count());
            assert_eq!(deepest.unwrap_or_default(), depth as usize);
        }
        // The default limit of nested branches.
        let call = client.call("deep", json!({ "depth": 9 }));
        let outcome = (0..4).fold(call, |call, _| call.sampled("more")).await;
        assert_eq!(outcome.text(), "the branches have reached their limit of 3 nested branches at 5");
    }
}

#[tokio::test]
async fn asks_a_provider_once_in_a_branch() {
    let call = || Say::Call("wait", json!({}));
    let says =
        [Say::Text("1"), Say::Text("d"), Say::Value(json!({ "cell": 7 })), Say::Text("2"), Say::Text("p"), call()];
    let model = Model::new(Default::default(), says);
    let service = server().sampling_provider(model.clone()).build().unwrap();
    let mut client = Client::modern(&service).without_sampling().rebuilding();
    let wandered = client.call("wander", ()).accept(Done { done: true }).await;
    assert_eq!(wandered.text(), "1 d 7 2 (4 said), p, Wait");
    assert_eq!(model.asked().len(), 6);
}
