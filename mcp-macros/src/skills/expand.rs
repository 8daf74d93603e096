//! Generates a constant with the skills.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;

use super::check::{File, Skill};

pub(super) fn skills(krate: &Path, errors: Option<&TokenStream>, skills: &[Skill<'_>]) -> TokenStream {
    let skills = skills.iter().map(skill);
    quote! {{
        #errors
        use #krate::__private as _mcp;
        const __SKILLS: &[_mcp::EmbeddedSkill] = &[#(#skills),*];
        _mcp::embedded_skills(__SKILLS)
    }}
}

fn skill(Skill { folder, frontmatter, files }: &Skill<'_>) -> TokenStream {
    let (name, description, json) = (&frontmatter.name, &frontmatter.description, &frontmatter.json);
    let files = files.iter().map(|File { path, digest }| {
        // Relative to the author's file, whose span it has: so the expansion is the same on every machine.
        let place = format!("{}/{path}", folder.value().trim_end_matches('/'));
        let bytes = quote_spanned!(folder.span()=> ::core::include_bytes!(#place));
        quote!(_mcp::EmbeddedFile { path: #path, bytes: #bytes, digest: #digest })
    });
    quote! {
        _mcp::EmbeddedSkill {
            folder: #folder,
            name: #name,
            description: #description,
            frontmatter: #json,
            files: &[#(#files),*],
        }
    }
}
