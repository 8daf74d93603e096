//! Questions to the user, as clients of both eras see them.

mod answer_errors;
mod answers;
mod clients;
mod concurrent;
mod keys;
mod layers;
mod left_out;
mod numbers;
mod parked;
mod roots;
mod rounds;
mod runtime_forms;
mod sessions;
mod visits;

use mcp_runtime::{Revision, Server, Service, Tool, elicit::MultiSelect, prelude::*};

/// The revisions that can ask a user.
const ASKING: [Revision; 3] = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

#[elicits]
#[derive(Clone, Debug, PartialEq)]
enum Dinner {
    Pick {
        #[elicit(min_length = 3)]
        dish: String,
        guests: Option<u8>,
    },
    Sure {
        sure: bool,
    },
    Tip {
        #[elicit(max = 20)]
        percent: u8,
    },
    Letters {
        topics: MultiSelect<Topic>,
    },
}

#[derive(Choice, Clone, Debug, PartialEq)]
enum Topic {
    News,
    #[choice(title = "Special offers")]
    Offers,
}

fn pick(dish: &str) -> Pick {
    Pick { dish: dish.to_owned(), guests: None }
}

fn service(tools: impl IntoIterator<Item = Box<dyn Tool>>) -> Service {
    Server::new("test", "1").tools(tools).build().unwrap()
}
