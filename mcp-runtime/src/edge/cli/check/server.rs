//! The rules about the whole server.

use super::{
    finding::{Finding, Found, Subject},
    repeated_description::repeats_name,
    rules::{self, LARGE_LIST, TOOLS_OF_A_REQUEST, TOOLS_OF_A_SERVER},
};
use crate::{
    base::this_machine::is_this_machine,
    engine::{call::operation::Operation, tool::registered::RegisteredTool},
    serve::{server::Service, settings::SettingDefinition},
    wire::protocol::text::estimated_tokens,
};

/// Returns what is found about the server. `address` is where the command `http` listens.
pub(crate) fn of_server(service: &Service, address: Option<&str>) -> Vec<Finding> {
    let registry = service.0.registry.read().clone();
    let name = service.0.settings.identity.name.clone();
    let subject = Subject { kind: "server", name, place: None };
    let mut found = Vec::new();
    let part = service.0.listed_tools(&registry);
    let listed = part.as_deref().unwrap_or_else(|| registry.list(Operation::CallTool));
    found.extend(number_of_tools(listed.iter().count()));
    found.extend(tokens(listed.iter()));
    found.extend(cfg!(debug_assertions).then(|| (&rules::DEBUG_BUILD, "the program is a debug build".to_owned())));
    found.extend(address.filter(|_| !requires_tokens(service)).and_then(reachable));
    let of_server = found.into_iter().map(|(rule, found)| Finding { rule, subject: subject.clone(), found });
    of_server.chain(service.setting_definitions().iter().filter_map(setting)).collect()
}

fn number_of_tools(count: usize) -> Option<Found> {
    let rule = match count {
        _ if count > TOOLS_OF_A_REQUEST => &rules::TOO_MANY_TOOLS,
        _ if count > TOOLS_OF_A_SERVER => &rules::MANY_TOOLS,
        _ => return None,
    };
    Some((rule, format!("the server has {count} tools")))
}

fn tokens<'t>(tools: impl Iterator<Item = &'t RegisteredTool>) -> Option<Found> {
    let mut sizes: Vec<_> = tools.map(|tool| (tokens_of(tool), tool.definition.name())).collect();
    let total: usize = sizes.iter().map(|(size, _)| size).sum();
    if total <= LARGE_LIST {
        return None;
    }
    sizes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let largest: Vec<_> = sizes.iter().take(3).map(|(size, name)| format!("`{name}` {size}")).collect();
    Some((
        &rules::LARGE_TOOL_LIST,
        format!("the tools need about {total} tokens (estimated as bytes / 4); the largest: {}", largest.join(", ")),
    ))
}

/// Returns about how many tokens a host sends to its model for this tool: its name, description and schema.
pub(crate) fn tokens_of(tool: &RegisteredTool) -> usize {
    let definition = &tool.definition;
    estimated_tokens(definition.name.len() + definition.description.len() + tool.schema.published.get().len())
}

fn requires_tokens(service: &Service) -> bool {
    #[cfg(feature = "http")]
    return service.http().admission.is_some();
    #[cfg(not(feature = "http"))]
    {
        let _ = service;
        false
    }
}

fn reachable(address: &str) -> Option<Found> {
    (!is_local(address)).then(|| {
        let found = format!("the address `{address}` can be reached from other machines, and no token is required");
        (&rules::UNAUTHORIZED_ADDRESS, found)
    })
}

/// Whether only this machine can reach the address.
fn is_local(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    is_this_machine(host)
}

fn setting(setting: &SettingDefinition) -> Option<Finding> {
    let found = match setting.description().map(str::trim) {
        None | Some("") => "there is no description".to_owned(),
        Some(text) if repeats_name(setting.name(), text) => format!("the description `{text}` only repeats the name"),
        Some(_) => return None,
    };
    let subject = Subject { kind: "setting", name: setting.name().to_owned(), place: None };
    Some(Finding { rule: &rules::UNDESCRIBED_SETTING, subject, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_local() {
        for address in ["127.0.0.1:80", "127.9.9.9:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "localhost:80"] {
            assert!(is_local(address), "{address}");
        }
        for address in ["0.0.0.0:80", "[::]:80", "192.168.1.1:80", "example.com:80", "localhost.example.com:80", ""] {
            assert!(!is_local(address), "{address}");
        }
    }

    #[test]
    fn a_number_of_tools_breaks_one_rule() {
        let rule = |count| number_of_tools(count).map(|(rule, _)| rule.id);
        assert_eq!(
            [40, 41, 128, 129].map(rule),
            [None, Some("many-tools"), Some("many-tools"), Some("too-many-tools")]
        );
    }

    #[cfg(feature = "search")]
    #[test]
    fn counts_the_tools_that_clients_see() {
        use crate::{
            Server,
            engine::{call::Ctx, tool::DynamicTool},
            search::Search,
        };

        let tools = (0..50).map(|number| {
            let schema = serde_json::json!({ "type": "object" });
            DynamicTool::from_schema(format!("tool_{number}"), "Does a thing.", schema, async |_: Ctx, _| "")
        });
        let server = || tools.clone().fold(Server::new("s", "1"), Server::tool);
        let finds = |server: Server| {
            let found = of_server(&server.build().unwrap(), None);
            found.iter().any(|finding| finding.rule == &rules::MANY_TOOLS)
        };
        assert!(finds(server()));
        assert!(!finds(server().searchable(Search::new())));
    }
}
