//! The search in the catalogue.

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;

use crate::desk::{Book, Desk};

/// The books that fit a search.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Found {
    /// The first of them, oldest first.
    books: Vec<Book>,
    /// How many there are in total.
    total: usize,
}

/// Search the catalogue. The `id` of a book is what other tools take as `book`.
#[mcp_tool(title = "Search books", read_only, open_world = false)]
pub async fn search_books(
    desk: &Desk,
    /// A part of the title or of the author's name, such as `shelley`.
    #[schemars(length(min = 2, max = 50))]
    text: String,
    /// Only books of this topic, such as `horror`.
    topic: Option<String>,
    /// Only books that were published in this year or later.
    #[schemars(range(min = 1000, max = 2100))]
    since: Option<u16>,
    /// How many books to return.
    #[serde(default = 5)]
    #[schemars(range(min = 1, max = 20))]
    limit: usize,
) -> Result<Json<Found>> {
    if let Some(topic) = &topic {
        let topics = desk.topics()?;
        if !topics.contains(topic) {
            return Err(format!(
                "there is no topic `{topic}`; the topics are {}; leave `topic` out to search all",
                topics.join(", ")
            )
            .into());
        }
    }
    let mut books = desk.search(&text, topic.as_deref(), since)?;
    let total = books.len();
    books.truncate(limit);
    Ok(Json(Found { books, total }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::tests::client;

    #[tokio::test]
    async fn the_limit_cuts_the_list_but_not_the_total() {
        let arguments = json!({ "text": "an", "limit": 1 });
        let found: Value = client().call("search_books", arguments).await.structured();
        assert_eq!(found["books"][0]["title"], "Emma");
        assert_eq!(found["books"].as_array().unwrap().len(), 1);
        assert!(found["total"].as_u64() > Some(1));
    }

    #[tokio::test]
    async fn an_unknown_topic_is_answered_with_the_topics() {
        let arguments = json!({ "text": "moby", "topic": "whales" });
        let refused = client().call("search_books", arguments).await;
        assert!(refused.is_error());
        assert!(refused.text().contains("the topics are adventure, horror"));
    }
}
