//! State and context stand anywhere in `before` and `after`, and `client` takes its two in any order.
use std::sync::Arc;

use mcp_runtime::prelude::*;

struct Db;
type Logged = PhaseCtx;
type Asking = Ctx;

#[derive(serde::Serialize, serde::Deserialize)]
struct Found(u8);

struct Find {
    limit: u8,
}

/// Finds something.
#[handoff]
impl Find {
    const ONE: u8 = 1;

    async fn before(&self, db: &Db, text: String, ctx: &PhaseCtx, shared: &Arc<str>) -> Found {
        ctx.log(Level::Info, &**shared);
        self.helper(db, &text)
    }

    async fn client(found: &Found, ctx: &Asking) -> Option<u8> {
        ctx.progress(0.5);
        Some(found.0)
    }

    async fn after(self: &Self, ctx: &Logged, found: Found, db: &Db, _: Option<u8>, _: &Arc<str>) -> String {
        ctx.progress(1.0);
        let Db = db;
        format!("{}", found.0)
    }

    fn helper(&self, _db: &Db, text: &str) -> Found {
        Found(self.limit.min(u8::try_from(text.len()).unwrap_or(Self::ONE)))
    }
}

struct Alone;

/// Takes nothing but the context.
#[handoff]
impl Alone {
    async fn before() {}

    async fn client(ctx: &Ctx) {
        ctx.progress(0.5);
    }

    async fn after((): (), (): ()) {}
}

fn main() {
    let server = Server::new("test", "1").state(Db).state::<Arc<str>>("shared".into());
    let built = server.tool(Find { limit: 3 }).tool(Alone).build();
    assert!(built.is_ok(), "{:?}", built.err());
    let error = Server::new("test", "1").state(Db).tool(Find { limit: 3 }).build().unwrap_err().to_string();
    assert!(error.contains("find") && error.contains("Arc<str>"), "{error}");
}
