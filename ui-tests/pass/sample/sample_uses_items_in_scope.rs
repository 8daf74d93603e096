//! Handlers of a loop and branches use what surrounds them, and the tool is still `Send`.

use std::sync::Mutex;

use mcp_runtime::{
    Result,
    prelude::*,
    sample::{Branch, Messages, SamplingTool, ToolChoice},
};

struct Board(String);

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { cell: u8 },
    /// Resign.
    Resign,
}

#[elicits]
enum Forms {
    Confirm { sure: bool },
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx<Forms>, board: &Board, about: String) -> Result<String> {
    let told = Mutex::new(Vec::new());
    let answer = ctx
        .sample_loop("Play.")
        .max_turns(3)
        .run(async |strategy: Strategy| match strategy {
            Strategy::Attack { cell } => {
                let reply = ctx.sample(format!("{about}: {cell} on {}?", board.0)).await?;
                let sure = ctx.elicit::<Confirm>(&*reply.text).strict().await?;
                told.lock().unwrap().push(reply.text);
                Ok(sure.sure.to_string())
            }
            Strategy::Resign => Err(ToolError::from("not now")),
        })
        .await?;
    Ok(told.into_inner().unwrap().concat() + &answer.reply.text)
}

/// Thinks about the question.
#[mcp_tool]
async fn think(ctx: &Ctx, board: &Board, about: String) -> Result<String> {
    let mut thoughts = Vec::new();
    let last = ctx
        .branch(async |b| {
            thoughts.push(b.sample(&*about).await?.text);
            let deeper = b
                .branch(async |c| {
                    thoughts.push(c.sample(board.0.as_str()).await?.text);
                    judge(c, &about).await
                })
                .await?;
            Ok::<_, ToolError>(deeper + &judge(b, &about).await?)
        })
        .await?;
    Ok(thoughts.concat() + &last)
}

async fn judge(b: &Branch<'_>, about: &str) -> Result<String> {
    let said = b.sample_loop::<Strategy>(about).run(async |_| about.len().to_string()).await?;
    Ok(b.sample(said.messages).await?.text)
}

/// Each kind of ask in a variable, said in steps.
#[mcp_tool]
async fn ask(ctx: &Ctx, tools: Vec<String>) -> Result<String> {
    let ask = ctx.sample(Messages::new().user("Hello."));
    let text = ask.system("Be brief.").max_tokens(20).await?.text;
    let number = ctx.sample("How many?").schema::<u8>().await?.parsed.unwrap_or_default();
    let sure = ctx.sample_schema::<Vec<u8>>("How many?").retries(1).await?.parsed;
    let calls = ctx.sample("Your move.").tools::<Strategy>().tool_choice(ToolChoice::None).await?.calls;
    let offered = tools.iter().map(|name| SamplingTool::new(name, "A tool."));
    let called = ctx.sample("Which?").tools_dyn(offered).tool_choice(ToolChoice::Required).await?.calls;
    let first = ctx.sample_tools::<Strategy>("Your move.").await?.into_first();
    let attacks = matches!(first, Strategy::Attack { cell: 1.. });
    Ok(format!("{text} {number} {sure:?} {} {} {attacks}", calls.len(), called.len()))
}

fn main() {
    let _ = tools![play, think, ask];
}
