//! Names that generated code uses too are still the author's.

use mcp_runtime::prelude::*;

#[derive(schemars::JsonSchema, serde::Deserialize)]
struct SampleVariant {
    read: u8,
}

#[derive(SampleTools)]
enum Some {
    /// One.
    Arguments {
        arguments: Option<u8>,
        input: SampleVariant,
        generator: u8,
        deserializer: u8,
        value: u8,
        #[serde(default)]
        schema: u8,
    },
    /// Two.
    Some(SampleVariant),
    /// Three.
    VARIANTS,
    /// Four.
    Ok {},
}

/// The name of an own type, and not of the context.
#[derive(schemars::JsonSchema, serde::Deserialize)]
struct Ctx {
    about: String,
}

#[derive(SampleTools)]
enum Result {
    /// One.
    Err { ctx: Ctx, list: Vec<self::Ctx> },
}

fn main() {
    /// Of the function, and not of the module.
    #[derive(schemars::JsonSchema, serde::Deserialize)]
    struct Local(u8);

    #[derive(SampleTools)]
    enum Within {
        /// One.
        One { local: Local },
    }

    assert_eq!((Some::tools().len(), Result::tools().len(), Within::tools().len()), (4, 1, 1));
    if let Ok(Some::Arguments { arguments, input, generator, deserializer, value, schema }) =
        Some::read("", Default::default())
    {
        let _ = (arguments, input.read, generator, deserializer, value, schema);
    }
    if let Ok(Some::Some(SampleVariant { read })) = Some::read("", Default::default()) {
        let _ = read;
    }
    if let Ok(Result::Err { ctx, list }) = Result::read("", Default::default()) {
        drop((ctx.about, list));
    }
    if let Ok(Within::One { local }) = Within::read("", Default::default()) {
        let _ = local.0;
    }
}
