//! Structs, fields, constants and the handler are as visible as the enum they are made of.
#![deny(warnings)]

use mcp_runtime::{Elicited, prelude::*};

mod inner {
    use mcp_runtime::prelude::*;

    #[elicits]
    pub(crate) enum Shared {
        Name { name: String },
    }

    pub mod deeper {
        use mcp_runtime::prelude::*;

        #[elicits]
        pub(in crate::inner) enum Nearby {
            Age { age: u8 },
        }
    }

    fn nearby(ctx: &Ctx<deeper::Nearby>) -> u8 {
        drop(ctx.elicit::<deeper::Age>("How old?").default_for(deeper::Age::AGE, 3));
        deeper::Age { age: 3 }.age
    }

    pub const NEARBY: bool = std::mem::size_of_val(&nearby) == 0;
}

/// Never asked, and no variant is ever looked at: nothing warns.
#[elicits]
enum Private {
    Secretive { hidden: bool },
    Other { hidden: bool },
}

/// Asks the user.
#[mcp_tool]
async fn ask(shared: &Ctx<inner::Shared>, private: &Ctx<Private>) -> mcp_runtime::Result<String> {
    let name = shared.elicit::<inner::Name>("Who?").default_for(inner::Name::NAME, "Ann").strict().await?.name;
    Ok(match private.elicit::<Secretive>("Well?").await? {
        Elicited::Accept(form) => format!("{name} {}", form.hidden),
        Elicited::Decline | Elicited::Cancel => name,
    })
}

struct Ui;

impl inner::SharedHandler for Ui {
    async fn name(&self, _request: mcp_runtime::elicit::ElicitRequest<'_, inner::Name>) -> Elicited<inner::Name> {
        Elicited::Accept(inner::Name { name: "Ann".to_owned() })
    }
}

fn main() {
    let _ = (tools![ask], Ui, inner::NEARBY);
}
