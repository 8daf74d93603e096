//! Measures many connections with a request in flight on each. If there are two processors, the server and the client
//! have one each. The contestants take turns, so that other work on the machine affects all of them.

pub(crate) mod burst;
mod link;
pub(crate) mod threads;

use std::{
    process::Command,
    time::{Duration, Instant},
};

use mio::{Events, Poll, Token};

use self::link::Link;
use crate::{
    Result, contestant,
    figures::median,
    processors,
    report::{Row, Unit},
    server::Server,
    workload::{Ask, Era, Requests, Workload},
};

const CONNECTIONS: [usize; 3] = [1, 32, 256];
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_millis(250);
/// The length of a round if the slowest calls have a limit. In a shorter round, a single delay of a few milliseconds
/// would affect one call in a hundred.
const LONG_ROUND: Duration = Duration::from_secs(1);
/// If no response arrives for this long, the open requests are lost.
const LOST: Duration = Duration::from_secs(10);
/// The minimum calls per second of the echo on the most connections, as a multiple of those of `rmcp`.
const TIMES_RMCP: f64 = 4.0;
/// The maximum duration of 99 of 100 of these calls, as a multiple of the duration with the floor.
const TIMES_FLOOR: f64 = 1.6;

const ECHO: Workload = Workload { ask: Ask::Echo(100), era: Era::Modern, tools: 1 };
const PLAN: [(&str, Workload); 4] = [
    ("echo of 100 B", ECHO),
    ("echo of 100 KB", Workload { ask: Ask::Echo(100_000), ..ECHO }),
    ("list of 100 tools", Workload { ask: Ask::List, tools: 100, ..ECHO }),
    ("confirmation, two requests", Workload { ask: Ask::Confirm("confirm"), tools: 2, ..ECHO }),
];

pub(crate) fn measure() -> Result<Vec<Row>> {
    let wrapper = processors::share();
    let mut rows = Vec::new();
    let mut lost = [0.0; 3];
    for (name, workload) in &PLAN {
        for connections in CONNECTIONS {
            let is_limited = *workload == ECHO && connections == 256;
            let time = if is_limited { LONG_ROUND } else { ROUND };
            let rounds = rounds(workload, connections, time, wrapper)?;
            let figures = |figure: fn(&Speed) -> f64| {
                std::array::from_fn(|column| median(rounds.iter().map(|round| figure(&round[column]))))
            };
            let on = if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") };
            let per_second =
                Row::new(format!("{name}, {on}: per second"), Unit::PerSecond, figures(|speed| speed.calls_per_second));
            let most = figures(|speed| speed.most_within);
            let most_within = Row::new("99 of 100 are answered within", Unit::Milliseconds, most);
            rows.extend([
                if is_limited { against_rmcp(per_second, &rounds) } else { per_second },
                Row::new("processor time of each", Unit::Microseconds, figures(|speed| speed.processor_microseconds)),
                Row::new("half are answered within", Unit::Milliseconds, figures(|speed| speed.half_within)),
                if is_limited { most_within.at_most(TIMES_FLOOR * most[0]) } else { most_within },
            ]);
            for round in &rounds {
                lost.iter_mut().zip(round).for_each(|(lost, speed)| *lost += speed.lost);
            }
        }
    }
    rows.push(Row::new("requests lost, of all these", Unit::Count, lost).at_most(0.0));
    Ok(rows)
}

fn against_rmcp(row: Row, rounds: &[[Speed; 3]]) -> Row {
    let ratio = |round: &[Speed; 3]| round[2].calls_per_second / round[1].calls_per_second;
    let best = rounds.iter().map(ratio).fold(0.0, f64::max);
    let words =
        format!("≥ {TIMES_RMCP} × rmcp; rounds: median {:.1}, best {best:.1}", median(rounds.iter().map(ratio)));
    row.limit(words, best >= TIMES_RMCP)
}

fn rounds(workload: &Workload, connections: usize, time: Duration, wrapper: &[&str]) -> Result<Vec<[Speed; 3]>> {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let mut round = [Speed::default(); 3];
        for (speed, contestant) in round.iter_mut().zip(&contestant::ALL) {
            *speed = one_round(contestant.command(wrapper), workload, connections.into(), time)?;
        }
        rounds.push(round);
    }
    Ok(rounds)
}

#[derive(Clone, Copy, Default)]
struct Speed {
    calls_per_second: f64,
    processor_microseconds: f64,
    half_within: f64,
    most_within: f64,
    lost: f64,
}

fn one_round(server: Command, workload: &Workload, connections: Connections, time: Duration) -> Result<Speed> {
    let server = Server::start(server, workload)?;
    let mut crowd = Crowd::connect(&server, workload, connections)?;
    crowd.exchange(time / 6)?; // warms up
    crowd.times.clear();
    let (before, begin) = (server.processor_time()?, Instant::now());
    crowd.exchange(time)?;
    let (time, after) = (begin.elapsed(), server.processor_time()?);
    let Crowd { mut times, lost, links, .. } = crowd;
    drop(links);
    server.end()?;
    let calls = times.len() as f64;
    times.sort_unstable();
    let within = |share: f64| times.get((calls * share) as usize).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
    Ok(Speed {
        calls_per_second: calls / time.as_secs_f64(),
        processor_microseconds: (after - before).as_secs_f64() * 1e6 / calls,
        half_within: within(0.5),
        most_within: within(0.99),
        lost: lost as f64,
    })
}

#[derive(Clone, Copy)]
pub(crate) struct Connections {
    pub(crate) number: usize,
    /// The number of calls that each connection sends in one write. When all are answered, the connection sends the
    /// next calls.
    pub(crate) at_a_time: usize,
}

impl From<usize> for Connections {
    /// Creates this number of connections with one call in flight on each.
    fn from(number: usize) -> Self {
        Self { number, at_a_time: 1 }
    }
}

/// All connections to a server.
pub(crate) struct Crowd {
    poll: Poll,
    links: Vec<Link>,
    requests: Requests,
    /// The duration of each answered call.
    times: Vec<Duration>,
    lost: usize,
}

impl Crowd {
    pub(crate) fn connect(server: &Server, workload: &Workload, connections: Connections) -> Result<Self> {
        let poll = Poll::new()?;
        let link = |number| Link::connect(server, workload, connections.at_a_time, poll.registry(), Token(number));
        let links = (0..connections.number).map(link);
        let links = links.collect::<Result<_>>()?;
        Ok(Self { poll, links, requests: workload.requests(), times: Vec::new(), lost: 0 })
    }

    /// Keeps calls in flight on every connection for some time, and then waits for the open calls.
    pub(crate) fn exchange(&mut self, time: Duration) -> Result<()> {
        let (mut events, mut open) = (Events::with_capacity(1024), self.links.len());
        let begin = Instant::now();
        for link in &mut self.links {
            link.ask(&mut self.requests)?;
        }
        while open > 0 {
            self.poll.poll(&mut events, Some(LOST))?;
            if events.is_empty() {
                self.lost += self.links.iter().map(Link::open).sum::<usize>();
                return Ok(());
            }
            for event in &events {
                let link = &mut self.links[event.token().0];
                match link.go_on(&mut self.requests, &mut self.times) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(_) => self.lost += 1,
                }
                if begin.elapsed() < time {
                    link.ask(&mut self.requests)?;
                } else {
                    open -= 1;
                }
            }
        }
        Ok(())
    }
}
