//! Names that are keywords: on the wire they have no `r#`.

use mcp_runtime::{Choice as _, prelude::*};

#[elicits]
enum r#Loop {
    Match {
        r#type: String,
        #[elicit(default = "async")]
        r#fn: r#Kind,
        snake_case: bool,
    },
    Crate {
        r#in: u8,
    },
}

#[derive(Choice)]
#[allow(non_camel_case_types)]
enum r#Kind {
    r#Async,
    r#await,
    #[choice(rename = "r#dyn")]
    Dyn,
}

struct Ui;

impl LoopHandler for Ui {
    async fn r#match(
        &self,
        _request: mcp_runtime::elicit::ElicitRequest<'_, Match>,
    ) -> mcp_runtime::Elicited<Match> {
        mcp_runtime::Elicited::Decline
    }

    async fn crate_(&self, _request: mcp_runtime::elicit::ElicitRequest<'_, Crate>) -> mcp_runtime::Elicited<Crate> {
        mcp_runtime::Elicited::Cancel
    }
}

fn ask(ctx: &Ctx<r#Loop>) {
    drop(ctx.elicit::<Match>("Which?").choices(Match::TYPE, ["if"]).default_for(Match::FN, Kind::r#await));
    drop(ctx.elicit::<Crate>("In?").default_for(Crate::IN, 3));
}

fn main() {
    let _ = (ask, Ui, Kind::Dyn);
    let names: Vec<_> = Kind::CHOICES.iter().map(|choice| choice.name()).collect();
    assert_eq!(names, ["async", "await", "r#dyn"]);
}
