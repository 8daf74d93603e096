//! The runtime part of `tools![…]`, `prompts![…]` and `resources![…]`.

use super::{Problem, Prompt, Resource, Tool};
use crate::base::const_eq::same;

/// A tool that `#[mcp_tool]` has generated. The tool's registration type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "`tools![…]` accepts only functions with `#[mcp_tool]`; register any other tool with `Server::tool`",
    note = "name a function with `#[mcp_prompt]` in `prompts![…]`, and one with `#[mcp_resource]` in `resources![…]`"
)]
pub trait Registered {
    const ENTRY: Entry;
}

/// A prompt that `#[mcp_prompt]` has generated. The prompt's registration type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt",
    label = "not a prompt",
    note = "`prompts![…]` accepts only functions with `#[mcp_prompt]`; register any other prompt with `Server::prompt`",
    note = "name a function with `#[mcp_tool]` in `tools![…]`, and one with `#[mcp_resource]` in `resources![…]`"
)]
pub trait RegisteredPrompt {
    const ENTRY: Entry<dyn Prompt>;
}

/// A resource that `#[mcp_resource]` has generated. The resource's registration type implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a resource",
    note = "`resources![…]` accepts only functions with `#[mcp_resource]`; register any other resource with `Server::resource`",
    note = "name a function with `#[mcp_tool]` in `tools![…]`, and one with `#[mcp_prompt]` in `prompts![…]`"
)]
pub trait RegisteredResource {
    const ENTRY: Entry<dyn Resource>;
}

/// An item of a list, such as a tool, and its name, which is known at compile time.
pub struct Entry<T: ?Sized = dyn Tool> {
    name: &'static str,
    make: fn() -> Box<T>,
    /// The position in the list. Entries that `cfg` disables count too.
    position: usize,
}

impl<T: ?Sized> Clone for Entry<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Entry<T> {}

/// A kind of item that a list can have. Its constants are the two halves of the message about a repeated name.
pub trait EntryKind {
    const BEFORE: &'static str;
    const AFTER: &'static str;
}

impl EntryKind for dyn Tool {
    const BEFORE: &'static str = "two tools in this list are named `";
    const AFTER: &'static str = "`; give one of them another name: `#[mcp_tool(name = \"…\")]`";
}

impl EntryKind for dyn Prompt {
    const BEFORE: &'static str = "two prompts in this list are named `";
    const AFTER: &'static str = "`; give one of them another name: `#[mcp_prompt(name = \"…\")]`";
}

impl EntryKind for dyn Resource {
    const BEFORE: &'static str = "two resources in this list are named `";
    const AFTER: &'static str = "`; give one of them another name: `#[mcp_resource(…, name = \"…\")]`";
}

impl<T: EntryKind + ?Sized> Entry<T> {
    pub const fn new(name: &'static str, make: fn() -> Box<T>) -> Self {
        Self { name, make, position: 0 }
    }

    #[must_use]
    pub const fn at(self, position: usize) -> Self {
        Self { position, ..self }
    }

    /// Returns whether an earlier entry of the list has the same name.
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

    /// Returns the message about a repeated name.
    pub const fn duplicate(&self) -> Problem {
        Problem::new(T::BEFORE).with(self.name).with(T::AFTER)
    }
}

/// Returns whether all names are distinct. Constants are evaluated slowly, so this function compares only names with
/// the same hash.
pub const fn are_distinct<T: EntryKind + ?Sized>(list: &[Entry<T>]) -> bool {
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

    /// Hashes a name with FNV-1a.
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

/// Creates the items of a list.
pub fn tools<T: ?Sized>(entries: &[Entry<T>]) -> Vec<Box<T>> {
    entries.iter().map(|entry| (entry.make)()).collect()
}

/// `entry!(Tool name, "wire name")` makes the generated item `name` an entry of lists.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_entry {
    (Tool $($item:tt)*) => { $crate::__private::entry!(@ Registered, Tool, $($item)*); };
    (Prompt $($item:tt)*) => { $crate::__private::entry!(@ RegisteredPrompt, Prompt, $($item)*); };
    (Resource $($item:tt)*) => { $crate::__private::entry!(@ RegisteredResource, Resource, $($item)*); };
    (@ $registered:ident, $kind:ident, $item:ident, $name:expr) => {
        impl $crate::__private::$registered for $item {
            const ENTRY: $crate::__private::Entry<dyn $crate::__private::$kind> =
                $crate::__private::Entry::new($name, || ::std::boxed::Box::new($item {}));
        }
    };
}

/// `fallback!(Tool [generics] Type where [clauses])` implements `Tool` for an item that has errors.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_fallback {
    (Tool $($of:tt)*) => {
        $crate::__private::fallback!(@ Tool, ToolDefinition, call(Arguments) -> CallFuture, $($of)*);
    };
    (Prompt $($of:tt)*) => {
        $crate::__private::fallback!(@ Prompt, PromptDefinition, get(TextArguments) -> GetPromptFuture, $($of)*);
    };
    (Resource $($of:tt)*) => {
        $crate::__private::fallback!(@ Resource, ResourceDefinition, read(ReadRequest) -> ReadResourceFuture, $($of)*);
    };
    (
        @ $kind:ident, $definition:ident, $method:ident($input:ident) -> $future:ident,
        [$($generics:tt)*] $ty:ty $(where [$($clause:tt)*])?
    ) => {
        impl<$($generics)*> $crate::__private::$kind for $ty $(where $($clause)*)? {
            fn definition(&self) -> $crate::__private::$definition {
                ::core::unreachable!()
            }

            fn $method(
                &self,
                _: $crate::__private::Call,
                _: $crate::__private::$input<'_>,
            ) -> ::core::result::Result<$crate::__private::$future, $crate::__private::ArgumentsError> {
                ::core::unreachable!()
            }
        }
    };
}

/// `into_tool!(Type)` makes a value of the type a tool of `Server::tool`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_into_tool {
    ($ty:ty) => {
        impl $crate::tool::IntoTool<$crate::__private::HasActions> for $ty {
            type Tool = $crate::actions::Actions;

            fn into_tool(self) -> $crate::actions::Actions {
                self.into_actions()
            }
        }
    };
}
