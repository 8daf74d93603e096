//! Rules on the names of settings, one function each. The runtime checks what depends on types, and whether names are
//! free.

use syn::LitStr;

use super::{
    ast::{Field, Settings},
    attr::{Argument, Rule},
};
use crate::{errors::Errors, generics};

/// Variables that every process has, or that change how programs run.
const OF_SYSTEM: &[&str] = &[
    "APPDATA",
    "COMPUTERNAME",
    "DISPLAY",
    "EDITOR",
    "HOME",
    "HOSTNAME",
    "LANG",
    "LOGNAME",
    "OLDPWD",
    "PATH",
    "PWD",
    "SHELL",
    "SHLVL",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
];

pub(crate) fn settings(errors: &mut Errors, settings: &Settings) {
    generics::refuse(errors, &settings.generics, "a struct of settings");
    // The server has the settings of its features, which can be none.
    if settings.whole && settings.fields.is_empty() && !settings.are_of_server() {
        errors.push(&settings.ident, "there are no settings; add a field");
    }
    prefix_can_begin_a_variable(errors, settings);
    for field in &settings.fields {
        name_is_a_key(errors, &field.name);
        if !settings.are_of_server() {
            variable_can_be_set(errors, field);
        }
        for rule in &field.rules {
            flag_is_a_name(errors, rule);
        }
    }
}

fn prefix_can_begin_a_variable(errors: &mut Errors, settings: &Settings) {
    if let Some(prefix) = &settings.prefix
        && !prefix.value().is_empty()
        && !is_variable(&prefix.value())
    {
        errors.push(
            prefix,
            "a prefix has capital letters, digits and `_`, and does not begin with a digit; write it like `APP`",
        );
    }
}

/// Rejects names that are not plain keys of a settings file.
fn name_is_a_key(errors: &mut Errors, name: &LitStr) {
    let text = name.value();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !(text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_plain) && text.len() <= 64) {
        let message = "the name of a setting has lower-case letters, digits and `_`, begins with a letter, and has at most \
                       64 characters; write `#[setting(rename = \"…\")]` with another name";
        errors.push(name, message);
    }
}

fn variable_can_be_set(errors: &mut Errors, field: &Field) {
    let env = &field.env;
    let name = env.value();
    // A name that the macro makes is as good as the prefix and the name of the setting.
    if field.names_env && !is_variable(&name) {
        let message = "the name of a variable has capital letters, digits and `_`, and does not begin with a digit; write it \
                       like `APP_TOKEN`";
        errors.push(env, message);
    } else if OF_SYSTEM.contains(&&*name) {
        let message = format!(
            "processes have a variable `{name}` for another purpose; write another name: \
             `#[setting(env = \"APP_{name}\")]`, or `#[setting(prefix = \"APP\")]` above the struct"
        );
        errors.push(env, message);
    }
}

fn is_variable(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') && name.chars().all(is_plain)
}

fn flag_is_a_name(errors: &mut Errors, rule: &Rule) {
    let Argument::Flag(flag) = &rule.argument else { return };
    let name = flag.value();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if let Some(name) = name.strip_prefix('-') {
        let name = name.trim_start_matches('-');
        errors.push(flag, format_args!("`flag` is the name without dashes; write `flag = \"{name}\"`"));
    } else if !(name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_plain) && name.len() > 1) {
        let message = "the name of an option has lower-case letters, digits and `-`, begins with a letter, and has at least \
                       two characters; write it like `search-root`";
        errors.push(flag, message);
    }
}
