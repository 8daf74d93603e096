//! In `mcp-runtime/src` no type name stands for two things.

use std::collections::BTreeMap;

use syn::{Ident, Item, ItemMod};

use crate::repository::{path, sources::for_each_source, uses::is_test};

/// Public names that another module has a second time. ARCHITECTURE.md gives the reasons.
pub(crate) const PUBLIC_TWICE: [&str; 5] = ["Client", "Options", "Resource", "Result", "ToolResult"];

#[test]
fn no_type_name_stands_for_two_things() {
    let root = path("mcp-runtime/src");
    let mut found = BTreeMap::<String, Vec<String>>::new();
    for_each_source(&root, &mut |file, text| {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        if !name.split('/').any(|part| part == "tests" || part == "tests.rs") {
            let parsed = syn::parse_file(text).unwrap();
            collect(&parsed.items, &mut |ident| found.entry(ident.to_string()).or_default().push(name.clone()));
        }
    });
    assert!(found.len() > 500, "{}", found.len());
    found.retain(|name, files| {
        files.dedup();
        files.len() > 1 && !PUBLIC_TWICE.contains(&&**name)
    });
    assert!(found.is_empty(), "{found:#?}");
}

/// The types that these items define, without those of tests.
fn collect(items: &[Item], add: &mut impl FnMut(&Ident)) {
    for item in items {
        match item {
            Item::Struct(item) => add(&item.ident),
            Item::Enum(item) => add(&item.ident),
            Item::Trait(item) => add(&item.ident),
            Item::Type(item) => add(&item.ident),
            Item::Mod(ItemMod { attrs, content: Some((_, items)), .. }) if !attrs.iter().any(is_test) => {
                collect(items, add);
            }
            _ => {}
        }
    }
}
