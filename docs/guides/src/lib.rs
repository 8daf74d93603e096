//! The code of the guides. A page of `docs/src/guides` includes the parts between the comments `ANCHOR` of its module; the
//! tests of the module show that the page is right.

mod actions;
mod asking;
mod composition;
mod contract;
mod deploying;
mod many_tools;
mod observing;
mod plugin;
mod replay;
mod resources;
mod sampling;
mod securing;
mod surviving;
mod testing;
mod upgrading;
