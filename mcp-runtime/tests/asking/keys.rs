//! The key a question has on the wire.

use mcp_runtime::{
    Result, Revision,
    prelude::*,
    testing::{Client, Outcome, Reply},
};

use crate::asking::{ASKING, Dinner, Pick, Sure, pick, service};

/// Asks one form three times, and another in between.
#[mcp_tool]
async fn repeat(ctx: &Ctx<Dinner>) -> Result<String> {
    let starter = ctx.elicit::<Pick>("Starter?").strict().await?;
    ctx.elicit::<Sure>("Sure?").await?.accepted();
    let main = ctx.elicit::<Pick>("Main dish?").strict().await?;
    let dessert = ctx.elicit::<Pick>("Dessert?").strict().await?;
    Ok([starter, main, dessert].map(|pick| pick.dish).join(", "))
}

/// Gives its questions names of their own.
#[mcp_tool]
async fn named(ctx: &Ctx<Dinner>) -> Result<String> {
    let starter = ctx.elicit::<Pick>("Starter?").key("starter").strict().await?;
    let main = ctx.elicit::<Pick>("Main dish?").strict().key("pick#2").await?;
    let first = ctx.elicit::<Pick>("First of its name?").strict().await?;
    let second = ctx.elicit::<Pick>("Second of its name?").strict().await?;
    let named_again = ctx.elicit::<Pick>("Starter again?").key(String::from("starter")).strict().await?;
    Ok([starter, main, first, second, named_again].map(|pick| pick.dish).join(", "))
}

/// Makes its asks in one order and awaits them in another; one it never awaits.
#[mcp_tool]
async fn shuffled(ctx: &Ctx<Dinner>) -> Result<String> {
    let first = ctx.elicit::<Pick>("First?").strict();
    let _never = ctx.elicit::<Pick>("Never?");
    let third = ctx.elicit::<Pick>("Third?").strict();
    let third = third.await?;
    Ok(format!("{}, {}", first.await?.dish, third.dish))
}

fn client(revision: Revision) -> Client {
    Client::new(&service(tools![repeat, named, shuffled]), revision)
}

fn keys(outcome: &Outcome) -> Vec<&str> {
    outcome.asked().iter().map(|question| question.key()).collect()
}

#[tokio::test]
async fn numbers_a_repeated_key() {
    for revision in ASKING {
        let mut client = client(revision);
        let call = client.call("repeat", ()).accept(pick("soup")).accept(Sure { sure: true });
        let outcome = call.accept(pick("fish")).accept(pick("cake")).await;
        assert_eq!(outcome.text(), "soup, fish, cake");
        assert_eq!(keys(&outcome), ["pick", "sure", "pick#2", "pick#3"]);
    }
}

#[tokio::test]
async fn the_author_can_set_the_key_of_a_question() {
    for revision in ASKING {
        let mut client = client(revision);
        let dishes = ["soup", "fish", "rice", "cake", "tart"];
        let call = dishes.iter().fold(client.call("named", ()), |call, dish| call.accept(pick(dish)));
        let outcome = call.await;
        assert_eq!(outcome.text(), dishes.join(", "));
        assert_eq!(keys(&outcome), ["starter", "pick#2", "pick", "pick#3", "starter#2"]);
    }
}

#[tokio::test]
async fn assigns_a_key_when_the_ask_is_created() {
    for revision in ASKING {
        let outcome = client(revision)
            .call("shuffled", ())
            .reply_to("pick", Reply::accept(pick("soup")))
            .reply_to("pick#3", Reply::accept(pick("fish")))
            .await;
        assert_eq!(outcome.text(), "soup, fish");
        let asked: Vec<_> = outcome.asked().iter().map(|question| (question.key(), question.message())).collect();
        assert_eq!(asked, [("pick#3", "Third?"), ("pick", "First?")]);
    }
}
