//! Measures the memory that a server needs for waiting clients, as the growth of `VmRSS` over thousands of them. Also
//! measures whether the server frees memory after a load.

use std::{
    process::{self, Command},
    thread,
    time::Duration,
};

use crate::{
    Result,
    client::Client,
    contestant::{self, Contestant},
    load::Crowd,
    report::{Row, Unit},
    server::Server,
    workload::{Ask, Era, Workload},
};

const COUNT: u32 = 10_000;
/// The number of waiting calls. A client may have at most 2,048 waiting calls that cannot be rebuilt.
const PARKED: u32 = 2_000;
const ECHO: Workload = Workload { ask: Ask::Echo(100), era: Era::Modern, tools: 1 };
const CONFIRM: Workload = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
const HAND_OVER: Workload = Workload { ask: Ask::Confirm("hand_over"), ..CONFIRM };

pub(crate) fn measure() -> Result<Vec<Row>> {
    allow_connections();
    let of_all = |bytes: fn(&Contestant) -> Result<f64>| -> Result<[f64; 3]> {
        let mut figures = [0.0; 3];
        for (figure, contestant) in figures.iter_mut().zip(&contestant::ALL) {
            *figure = bytes(contestant).map_err(|error| format!("{}: {error}", contestant.name))?;
        }
        Ok(figures)
    };
    let ours = &contestant::ALL[2];
    let mut loaded = [[0.0; 3]; 3];
    for (column, contestant) in contestant::ALL.iter().enumerate() {
        let resident = under_load(contestant, Server::resident)?;
        for (row, bytes) in loaded.iter_mut().zip(resident) {
            row[column] = bytes / 1024.0 / 1024.0;
        }
    }
    let [before, after, after_more] = loaded;
    let held = under_load(&contestant::COUNTED, held)?;
    let ours_alone = |figure| [f64::NAN, f64::NAN, figure];
    Ok(vec![
        Row::new("an idle connection", Unit::Bytes, of_all(connection)?),
        Row::new("an idle session of 2025-11-25, without a connection", Unit::Bytes, of_all(session)?).at_most(4096.0),
        Row::new("a call of 2025-11-25 that waits for the user, with its connection", Unit::Bytes, of_all(waiting)?)
            .at_most(20.0 * 1024.0),
        Row::new(
            "a call of 2026-07-28 that waits for the user",
            Unit::Bytes,
            of_all(|of| between(of, &CONFIRM, 0, PARKED))?,
        ),
        Row::new(
            "the same as a `#[handoff]`, beyond those that are kept",
            Unit::Bytes,
            // Now and then the allocator gets a megabyte more, so the better of two.
            ours_alone(between(ours, &HAND_OVER, COUNT, COUNT)?.min(between(ours, &HAND_OVER, COUNT, COUNT)?)),
        )
        .at_most(282.0),
        Row::new("resident before load", Unit::Megabytes, before),
        Row::new("resident after load, what the allocator keeps included", Unit::Megabytes, after),
        Row::new("resident after the same twice more", Unit::Megabytes, after_more),
        Row::new("allocated before load", Unit::Bytes, ours_alone(held[0])),
        Row::new("allocated after load", Unit::Bytes, ours_alone(held[1])).at_most(held[0] * 1.1),
        Row::new("allocated after the same twice more", Unit::Bytes, ours_alone(held[2])).at_most(held[0] * 1.1),
    ])
}

/// Calls `add` `count` times, and returns the average growth of memory per call. The first tenth of the calls only
/// warms up the server.
fn growth(server: &Server, count: u32, mut add: impl FnMut() -> Result<()>) -> Result<f64> {
    for _ in 0..count / 10 {
        add()?;
    }
    let before = server.resident()?;
    for _ in 0..count - count / 10 {
        add()?;
    }
    Ok((server.resident()? - before) / f64::from(count - count / 10))
}

fn connection(contestant: &Contestant) -> Result<f64> {
    let server = Server::start(contestant.command(&[]), &ECHO)?;
    let mut clients = Vec::new();
    let bytes = growth(&server, COUNT, || {
        let mut client = Client::connect(server.address, &ECHO)?;
        client.ask(&ECHO, 1)?;
        clients.push(client);
        Ok(())
    })?;
    drop(clients);
    server.end()?;
    Ok(bytes)
}

/// Returns the memory of one session. All sessions are opened on one connection.
fn session(contestant: &Contestant) -> Result<f64> {
    let echo = Workload { era: Era::Legacy, ..ECHO };
    let server = Server::start(contestant.command(&[]), &echo)?;
    let mut client = Client::in_session(server.address, &echo, None)?;
    let bytes = growth(&server, COUNT, || client.open_session(&echo).map(drop))?;
    drop(client);
    server.end()?;
    Ok(bytes)
}

/// Returns the memory of one waiting call. Each call waits for an answer on the stream of its request, with a thousand
/// calls in a session. Then the client answers all calls.
fn waiting(contestant: &Contestant) -> Result<f64> {
    let confirm = Workload { era: Era::Legacy, ..CONFIRM };
    let server = Server::start(contestant.command(&[]), &confirm)?;
    let mut opening = Client::in_session(server.address, &confirm, None)?;
    let (mut requests, mut body) = (confirm.requests(), Vec::new());
    let (mut sessions, mut calls) = (Vec::new(), Vec::new());
    let bytes = growth(&server, COUNT, || {
        if calls.len() % 1000 == 0 {
            sessions.push(opening.open_session(&confirm)?);
        }
        let session = sessions.len() - 1;
        let mut client = Client::in_session(server.address, &confirm, Some(&sessions[session]))?;
        body.clear();
        requests.push_next(&mut body);
        client.send(&body)?;
        let question = client.begun_with(r#""elicitation/create""#)?;
        calls.push((client, session, id_of(&question)?));
        Ok(())
    })?;
    let answering = sessions.iter().map(|session| Client::in_session(server.address, &confirm, Some(session)));
    let mut answering = answering.collect::<Result<Vec<_>>>()?;
    for (mut client, session, id) in calls {
        let answer = r#""result":{"action":"accept","content":{"sure":true}}"#;
        answering[session].post(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#).as_bytes())?;
        let (status, _, body) = client.response()?;
        if status != 200 || !body.contains(r#""content":[{"type":"text""#) {
            return Err(format!("a call that waited got {status}: {body}").into());
        }
    }
    drop((opening, answering));
    server.end()?;
    Ok(bytes)
}

/// Returns the id of the question on a stream, as JSON text.
fn id_of(stream: &str) -> Result<String> {
    let question = stream.lines().find(|line| line.contains(r#""elicitation/create""#)).ok_or("no question")?;
    let question = question.strip_prefix("data:").ok_or("no event")?;
    Ok(serde_json::from_str::<serde_json::Value>(question)?["id"].to_string())
}

/// Returns the memory of one confirmation between its two requests, when the client holds the state. `before`
/// confirmations wait already, and `count` more are added.
fn between(contestant: &Contestant, workload: &Workload, before: u32, count: u32) -> Result<f64> {
    let server = Server::start(contestant.command(&[]), workload)?;
    let mut client = Client::connect(server.address, workload)?;
    let (mut requests, mut body) = (workload.requests(), Vec::new());
    let mut ask = || {
        body.clear();
        requests.push_next(&mut body);
        client.post(&body).map(drop)
    };
    for _ in 0..before {
        ask()?;
    }
    let bytes = growth(&server, count, ask)?;
    drop(client);
    server.end()?;
    Ok(bytes)
}

/// Returns the memory of a server after a few requests, after many requests on 256 connections that are closed again,
/// and after two further loads of the same kind.
fn under_load(contestant: &Contestant, memory: fn(&Server) -> Result<f64>) -> Result<[f64; 3]> {
    let server = Server::start(contestant.command(&[]), &ECHO)?;
    let large = Workload { ask: Ask::Echo(100_000), ..ECHO };
    for workload in [&ECHO, &large] {
        Client::connect(server.address, workload)?.ask(workload, 100)?;
    }
    thread::sleep(SETTLES);
    let mut figures = [memory(&server)?, 0.0, 0.0];
    for (figure, loads) in figures[1..].iter_mut().zip([1, 2]) {
        for workload in [&ECHO, &large].repeat(loads) {
            Crowd::connect(&server, workload, 256.into())?.exchange(LOAD)?;
        }
        thread::sleep(SETTLES);
        *figure = memory(&server)?;
    }
    server.end()?;
    Ok(figures)
}

/// Returns the number of allocated bytes that the server reports.
fn held(server: &Server) -> Result<f64> {
    let workload = Workload { ask: Ask::Confirm("held"), ..ECHO };
    let mut body = Vec::new();
    workload.requests().push_next(&mut body);
    let reply = Client::connect(server.address, &workload)?.post(&body)?;
    let text = reply.split_once(r#""text":""#).and_then(|(_, text)| text.split_once(" B ")).ok_or("no figure")?;
    Ok(text.0.parse()?)
}

/// The duration of a load.
const LOAD: Duration = Duration::from_millis(500);

/// How long to wait until the server has noticed that its clients have disconnected.
const SETTLES: Duration = Duration::from_millis(300);

/// Raises the limit of open files, because each connection is an open file in the server and in the client.
fn allow_connections() {
    // Where more are not allowed, connecting fails and says so.
    let _ = Command::new("prlimit").args(["--nofile=16384:", "--pid", &process::id().to_string()]).status();
}
