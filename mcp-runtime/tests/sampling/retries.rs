//! The number of retries of a guaranteed question to a model.

use mcp_runtime::{
    Revision,
    testing::{Client, Outcome},
};
use serde_json::json;

use super::{
    corrections::{clients, service, take},
    model::Say,
    *,
};

/// The limit of retries applies to each question separately.
#[tokio::test]
async fn retries_as_often_as_configured() {
    for (mut client, revision, _) in clients() {
        for (retries, asked) in [(None, 3), (Some(0), 1), (Some(1), 2), (Some(5), 6)] {
            let arguments = retries.map_or_else(|| json!({}), |times| json!({ "retries": times }));
            let wrong = (0..asked).fold(client.call("take", arguments), |call, _| call.sampled("Um."));
            let outcome = wrong.await;
            assert_eq!(outcome.text(), format!("sample_schema, {asked}: there is no JSON in the reply"));
            assert_eq!(sampled(&outcome, revision).len(), asked);
        }
    }
}

async fn stubborn(client: &mut Client, times: usize) -> Outcome {
    let call = client.call("take", json!({ "retries": 30 }));
    (0..times).fold(call, |call, _| call.sampled("Um.")).await
}

/// Each try is a round, and clients support a limited number.
#[tokio::test]
async fn limits_retries_to_the_rounds_that_clients_support() {
    let mut modern = Client::modern(&service());
    let outcome = stubborn(&mut modern, 8).await;
    assert_eq!(outcome.text(), "sample_schema, 8: there is no JSON in the reply");
    assert_eq!(outcome.rounds(), 9);
    let mut legacy = Client::legacy(&service(), Revision::V2025_11_25);
    let outcome = stubborn(&mut legacy, 31).await;
    assert_eq!(outcome.text(), "sample_schema, 31: there is no JSON in the reply");
    let model = Model::new(Default::default(), vec![Say::Text("Um."); 31]);
    let mut provided = Client::modern(&super::service(tools![take], Some(&model))).without_sampling();
    let outcome = stubborn(&mut provided, 0).await;
    assert_eq!(outcome.text(), "sample_schema, 31: there is no JSON in the reply");
    assert_eq!((model.asked().len(), outcome.rounds()), (31, 1));
}

/// Tells how many rounds there are, before a model is asked and after.
#[mcp_tool(replayable)]
async fn spend(ctx: &Ctx) -> Result<String> {
    let before = ctx.rounds_left();
    let sure = ctx.sample_schema::<Move>("Your move.").await?;
    Ok(format!("{before} {} {}", sure.attempts, ctx.rounds_left()))
}

#[tokio::test]
async fn a_tool_sees_the_rounds_that_retries_take() {
    let tries = async |client: Client| {
        let mut client = client;
        let call = client.call("spend", ()).sampled("Um.").sampled("Ah.").sampled_value(json!({ "cell": 1 }));
        call.await.text()
    };
    let service = super::service(tools![spend], None);
    assert_eq!(tries(Client::modern(&service)).await, "8 3 5");
    assert_eq!(tries(Client::modern(&service).rebuilding()).await, "8 3 5");
    let unlimited = u32::MAX;
    let expected = format!("{unlimited} 3 {unlimited}");
    assert_eq!(tries(Client::legacy(&service, Revision::V2025_11_25)).await, expected);
}
