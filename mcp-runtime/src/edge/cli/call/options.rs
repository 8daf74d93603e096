//! The parameters of a tool or prompt as command-line options.

use std::{collections::HashSet, io};

use clap::{Arg, ArgAction, ArgMatches, Command, builder::PossibleValuesParser};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    edge::cli::{
        answers::given::GivenAnswer,
        items::{
            item::{CliItem, ItemKind},
            json_error::json_error,
            page::{first_sentence, page},
            parameter::{CliParameter, DETACH_HELP, OWN_OPTIONS},
            runs,
        },
        terminal::has_person,
    },
    engine::tool::registry::Registry,
    wire::{protocol::level::Level, schema::Types},
};

/// The parsed command line.
pub(crate) struct Order {
    pub(crate) name: String,
    pub(crate) arguments: Box<RawValue>,
    pub(crate) json: bool,
    /// The lowest level of log messages to show.
    pub(crate) log: Option<Level>,
    pub(crate) answers: Vec<GivenAnswer>,
    /// Whether the call leaves the run that it begins to another process.
    pub(crate) detach: bool,
}

/// The id that clap uses for the argument that has all parameters as a JSON object. No option has this id, because ids
/// of options begin with `--`.
const WHOLE: &str = "JSON";

/// The option that leaves a run to another process.
const DETACH: &str = "detach";

/// Returns the command `call` or `prompt`, with a subcommand for each tool or prompt.
pub(crate) fn command(registry: &Registry, kind: &ItemKind, program: &str, width: usize) -> Command {
    let (verb, noun) = (kind.called_by, kind.noun());
    Command::new(verb)
        .bin_name(format!("{program} {verb}"))
        .about(kind.about_call)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name(kind.placeholder)
        .subcommand_help_heading(kind.heading)
        .args([answer(noun, Some(kind.placeholder)), json(), log()])
        .after_help(format!("For the parameters of a {noun}: {program} {verb} {} --help", kind.placeholder))
        .subcommands(kind.all(registry).map(|item| item_command(&item, kind, program, width)))
}

fn item_command(item: &CliItem<'_>, kind: &ItemKind, program: &str, width: usize) -> Command {
    let definition = &item.registered.definition;
    let parameters = item.parameters();
    let mut taken: HashSet<String> = parameters.iter().map(|it| it.name.to_owned()).collect();
    let [answer_is_free, json_is_free, log_is_free, help_is_free] =
        OWN_OPTIONS.map(|name| taken.insert(name.to_owned()));
    let help = Arg::new("help").short('h').action(ArgAction::Help);
    let mut command = Command::new(definition.name.to_string())
        .bin_name(format!("{program} {} {}", kind.called_by, definition.name))
        .about(first_sentence(&definition.description).to_owned())
        .override_help(page(item, kind, program, width))
        .disable_help_flag(true)
        .arg(if help_is_free { help.long("help") } else { help })
        .args(answer_is_free.then(|| answer(kind.noun(), Some(kind.placeholder))))
        .args(json_is_free.then(json))
        .args(log_is_free.then(log))
        .args(runs::can_detach(item.registered).then(detach));
    let options: Vec<_> = parameters.iter().filter(|it| it.is_option()).collect();
    let is_prompted_for = !kind.is_tool() && has_person();
    if !parameters.is_empty() {
        let example = example(&options);
        let whole = Arg::new(WHOLE)
            .value_name(WHOLE)
            .value_parser(move |text: &str| match text {
                "-" => Ok(WholeArguments::StandardInput),
                _ if text.trim_start().starts_with('{') => read_object(text).map(WholeArguments::Given),
                _ => Err(format!("expected a JSON object{example}")),
            })
            .conflicts_with_all(options.iter().map(|it| id(it)));
        command = command.arg(whole);
    }
    for parameter in options {
        let spelling = parameter.other_spelling().filter(|spelling| taken.insert(spelling.clone()));
        command = command.arg(option(parameter, is_prompted_for).aliases(spelling));
    }
    command
}

/// Creates the option of a parameter. If `is_prompted_for` is set, the option can be missing, and the user is asked for
/// the value.
fn option(parameter: &CliParameter<'_>, is_prompted_for: bool) -> Arg {
    let reading = parameter.reading.clone();
    let takes_text = reading.items.as_ref().map_or(reading.kinds, |items| items.kinds).holds(Types::STRING);
    let option = Arg::new(id(parameter))
        .long(parameter.name.to_owned())
        .value_name(reading.label())
        .action(if reading.is_list() { ArgAction::Append } else { ArgAction::Set });
    let option = if parameter.is_switch() {
        option.num_args(0..=1).default_missing_value("true")
    } else if takes_text {
        // As in `grep -e -x`, the value of `--pattern -x` is `-x`.
        option.allow_hyphen_values(true)
    } else {
        option.allow_negative_numbers(true)
    };
    let option = if parameter.required && !is_prompted_for { option.required_unless_present(WHOLE) } else { option };
    option.value_parser(move |text: &str| reading.read(text))
}

/// Reads the command line. If the JSON argument is `-`, reads the arguments of the tool or prompt from standard input.
pub(crate) fn read(registry: &Registry, kind: &ItemKind, matches: &ArgMatches) -> Result<Order, String> {
    let Some((name, given)) = matches.subcommand() else { unreachable!("the command requires a name") };
    let item = kind.find(registry, name);
    let parameters = item.as_ref().map(CliItem::parameters).unwrap_or_default();
    // After the name of the tool, a parameter with the name of an option replaces that option. Before the name, the
    // option stays available.
    let own = |option: &str| parameters.iter().all(|it| it.name != option);
    let json = matches.get_flag("json") || (own("json") && given.get_flag("json"));
    let is_given = own("log") && given.get_one::<String>("log").is_some();
    let least = level(if is_given { given } else { matches });

    let answers = |matches: &ArgMatches| matches.get_many("answer").into_iter().flatten().cloned().collect::<Vec<_>>();
    let mut answered = answers(matches);
    if own("answer") {
        answered.extend(answers(given));
    }

    let detach = given.try_get_one::<bool>(DETACH).ok().flatten().copied().unwrap_or_default();
    let whole = given.try_get_one::<WholeArguments>(WHOLE).ok().flatten();
    let arguments = match whole {
        Some(WholeArguments::Given(arguments)) => arguments.clone(),
        Some(WholeArguments::StandardInput) => {
            let text =
                io::read_to_string(io::stdin()).map_err(|error| format!("cannot read standard input: {error}"))?;
            read_object(&text).map_err(|error| format!("standard input: {error}"))?
        }
        None => {
            let object: Map<String, Value> = parameters.iter().filter_map(|it| argument(it, given)).collect();
            serde_json::value::to_raw_value(&object).map_err(|error| error.to_string())?
        }
    };
    Ok(Order { name: name.to_owned(), arguments, json, log: least, answers: answered, detach })
}

/// Returns the lowest level of log messages to show, or `None` to show none.
pub(crate) fn level(matches: &ArgMatches) -> Option<Level> {
    let log = matches.get_one::<String>("log");
    log.map_or(Some(Level::Info), |name| Level::ALL.into_iter().find(|level| level.as_str() == name))
}

/// Returns the value given for this parameter.
fn argument(parameter: &CliParameter<'_>, given: &ArgMatches) -> Option<(String, Value)> {
    // `Err`: the parameter has no option.
    let mut values = given.try_get_many::<Vec<Value>>(&id(parameter)).ok()??.flatten().cloned();
    let value = if parameter.reading.is_list() { Some(values.collect()) } else { values.next_back() };
    value.map(|value| (parameter.name.to_owned(), value))
}

#[derive(Clone)]
enum WholeArguments {
    Given(Box<RawValue>),
    StandardInput,
}

fn read_object(text: &str) -> Result<Box<RawValue>, String> {
    match serde_json::from_str::<Box<RawValue>>(text.trim()) {
        Ok(object) if object.get().starts_with('{') => Ok(object),
        Ok(_) => Err("expected a JSON object".to_owned()),
        Err(error) => Err(format!("expected a JSON object: {}", json_error(text.trim(), &error))),
    }
}

/// Returns a suggestion for a value that was typed without an option: the option that the user may have meant.
fn example(options: &[&CliParameter<'_>]) -> String {
    let likely = options.iter().find(|it| it.required).or(options.first());
    likely.map(|it| format!("; did you mean `{}`?", it.option())).unwrap_or_default()
}

/// Returns the id of a parameter's option. No other argument has this id.
fn id(parameter: &CliParameter<'_>) -> String {
    format!("--{}", parameter.name)
}

/// Creates the option `--answer`. `name` is the placeholder for the name of a tool or prompt. It is `None` for a
/// resource, because resources have no help pages.
pub(crate) fn answer(noun: &str, name: Option<&str>) -> Arg {
    let more = name.map(|name| format!("; `{name} --help` shows the keys of its questions")).unwrap_or_default();
    Arg::new("answer")
        .long("answer")
        .value_name("KEY=VALUE")
        .action(ArgAction::Append)
        .value_parser(|text: &str| text.parse::<GivenAnswer>())
        .help(format!("Answer a question of the {noun} in advance{more}"))
}

/// Creates the option of tools with runs. The parameters of such a tool are `action` and `params`.
fn detach() -> Arg {
    Arg::new(DETACH).long(DETACH).action(ArgAction::SetTrue).conflicts_with("answer").help(DETACH_HELP)
}

pub(crate) fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print the whole result as JSON")
}

pub(crate) fn log() -> Arg {
    let levels = Level::ALL.map(Level::as_str);
    Arg::new("log")
        .long("log")
        .value_name("level")
        .value_parser(PossibleValuesParser::new(levels.into_iter().chain(["off"])))
        .hide_possible_values(true)
        .help("Show log messages from this level up, or `off` [default: info]")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Server,
        edge::cli::items::item::TOOLS,
        engine::{
            call::running::CallFuture,
            tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
        },
    };

    /// A tool of this name whose parameters have the names of other options.
    struct Awkward(&'static str);

    const NAMES: [&str; 13] = [
        "help",
        "answer",
        "json",
        "log",
        "version",
        "JSON",
        "h",
        "ignore_case",
        "ignore-case",
        "ignoreCase",
        "-x",
        "a.b",
        "A",
    ];

    impl Tool for Awkward {
        fn definition(&self) -> ToolDefinition {
            let properties: Map<_, _> =
                NAMES.iter().map(|name| ((*name).to_owned(), json!({ "type": "integer" }))).collect();
            ToolDefinition::new(self.0, "Takes what it gets.")
                .input_schema(json!({ "type": "object", "properties": properties }))
        }

        fn call(&self, _: crate::Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
            unreachable!("nothing is called")
        }
    }

    #[test]
    fn names_of_tools_and_parameters_do_not_clash_with_options() {
        let service = ["help", "call", "-x", "a.b"]
            .into_iter()
            .fold(Server::new("s", "1"), |server, name| server.tool(Awkward(name)));
        let service = service.build().unwrap();
        let registry = &service.0.registry.read();
        for tool in ["help", "call", "-x", "a.b"] {
            let options =
                NAMES.iter().filter(|name| **name != "-x").flat_map(|name| [format!("--{name}"), "7".to_owned()]);
            let line = ["call", "--json", "--answer", "a=b", tool].map(ToOwned::to_owned).into_iter().chain(options);
            let matches = command(registry, &TOOLS, "program", 80).try_get_matches_from(line).unwrap();
            let order = read(registry, &TOOLS, &matches).unwrap();
            let arguments: Map<String, Value> = serde_json::from_str(order.arguments.get()).unwrap();
            assert_eq!(order.name, tool);
            assert!(order.json);
            assert_eq!(order.answers.len(), 1);
            assert_eq!(arguments.len(), NAMES.len() - 1);
            assert!(arguments.values().all(|value| *value == 7), "{arguments:?}");
        }
    }
}
