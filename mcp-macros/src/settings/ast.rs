//! Parses a struct as a list of settings.

use darling::FromMeta;
use quote::ToTokens;
use syn::{Data, DeriveInput, Expr, Fields, Generics, Ident, LitStr, Path, Type, ext::IdentExt};

use super::attr::{Argument, FieldAttr, Rule, StructAttr};
use crate::{
    docs,
    errors::Errors,
    form::is_not_blank,
    generics,
    types::{self, Unnameable},
    words,
};

pub(crate) struct Settings {
    pub(crate) ident: Ident,
    /// Generic parameters. The macro rejects them, but keeps them in the output to avoid a second compiler error.
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    /// The beginning of the names of environment variables, as the author wrote it.
    pub(crate) prefix: Option<LitStr>,
    pub(crate) fields: Vec<Field>,
    /// Whether the item is a struct whose fields generated constants can name. If not, the macro generates no code that
    /// builds the struct.
    pub(crate) whole: bool,
    /// Whether the struct is sized. If not, the macro generates no `impl`.
    pub(crate) is_sized: bool,
}

pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The type. `'static` replaces omitted lifetimes, because generated constants name the type.
    pub(crate) ty: Type,
    /// The reason why generated constants cannot name the type.
    pub(crate) unnameable: Option<Unnameable>,
    /// The key in the settings file. It has the author's span.
    pub(crate) name: LitStr,
    pub(crate) env: LitStr,
    /// Whether the author has named the variable.
    pub(crate) names_env: bool,
    pub(crate) flag: LitStr,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) rules: Vec<Rule>,
}

impl Settings {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, input: DeriveInput) -> Self {
        let StructAttr { krate, prefix } = StructAttr::read(errors, &input.attrs);
        let mut settings = Self {
            ident: input.ident,
            generics: input.generics,
            krate,
            prefix,
            fields: Vec::new(),
            whole: false,
            is_sized: true,
        };
        let ident = &settings.ident;
        let (culprit, mend) = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => {
                    let prefix = settings.prefix.as_ref().map_or_else(prefix_of_package, LitStr::value);
                    let params = generics::names(&settings.generics);
                    let read = |field| Field::read(errors, field, &prefix, &params);
                    let fields: Vec<_> = fields.named.iter().filter_map(read).collect();
                    settings.whole = fields.iter().all(|field| field.unnameable.is_none());
                    settings.is_sized = !fields.iter().any(|field| field.unnameable.is_some_and(Unnameable::is_unsized));
                    settings.fields = fields;
                    return settings;
                }
                Fields::Unnamed(fields) => {
                    (fields.to_token_stream(), format!("settings must have names; write `struct {ident} {{ name: Type, … }}`"))
                }
                Fields::Unit => {
                    (ident.to_token_stream(), format!("there are no settings; write `struct {ident} {{ name: Type, … }}`"))
                }
            },
            Data::Enum(data) => (
                data.enum_token.to_token_stream(),
                "settings must be a struct with named fields; put `#[derive(Choice)]` on an enum of choices, and use it as \
                 the type of a field"
                    .to_owned(),
            ),
            Data::Union(data) => {
                (data.union_token.to_token_stream(), "settings must be a struct with named fields".to_owned())
            }
        };
        errors.push(culprit, mend);
        settings
    }

    /// Whether these are the settings of the server itself. Only the runtime can call its own crate `crate`, and only
    /// its settings may have the names that are reserved for them.
    pub(crate) fn are_of_server(&self) -> bool {
        self.krate.is_ident("crate")
    }
}

impl Field {
    fn read(errors: &mut Errors, field: &syn::Field, prefix: &str, generics: &[&Ident]) -> Option<Self> {
        let ident = field.ident.clone()?;
        let FieldAttr { title, description, rename, env, mut rules } = FieldAttr::read(errors, &field.attrs);
        let unnameable = types::unnameable(&field.ty, generics);
        if let Some(unnameable) = unnameable
            && unnameable.message().is_some()
        {
            errors.push(&field.ty, "the type of a setting must be an owned type, such as `String` or `Vec<String>`");
        }
        let description = match description {
            Some(given) => LitStr::from_expr(&given)
                .map_or(true, |text| is_not_blank(errors, "description", &text))
                .then_some(given),
            None => {
                let text = docs::text(&field.attrs);
                if text.is_none() {
                    errors.push(
                        &ident,
                        "this setting has no description, which users read where they set it; write a doc comment: `/// …`",
                    );
                }
                text
            }
        };
        let name = rename.unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
        let snake = words::snake_text(&name.value());
        let names_env = env.is_some();
        let env = env.unwrap_or_else(|| LitStr::new(&variable(prefix, &snake), name.span()));
        let own = rules.iter().position(|rule| matches!(rule.argument, Argument::Flag(_)));
        let flag = match own.map(|own| &rules[own].argument) {
            Some(Argument::Flag(flag)) => flag.clone(),
            _ => LitStr::new(&snake.replace('_', "-"), name.span()),
        };
        // A rule that does not need a check of the runtime, such as an option whose name is not valid, was reported.
        rules.retain(|rule| !matches!(&rule.argument, Argument::Flag(flag) if flag.value().is_empty()));
        let ty = types::outliving(&field.ty, generics);
        Some(Self { ident, ty, unnameable, name, env, names_env, flag, title, description, rules })
    }
}

/// Returns the name of a variable that the author has not named.
fn variable(prefix: &str, name: &str) -> String {
    let name = name.to_uppercase();
    if prefix.is_empty() { name } else { format!("{}_{name}", prefix.trim_end_matches('_')) }
}

/// Returns the name of the package that is compiled, in capitals. Cargo sets it for each package. A build without it
/// has variables without a prefix.
fn prefix_of_package() -> String {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let prefix = words::snake_text(&package).to_uppercase();
    // The name of a variable does not begin with a digit.
    if prefix.starts_with(|c: char| c.is_ascii_digit()) { format!("_{prefix}") } else { prefix }
}
