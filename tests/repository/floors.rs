//! The modules of `mcp-runtime/src` are ordered. A module uses only itself and the modules before it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::repository::{
    path,
    uses::{Source, Used, sources, uses},
};

/// The order: storeys, the rooms inside of each storey, and the groups inside of large rooms. A module may use what
/// stands before it in the same list. The file `mod.rs` of a storey or of a room stands behind its parts: it exports
/// them, and no part may use what it defines.
///
/// A module with parts lists all of them, so that a new file or folder gets its place.
pub(crate) const ORDER: &str = "
base
    hex
    this_machine
    development
    clock
    const_eq
    mutex
    random
    mac
    report
    work_count
    backoff
    api_key
    owned
    error
wire
    protocol
    schema
        nearest
        value
        keyword
        refs
        example
        foreign
        format
        compile
        check
        normalize
        shape
        portable
        parameter
        input
engine
    call
        record
        conversation
        peer
        state
        driver
        context
    runs
    tool
    layer
    elicit
    sample
        messages
        provider
        request
        tools
        reply
        find
        expected
        offer
        strategy
        branch_state
        asking
        setup
        retry
        mode
        builder
        agent_loop
        branch
    durable
        ledger
        seal
        on_demand
        continuation
        inspect
        rounds
    compose
    store
serve
    settings
    server
        core
        subscriptions
        connection
        builder
        lists
    complete
    prompt
    resource
    skill
    tasks
    transport
    http
        refusal
        origin
        limits
        auth
        session
        shared
        guard
        endpoint
        serve
    client
    remote
        transport
        authorization
        typed
        client
apps
    contract
        service
        describe
        invoke
        endpoint
        jsonrpc
        rest
    actions
    gather
    search
    openapi
    plugin
        timeline
        calls
        host
        router
        typescript
edge
    telemetry
    providers
    hosts
    own_program
    landing
    dev
        target
        reported
        process_group
        project
        terminal
        program
        attach
        access
        session
            api
            error
            hub
            log
            client
            model
            record
            faults
            calls
            commands
            as_test
            core
            background
            requests
            recording
            host_messages
        forward
        page
        printed
    cli
        exit
        operator
        stdio_only
        setting_options
        terminal
        items
        answers
        call
        install
        check
        doctor
        package
        remote
        commands
    testing
        observed
        script
        compare
        connection
        client
        modes
__private
docs
    auth
    call
    complete
    content
    elicit
    guide
    handoff
    macros
    prompt
    remote
    resource
    settings
    skill
    telemetry
    tool
    view
prelude
";

#[test]
fn no_module_uses_one_behind_it() {
    let found = arrows_against(&order(), &uses(&sources()));
    assert!(found.is_empty(), "these paths run against the order: {found:#?}");
}

#[test]
fn every_file_and_folder_has_its_place_in_the_order() {
    let order = order();
    let with_parts = order.iter().map(|module| &module[..module.len() - 1]).collect::<BTreeSet<_>>();
    for module in with_parts {
        let entries =
            fs::read_dir(path("mcp-runtime/src").join(module.iter().collect::<std::path::PathBuf>())).unwrap();
        let names = entries.map(|entry| entry.unwrap().path().file_stem().unwrap().display().to_string());
        let found: BTreeSet<_> = names.filter(|name| !["mod", "lib", "tests"].contains(&&**name)).collect();
        let listed = parts(&order, module).into_iter().map(str::to_owned).collect();
        assert_eq!(found, listed, "the parts of `{}`", module.join("/"));
    }
}

/// Each room with groups gets a new file with a path against the order: one that names the last group, one that goes
/// through the room's exports, and one that goes through the exports of the crate.
#[test]
fn an_arrow_against_the_order_is_found() {
    let order = order();
    let rooms: BTreeSet<_> = order.iter().filter(|module| module.len() == 3).map(|group| &group[..2]).collect();
    for room in rooms.into_iter().chain([&["engine"][..], &[]]) {
        let groups = parts(&order, room);
        let [first, .., last] = &groups[..] else { panic!("`{}` has one group", room.join("/")) };
        let room_path = [&["crate"], room].concat().join("::");
        for path in [format!("{room_path}::{last}::Behind"), format!("{room_path}::Behind"), "crate::Behind".to_owned()]
        {
            let exports = format!("pub use self::{last}::Behind;");
            let file = |name: &str| [room, &[name]].concat().join("/");
            let added = [
                Source::new(&file("mod.rs"), &exports),
                Source::new("lib.rs", &format!("pub use {room_path}::Behind;")),
                Source::new(&file(&format!("{last}/mod.rs")), "pub struct Behind;"),
                Source::new(&file(&format!("{first}/new.rs")), &format!("fn new() {{ {path} }}")),
            ];
            let found = arrows_against(&order, &uses(&added));
            let found: Vec<_> = found.into_keys().collect();
            assert_eq!(found, [(file(first), file(last))], "{path}");
        }
    }
}

/// Returns the modules of [`ORDER`], each with the names on the way to it.
pub(crate) fn order() -> Vec<Vec<&'static str>> {
    let mut order: Vec<Vec<&str>> = Vec::new();
    for line in ORDER.lines().filter(|line| !line.is_empty()) {
        let name = line.trim_start();
        let depth = (line.len() - name.len()) / 4;
        let above = order.last().map_or(&[][..], |last| &last[..depth]);
        order.push([above, &[name]].concat());
    }
    order
}

/// Returns the parts of a module in their order.
fn parts<'a>(order: &[Vec<&'a str>], module: &[&str]) -> Vec<&'a str> {
    let inside = order.iter().filter(|part| part.len() == module.len() + 1 && part.starts_with(module));
    inside.map(|part| part[module.len()]).collect()
}

/// Returns the paths against the order, by the modules that they connect.
fn arrows_against(order: &[Vec<&str>], uses: &[Used]) -> BTreeMap<(String, String), Vec<String>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for used in uses {
        if let Some(arrow) = arrow_against(order, &used.by, &used.what) {
            found.entry(arrow).or_default().push(used.place.clone());
        }
    }
    found
}

fn arrow_against(order: &[Vec<&str>], by: &[String], what: &[String]) -> Option<(String, String)> {
    let mut module: Vec<&str> = Vec::new();
    loop {
        let parts = parts(order, &module);
        let place = |path: &[String]| {
            let name = path.get(module.len());
            parts.iter().position(|part| name.is_some_and(|name| name == part)).unwrap_or(parts.len())
        };
        let (from, to) = (place(by), place(what));
        if from != to || from == parts.len() {
            let name = |place: usize| {
                let part = parts.get(place).copied().unwrap_or("mod.rs");
                [&module[..], &[part]].concat().join("/")
            };
            return (from < to).then(|| (name(from), name(to)));
        }
        module.push(parts[from]);
    }
}
