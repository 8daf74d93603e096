//! What a tool asks its user, as clients of both eras see it.

#[path = "../support/forms.rs"]
mod forms;

mod answers;
mod clients;
mod keys;
mod known_late;
mod roots;
mod rounds;
mod sessions;
mod together;
mod visits;

use forms::{choice, forms};
use mcp_runtime::{__private::Literal, MultiSelect, Revision, Server, Service, Tool};

/// The revisions that can ask a user.
const ASKING: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

choice! { Topic: News "news", Offers "offers" = "Special offers" }

forms! { Dinner:
    Pick "pick" { DISH dish: String => min_length(3), GUESTS guests: Option<u8> }
    Sure "sure" { SURE sure: bool }
    Tip "tip" { PERCENT percent: u8 => max(Literal::Integer(20)) }
    Letters "letters" { TOPICS topics: MultiSelect<Topic> }
}

fn pick(dish: &str) -> Pick {
    Pick { dish: dish.to_owned(), guests: None }
}

fn service(tools: impl IntoIterator<Item = Box<dyn Tool>>) -> Service {
    Server::new("test", "1").tools(tools).build().unwrap()
}
