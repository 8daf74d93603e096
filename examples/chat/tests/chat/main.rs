//! The program without a browser. The tests of the page are in `tests/browser` of the workspace.

mod games;
mod page;
mod support;
mod users;
