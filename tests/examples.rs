//! The unit tests of the examples. Cargo builds examples as programs and does not run what they test, so each is a
//! module here.

#[expect(dead_code, reason = "nobody calls its `main`")]
#[path = "../examples/code_search/main.rs"]
mod code_search;

#[expect(dead_code, reason = "nobody calls its `main`")]
#[path = "../examples/flights/main.rs"]
mod flights;

#[path = "examples/games.rs"]
mod games;

#[expect(dead_code, reason = "nobody calls its `main`")]
#[path = "../examples/play_ttt/main.rs"]
mod play_ttt;

#[expect(dead_code, reason = "nobody calls its `main`")]
#[path = "../examples/signup/main.rs"]
mod signup;

#[expect(dead_code, reason = "nobody calls its `main`")]
#[path = "../examples/transfer/main.rs"]
mod transfer;
