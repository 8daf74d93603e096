//! Derives of the enum are those of the structs too, their attributes, docs and lints stay, and `cfg` chooses between
//! whole items.

use std::collections::HashSet;

use mcp_runtime::prelude::*;

/// What booking asks.
#[elicits]
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(tag = "form")]
#[repr(u8)]
pub enum Booking {
    /// Picks.
    #[allow(non_snake_case)]
    #[serde(rename = "picked")]
    Pick {
        #[doc = include_str!("../sample_tools/every_shape.md")]
        Flight: String,
        /** Where to sit. */
        #[allow(unused)]
        #[serde(skip)]
        seat: Seat,
    } = 1,
    #[deprecated]
    Old { name: String } = 7,
}

#[cfg(windows)]
#[elicits]
enum Elsewhere {
    Never { at: All },
}

#[derive(Form, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Everywhere {
    #[cfg(windows)]
    never: Never,
    #[cfg(not(windows))]
    #[cfg_attr(all(), elicit(title = "Always"))]
    #[schemars(range(min = 3))]
    #[elicit(min = 3)]
    always: u8,
}

#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    Window = 3,
    #[serde(rename = "gang")]
    Aisle = 1,
    #[cfg(windows)]
    Never(Never),
}

fn main() {
    let pick = Pick { Flight: "TP1".to_owned(), seat: Seat::Aisle };
    let set: HashSet<_> = [pick.clone().into(), Booking::Pick(pick)].into();
    assert_eq!(set.len(), 1);
    let _ = (Everywhere::ALWAYS, Everywhere { always: 3 }.always, Seat::Window);
}
