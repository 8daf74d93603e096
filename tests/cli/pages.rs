//! The help and the pages of tools.

use serde_json::Value;

use crate::cli::program::{printed, run};

#[test]
fn help_and_version_name_the_server() {
    let help = run(["--help"]);
    assert_eq!((help.code, help.errors.as_str()), (Some(0), ""));
    let start =
        "A server for a command line\n\nSay something before you count.\n\nUsage: cli_server [OPTIONS] [COMMAND]\n";
    assert!(help.output.starts_with(start), "{}", help.output);
    for command in ["stdio", "tools", "manifest", "call"] {
        assert!(help.output.contains(&format!("\n  {command} ")), "{}", help.output);
    }
    assert_eq!(run(["--version"]), printed("cli-server 1.2.3\n"));
    let mistaken = run(["tols"]);
    assert_eq!(mistaken.code, Some(2));
    assert!(mistaken.errors.contains("tip: a similar subcommand exists: 'tools'"), "{}", mistaken.errors);
}

#[test]
fn shows_tools_in_a_table() {
    assert_eq!(
        run(["tools"]),
        printed(
            "\
TOOL      WHAT IT DOES                   PARAMETERS                     HINTS
say       Say something.                 text*, times, voice,           read-only, idempotent,
                                         in_reverse                     closed world
sum       Add numbers up.                numbers*, budget               read-only
count     Count slowly, and tell how     to*, pause_ms
          far it is.
block     Keep the thread busy,          seconds*
          without a pause.
show      Show one of everything.                                       read-only
repeat    Repeat what came, as it        json, help, log                read-only
          came.
folder    Name the folder the program                                   read-only
          was started in.
fall      Panic.
book      Book a flight, asking for
          all there is to know.
wipe      Delete everything, if that
          is what you want.
pair      Ask for two names at once,
          and then whether they are
          right.
connect   Connect a calendar.
place     Take one of the places that
          are free.
exact     Take exactly what fits.        numbers*, word                 read-only
picture   Describe a picture.                                           read-only
choose    Choose a cell.                                                read-only
news      Tell the news, shorter where                                  read-only
          there is a model.
agent     Call tools by itself.                                         read-only

* required. All about a tool: `cli_server tools TOOL`. Call it: `cli_server call TOOL`.
"
        )
    );
}

#[test]
fn shows_the_page_of_a_tool() {
    let page = "\
say: Say it

Say something. It is said as often as you like, but no more than nine times.

The voice changes the letters.

Usage:
  cli_server call say --text <string> [--PARAMETER VALUE]…
  cli_server call say JSON

Parameters:
  --text <string>     Required. What to say.
  --times <integer>   How often. From 1 to 9. Default: 1.
  --voice <string>    How loud. One of: normal, loud. Default: normal.
  --in_reverse        Say it backwards.

Options:
  JSON            All arguments as one JSON object; `-` reads it from standard input
  --json          Print the whole result as JSON
  --log <level>   Show log messages from this level up, or `off`. Default: info
  -h, --help      Print this page

Hints: read-only, idempotent, closed world.
";
    assert_eq!(run(["tools", "say"]), printed(page));
    assert_eq!(run(["call", "say", "--help"]), printed(page));
    let sum = run(["tools", "sum"]).output;
    let result = "\
Result:
  numbers   number…   The numbers as they came.
  total     number    All of them together.
  left      number    What is left of the budget, if there was one.
";
    assert!(sum.contains(result), "{sum}");
}

#[test]
fn prints_the_manifest_as_json() {
    let manifest = run(["manifest"]);
    let published: Value = serde_json::from_str(&manifest.output).unwrap();
    assert_eq!(published["server"]["version"], "1.2.3");
    assert_eq!(published["tools"].as_array().unwrap().len(), 18);
    assert_eq!(manifest, printed(&format!("{published:#}\n")));
}

#[test]
fn the_page_of_a_tool_that_asks_lists_its_questions() {
    let page = run(["tools", "book"]).output;
    let questions = "
Options:
  --answer <KEY=VALUE>   Answer a question in advance, as shown below. `KEY=decline` and
                         `KEY=cancel` are also answers. If a key is asked twice, give the option
                         twice
  --json                 Print the whole result as JSON
  --log <level>          Show log messages from this level up, or `off`. Default: info
  -h, --help             Print this page

Questions:
  pick_flight: Pick one of the flights.
    flight_id    string    Required. The flight's number. At least 3 characters.
    seats        integer   From 1 to 9. Default: 2.
    day          string    Required. Format: date.
    seat         string    One of: window, aisle, none (No preference). Default: none.
    extras       string…   Required. One of: window, aisle, none (No preference). From 1 to 2
                           values.
    newsletter   boolean
    note         string
    Such as: --answer 'pick_flight={\"flight_id\":\"…\",\"day\":\"…\",\"extras\":[\"window\"]}'

  confirm
    sure   boolean   Required. It cannot be undone.
    Such as: --answer confirm=true
";
    assert!(page.contains(questions), "{page}");
    let page = run(["tools", "connect"]).output;
    let questions = "
Questions:
  elicit_url: Any page that the user is asked to open, whatever its key is.
    Such as: --answer elicit_url=accept
";
    assert!(page.contains(questions), "{page}");
}
