//! A script may load from an origin that is not declared. This is a warning, which the program denies.

#![deny(warnings)]

use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/script.html")]
struct SeatMap;

fn main() {}
