//! Recommending a book: a tool that asks a model.

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;

/// What the model chooses. It reads the descriptions of the fields.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Recommendation {
    /// The number of the book in the list.
    #[schemars(range(min = 1))]
    book: i64,
    /// Why it fits, in one sentence for the reader.
    #[schemars(length(max = 200))]
    reason: String,
}

/// Recommend a book of the catalogue for what a reader likes. A model chooses.
#[mcp_tool(
    title = "Recommend a book",
    read_only,
    open_world = false,
    replayable,
    requires(sampling)
)]
pub async fn recommend_book(
    desk: &Desk,
    ctx: &Ctx,
    /// What the reader likes, such as `the sea and long sentences`.
    #[schemars(length(min = 3, max = 200))]
    likes: String,
) -> Result<Json<Recommendation>> {
    // A call that is continued elsewhere must ask the same, so the list is recorded.
    let books = ctx.try_step("list", async { desk.list() }).await?;
    let prompt = format!("Choose one of these books for a reader who likes {likes}:\n{books}");
    let ask = ctx.sample_schema::<Recommendation>(prompt);
    let chosen = ask
        .system("You are a librarian.")
        .max_tokens(200)
        .await?
        .parsed;
    // The schema cannot say which numbers exist.
    desk.title(chosen.book)?;
    Ok(Json(chosen))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::tests::client;

    #[tokio::test]
    async fn a_reply_that_does_not_fit_is_asked_for_again() {
        let mut client = client();
        let call = client.call("recommend_book", json!({ "likes": "the sea" }));
        let chosen = call
            .sampled("I would say Moby-Dick.")
            .sampled_value(json!({ "book": 3, "reason": "It never leaves the sea." }))
            .await;
        assert_eq!(chosen.asked().len(), 2);
        assert!(
            chosen.asked()[0]
                .message()
                .contains("3. Moby-Dick, Herman Melville, 1851")
        );
        assert_eq!(chosen.structured::<Value>()["book"], 3);
    }

    #[tokio::test]
    async fn an_invented_book_is_an_error() {
        let mut client = client();
        let call = client.call("recommend_book", json!({ "likes": "the sea" }));
        let refused = call
            .sampled_value(json!({ "book": 99, "reason": "None." }))
            .await;
        assert_eq!(
            refused.text(),
            "there is no book 99; `search_books` finds the numbers"
        );
    }

    #[tokio::test]
    async fn a_client_without_a_model_is_told_what_is_missing() {
        let mut client = client().without_sampling();
        let call = client.call("recommend_book", json!({ "likes": "the sea" }));
        assert_eq!(call.await.error().unwrap().code, -32021);
    }
}
