//! A value of the type is added as it is, wherever a tool is taken.

use mcp_runtime::prelude::*;

#[derive(Clone)]
enum Lamp {
    /// The name of an associated type in generated code.
    Tool,
}

/// Controls a lamp.
#[mcp_actions]
impl Lamp {
    /// Turns the lamp on.
    #[action]
    async fn on(&self) -> &'static str {
        match self {
            Self::Tool => "on",
        }
    }
}

mod elsewhere {
    pub use ::mcp_runtime as runtime;
}

struct Fan;

/// Controls a fan.
#[mcp_runtime::mcp_actions(crate = crate::elsewhere::runtime)]
impl Fan {
    /// Turns the fan on.
    #[action]
    async fn on(&self) {}
}

fn main() {
    let service = Server::new("home", "1.0.0").tool(Lamp::Tool).build().unwrap();
    service.tools().add(Fan).unwrap();
    service.tools().replace(Lamp::Tool).unwrap();
    service.tools().edit(|tools| tools.replace(Lamp::Tool.into_actions())).unwrap();
    assert_eq!(service.tools().names(), ["lamp", "fan"]);
}
