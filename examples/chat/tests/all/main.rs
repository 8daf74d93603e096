//! The program without a browser, also when it is killed. The tests of the page are in `tests/browser` of the workspace.

mod games;
mod kills;
mod page;
mod support;
mod users;
