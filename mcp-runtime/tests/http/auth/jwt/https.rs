//! Keys fetched over TLS from a server in Python. The environment of a process selects the trusted certificates, so the
//! fetch runs in a process of its own.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use mcp_runtime::auth::{Jwks, TokenError};

use super::{TOKENS, text, verifier, verify};

const SERVER: &str = r#"
import http.server, ssl, sys

class Keys(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = open(sys.argv[2], "rb").read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
"#;

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn fetches_keys_only_from_servers_that_the_system_trusts() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/http/auth/jwt");
    let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jwks.json");
    fs::write(&keys, TOKENS["jwks"].to_string()).unwrap();
    let mut python = Command::new("python3");
    python.args(["-c", SERVER]).arg(here.join("localhost.pem")).arg(keys).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Server(python.spawn().expect("there is Python"));
    let mut port = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut port).unwrap();
    for (trusted, expected) in [("localhost.pem", "verified"), ("other.pem", "invalid peer certificate")] {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "--ignored", "--nocapture", "http::auth::jwt::https::a_fetch"])
            .env("SSL_CERT_FILE", here.join(trusted))
            .env("JWKS_URL", format!("https://localhost:{}/jwks.json", port.trim()))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains(expected), "{trusted}: {said}");
    }
}

#[tokio::test]
#[ignore = "started by the test above, as a process"]
#[expect(clippy::print_stdout, reason = "the test above reads it")]
async fn a_fetch() {
    let url = env::var("JWKS_URL").expect("the test above says where");
    let verifier = verifier(Jwks::from_url(&url).unwrap());
    match verify(&verifier, text(&TOKENS["good"]["RS256"])).await {
        Ok(_) => println!("verified"),
        Err(TokenError::Unavailable { source, .. }) => println!("{source}"),
        Err(error) => panic!("{error}"),
    }
}
