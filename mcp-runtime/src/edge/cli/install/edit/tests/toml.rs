//! TOML.

use serde_json::json;

use super::Sample;

#[test]
fn gives_the_file_back_without_a_backup() {
    for file in [
        "",
        "\n",
        "# hi\n",
        "# hi",
        "model = \"x\"\n\n[mcp_servers.a]\ncommand = \"b\"\n",
        "model = \"x\"\r\n\r\n[mcp_servers.a]\r\ncommand = \"b\"\r\n",
        "\u{feff}model = \"x\"\n",
        "# top\n[a] # x\nb=1 # y\n# end\n",
        "mcp_servers.a.command = \"b\"\n",
        "[mcp_servers]\n# c\n[mcp_servers.a]\ncommand='b'\n[z]\nq=1\n",
        "[mcp_servers.a]\ncommand='b'\n\n# about z\n[z]\nq=1\n",
        "a=1\r\nb=2\n",
        "[mcp_servers.a]\n\tcommand\t=\t'b'\n",
        "s = \"\"\"\r\na\r\n[mcp_servers.ours]\r\nb\"\"\"\r\n[mcp_servers.a]\r\ncommand = 'b'\r\n",
        "[[profiles]]\nn = 1\n[[profiles]]\nn = 2\n",
        "[mcp_servers.a]\ncommand = \"b\"",
        "a = 1\n\n\n",
        "a = 1\n  ",
        "mcp_servers = {}\n",
        "mcp_servers = { a = { command = \"b\" } }\n",
        "mcp_servers = {a = 1}",
        "x = [\n  [1],\n  [{ y = 2 }],\n]\n",
        "d = 2026-11-28T00:00:00Z\nf = inf\nh = 0xff\n",
    ] {
        Sample::toml().there_and_back(file);
    }
}

#[test]
fn writes_a_table_with_its_own_header() {
    assert_eq!(
        Sample::toml().inserted("model = 'x'\n"),
        "model = 'x'\n\n[mcp_servers.ours]\ncommand = \"C:\\\\Programs\\\\x.exe\"\nargs = [\"--root=\\\"ü\\\"\"]\n\n\
         [mcp_servers.ours.env]\nA = \"1\"\n"
    );
}

#[test]
fn removes_a_table_wherever_it_is() {
    for (file, without) in [
        ("[mcp_servers.ours]\na = 1\n\n[z]\nb = 1\n", "\n[z]\nb = 1\n"),
        ("[a]\nx = 1\n\n[mcp_servers.ours]\na = 1\n# about z\n[z]\nb = 1\n", "[a]\nx = 1\n# about z\n[z]\nb = 1\n"),
        ("[mcp_servers.ours]\na = 1\n[z]\nb = 1\n[mcp_servers.ours.env]\nc = 1\n", "[z]\nb = 1\n"),
        ("[mcp_servers]\nours = { a = 1 }\nx = 1\n", "[mcp_servers]\nx = 1\n"),
        ("mcp_servers = { ours = { a = 1 }, x = 1 }\n", "mcp_servers = { x = 1 }\n"),
        ("mcp_servers = { x = 1, ours = { a = 1 }, y = 2 }\n", "mcp_servers = { x = 1, y = 2 }\n"),
    ] {
        assert_eq!(Sample::toml().remove(file, None), Ok(Some(without.to_owned())), "{file}");
    }
}

#[test]
fn replaces_a_table_where_it_is() {
    let sample = Sample { value: json!({ "new": 1, "env": { "A": "1" } }), ..Sample::toml() };
    for (file, with) in [
        (
            "[mcp_servers.ours]\ncommand = 'old'\n\n# z\n[z]\nq = 1\n",
            "[mcp_servers.ours]\nnew = 1\n\n[mcp_servers.ours.env]\nA = \"1\"\n\n# z\n[z]\nq = 1\n",
        ),
        (
            "[mcp_servers.ours.env]\nB = 1\n[z]\nq = 1\n\n[mcp_servers.ours]\ncommand = 'old'",
            "[mcp_servers.ours]\nnew = 1\n\n[mcp_servers.ours.env]\nA = \"1\"\n[z]\nq = 1",
        ),
        (
            "mcp_servers = { ours = { command = 'old' }, x = 1 }\n",
            "mcp_servers = { ours = { new = 1, env = { A = \"1\" } }, x = 1 }\n",
        ),
        ("[mcp_servers]\nours = {} # ours\n", "[mcp_servers]\nours = { new = 1, env = { A = \"1\" } } # ours\n"),
    ] {
        assert_eq!(sample.insert(file).as_deref(), Ok(with));
    }
}
