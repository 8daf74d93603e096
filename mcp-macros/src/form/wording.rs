//! Selects the trait that checks the type of a field. All of these traits are implemented for the same types; they
//! differ only in their error messages.

use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, PathSegment, Type, spanned::Spanned};

use crate::{spans::located, types::peel};

const LISTS: &[&str] = &["Vec", "VecDeque", "LinkedList", "BinaryHeap"];
const SETS: &[&str] = &["HashSet", "BTreeSet", "IndexSet"];
const MAPS: &[&str] = &["HashMap", "BTreeMap", "IndexMap", "Map"];
const BOXES: &[&str] = &["Box", "Rc", "Arc", "Cow", "Cell", "RefCell", "Mutex", "RwLock", "Pin"];

/// Returns the name of the trait that checks a field of this type. The trait is in the runtime's module `__private`.
pub(crate) fn wording(ty: &Type) -> Ident {
    Ident::new(name(ty), located(ty.span()))
}

fn name(ty: &Type) -> &'static str {
    match peel(ty) {
        Type::Array(_) => "NotAList",
        Type::Tuple(_) => "NotATuple",
        Type::Reference(_) | Type::Ptr(_) => "NotABorrow",
        Type::Path(path) => path.path.segments.last().map_or("FlatField", of_segment),
        _ => "FlatField",
    }
}

fn of_segment(segment: &PathSegment) -> &'static str {
    let is_one_of = |names: &[&str]| names.iter().any(|name| segment.ident == name);
    match argument(segment) {
        Some(inner) if segment.ident == "Option" => {
            if is_option(inner) {
                "NotTwiceOptional"
            } else {
                name(inner)
            }
        }
        Some(_) if is_one_of(LISTS) => "NotAList",
        Some(_) if is_one_of(SETS) => "NotASet",
        Some(_) if is_one_of(BOXES) => "NotABox",
        Some(_) if segment.ident == "MultiSelect" => "OfChoices",
        _ if is_one_of(MAPS) => "NotAMap",
        _ => "FlatField",
    }
}

fn is_option(ty: &Type) -> bool {
    match peel(ty) {
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "Option" && argument(last).is_some())
        }
        _ => false,
    }
}

/// Returns the first type in the angle brackets.
fn argument(segment: &PathSegment) -> Option<&Type> {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        PathArguments::None | PathArguments::Parenthesized(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_the_message_by_the_tokens() {
        for (ty, expected) in [
            ("String", "FlatField"),
            ("Vec", "FlatField"),
            ("Vec<String>", "NotAList"),
            ("[u8; 4]", "NotAList"),
            ("(Vec<String>)", "NotAList"),
            ("Option<std::vec::Vec<u8>>", "NotAList"),
            ("HashSet<u8>", "NotASet"),
            ("std::collections::BTreeMap<String, u8>", "NotAMap"),
            ("Map", "NotAMap"),
            ("()", "NotATuple"),
            ("Option<(u8, u8)>", "NotATuple"),
            ("&'static str", "NotABorrow"),
            ("Cow<'static, str>", "NotABox"),
            ("Option<Box<String>>", "NotABox"),
            ("Option<Option<bool>>", "NotTwiceOptional"),
            ("MultiSelect<String>", "OfChoices"),
            ("Option", "FlatField"),
            ("fn()", "FlatField"),
        ] {
            assert_eq!(name(&syn::parse_str(ty).expect("a type")), expected, "{ty}");
        }
    }
}
