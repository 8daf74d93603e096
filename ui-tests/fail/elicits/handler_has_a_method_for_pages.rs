//! The handler of a set has a method for pages, so no form can have the name of this method.

use mcp_runtime::prelude::*;

#[elicits]
pub enum Booking {
    ElicitUrl { url: String },
    Confirm { confirmed: bool },
}

fn main() {}
