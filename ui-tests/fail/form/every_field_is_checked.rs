use std::collections::HashMap;

use mcp_runtime::prelude::*;

struct Address {
    city: String,
}

type Tags = Vec<String>;

#[derive(Form)]
struct Signup {
    home: Address,
    work: Option<Address>,
    tags: Vec<String>,
    more_tags: Tags,
    scores: HashMap<String, u8>,
    #[elicit(pattern = "[a-z]+")]
    name: String,
    #[elicit(default = 300)]
    age: u8,
}

#[elicits]
enum Questions {
    Signup(Signup),
}

/// Signs up a user.
#[mcp_tool]
async fn sign_up(ctx: &Ctx<Questions>) -> mcp_runtime::Result<String> {
    let signup = ctx.elicit::<Signup>("Who are you?").strict().await?;
    Ok(signup.name)
}

fn main() {
    let _ = tools![sign_up];
}
