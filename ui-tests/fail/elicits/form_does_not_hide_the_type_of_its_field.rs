use mcp_runtime::prelude::*;

mod contact {
    pub type Email = String;
    pub type Phone = String;
}

use contact::*;

#[elicits]
enum Signup {
    Email { email: Option<Email> },
    Call { phone: Phone },
}

fn main() {}
