//! `crate = …` says where the runtime is, and nothing but that path is used.

/// A crate that re-exports the runtime under a name of its own.
mod facade {
    pub use mcp_runtime as mcp;
}

use facade::mcp::settings::Settings as _;

#[derive(facade::mcp::settings::Settings)]
#[setting(crate = crate::facade::mcp, prefix = "PLAIN_")]
struct Plain {
    /// The folder.
    root: String,
}

/// The same by way of a macro, which knows where it is from.
macro_rules! settings {
    ($name:ident { $($field:ident: $ty:ty = $text:literal),* }) => {
        #[derive($crate::facade::mcp::settings::Settings)]
        #[setting(crate = $crate::facade::mcp, prefix = "MADE")]
        struct $name {
            $(
                #[doc = $text]
                $field: $ty,
            )*
        }
    };
}
settings!(Made { root: Option<String> = "The folder.", limit: Option<u8> = "How many." });

fn main() {
    assert_eq!(Plain::definitions()[0].env(), "PLAIN_ROOT");
    let names: Vec<_> = Made::definitions().iter().map(|setting| setting.env()).collect();
    assert_eq!(names, ["MADE_ROOT", "MADE_LIMIT"]);
    let made = facade::mcp::settings::SettingsLoader::new().variables([("MADE_LIMIT", "3")]).load::<Made>().unwrap();
    assert_eq!((made.root, made.limit), (None, Some(3)));
    let plain = facade::mcp::settings::SettingsLoader::new().variables([("PLAIN_ROOT", "/")]).load::<Plain>().unwrap();
    assert_eq!(plain.root, "/");
}
