//! What `tools![…]` is made of.

use super::Tool;
use crate::const_eq::same;

/// A tool that `#[mcp_tool]` has made, by its registration.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "`tools![…]` takes the names of functions with `#[mcp_tool]`; a tool made otherwise is given to `Server::tool`"
)]
pub trait Registered {
    const ENTRY: Entry;
}

/// A tool's name, known at compile time, and the tool.
#[derive(Clone, Copy)]
pub struct Entry {
    name: &'static str,
    make: fn() -> Box<dyn Tool>,
    /// Where it stands in its list, those counted too that this build leaves out.
    position: usize,
}

const BEFORE: &str = "two tools of this list are named `";
const AFTER: &str = "`; give one of them another: `#[mcp_tool(name = \"…\")]`";

impl Entry {
    pub const fn new(name: &'static str, make: fn() -> Box<dyn Tool>) -> Self {
        Self { name, make, position: 0 }
    }

    #[must_use]
    pub const fn at(self, position: usize) -> Self {
        Self { position, ..self }
    }

    /// Whether an earlier one of its list has the same name.
    pub const fn repeats(&self, list: &[Self]) -> bool {
        let mut index = 0;
        while index < list.len() && list[index].position < self.position {
            if same(self.name, list[index].name) {
                return true;
            }
            index += 1;
        }
        false
    }

    /// The length of the message that this name is taken.
    pub const fn duplicate_length(&self) -> usize {
        BEFORE.len() + self.name.len() + AFTER.len()
    }

    /// The message that this name is taken: a constant expression can only panic with a finished text.
    pub const fn duplicate<const N: usize>(&self) -> [u8; N] {
        let parts = [BEFORE.as_bytes(), self.name.as_bytes(), AFTER.as_bytes()];
        let (mut bytes, mut at, mut part) = ([0; N], 0, 0);
        while part < parts.len() {
            let mut index = 0;
            while index < parts[part].len() {
                bytes[at] = parts[part][index];
                at += 1;
                index += 1;
            }
            part += 1;
        }
        bytes
    }
}

/// Whether each has a name of its own. Constants are evaluated slowly, so only names of the same hash are compared.
pub const fn are_distinct(list: &[Entry]) -> bool {
    const BUCKETS: usize = 1024;
    let (mut index, mut taken) = (0, [false; BUCKETS]);
    while index < list.len() {
        let bucket = hash(list[index].name) % BUCKETS;
        if taken[bucket] && list[index].repeats(list) {
            return false;
        }
        taken[bucket] = true;
        index += 1;
    }

    /// FNV-1a.
    const fn hash(text: &str) -> usize {
        let (bytes, mut hash, mut index) = (text.as_bytes(), 0x811c_9dc5_u32, 0);
        while index < bytes.len() {
            hash = (hash ^ bytes[index] as u32).wrapping_mul(0x0100_0193);
            index += 1;
        }
        hash as usize
    }

    true
}

/// The bytes of a message as text.
pub const fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "two tools of this list have the same name",
    }
}

/// The tools themselves.
pub fn tools(entries: &[Entry]) -> Vec<Box<dyn Tool>> {
    entries.iter().map(|entry| (entry.make)()).collect()
}

/// `fallback!(name)`: the registration of a tool that has mistakes.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_fallback {
    ($name:ident) => {
        $crate::__private::fallback_handoff!([] $name);

        impl $crate::__private::Registered for $name {
            const ENTRY: $crate::__private::Entry =
                $crate::__private::Entry::new(::core::stringify!($name), || ::std::boxed::Box::new($name {}));
        }
    };
}
