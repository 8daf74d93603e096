//! Guides: which kind of tool to write, and how a server behaves.
//!
//! | guide | question |
//! | --- | --- |
//! | [`choosing`] | Which one do I need: a tool, a handoff, actions, a contract, a plugin? A task or a run? |
//! | [`schemas`] | What do hosts see of a tool's arguments? |
//! | [`composing`] | How does a tool call other tools? |
//! | `gathering` | How does a server offer what other servers have? |
//! | `many_tools` | How does a model choose among hundreds of tools? |
//! | [`surviving`] | What runs once, what can run again? |
//! | [`capacity`] | How many instances and stores does a load need? |
//! | [`changing`] | How do lists change while the server runs? |
//! | `serving` | How does a server answer over HTTP? |
//! | [`views`] | How does a tool show a page? |
//! | [`view_pages`] | How is the page of a view written? |
//! | `developing` | How do I try a tool while I write it? |
//! | [`observing`] | What does the operator see? |
//! | `skills` | How does a server teach a model to use it? |
//! | `installing` | How does a server get into the configuration of a host? |
//! | `checking` | Does the server work in all hosts? |
//! | `shipping` | How do users get a server: bundles, the registry, containers? |

pub mod capacity;
pub mod changing;
#[cfg(feature = "cli")]
pub mod checking;
pub mod choosing;
pub mod composing;
#[cfg(feature = "dev")]
pub mod developing;
#[cfg(feature = "remote")]
pub mod gathering;
#[cfg(feature = "cli")]
pub mod installing;
#[cfg(feature = "search")]
pub mod many_tools;
pub mod observing;
pub mod schemas;
#[cfg(feature = "http")]
pub mod serving;
#[cfg(feature = "cli")]
pub mod shipping;
#[cfg(feature = "skills")]
pub mod skills;
pub mod surviving;
pub mod view_pages;
pub mod views;
