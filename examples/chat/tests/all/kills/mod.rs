//! The program is killed in the middle of bookings. After a restart each booking goes on; its phases have run once.

mod http;
mod program;

use std::{thread, time::Duration};

use serde_json::{Value, json};

use self::{
    http::User,
    program::{Data, Program},
};

const WORKERS: u64 = 4;
/// Kills of each worker.
const KILLS: u64 = 25;

#[test]
fn a_booking_survives_a_hundred_kills() {
    let workers: Vec<_> = (0..WORKERS).map(|worker| thread::spawn(move || Bookings::new(worker).run())).collect();
    let kills: u64 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    assert_eq!(kills, WORKERS * KILLS);
}

/// The bookings of one worker, each with a kill.
struct Bookings {
    data: Data,
    /// The state of the random numbers.
    random: u64,
    address: String,
    worker: u64,
}

/// What a booking has come to.
struct Progress {
    /// The id of the call, when it is known.
    call: Option<String>,
    /// Whether the first question was seen.
    was_asked: bool,
    /// The last event.
    end: Option<Value>,
}

impl Bookings {
    fn new(worker: u64) -> Self {
        let random = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(worker + 1);
        Self { data: Data::new(&worker.to_string()), random, address: "127.0.0.1:0".to_owned(), worker }
    }

    fn run(mut self) -> u64 {
        for booking in 0..KILLS {
            self.book(booking);
        }
        KILLS
    }

    fn book(&mut self, booking: u64) {
        let mut program = self.start();
        // A user for each booking, so that the conversations stay short.
        let cookie = User::open(program.address.parse().unwrap()).unwrap().cookie;
        let user = |program: &Program| User { address: program.address.parse().unwrap(), cookie: cookie.clone() };
        let before = self.counts();
        let asked = user(&program).post("/api/chat/messages", &json!({ "text": "a flight" }).to_string()).unwrap();
        assert_eq!(asked.0, 202, "{}", asked.1);
        let mut progress = Progress { call: None, was_asked: false, end: None };
        // The events of a booking: started, elicit, answered, elicit, answered, sample, finished.
        let kill_after = self.next(7);
        let pause = Duration::from_micros(self.next(4) * self.next(2000));
        let was_asked = follow(&user(&program), &mut progress, Some((kill_after, pause)));
        drop(program);

        program = self.start();
        follow(&user(&program), &mut progress, None);
        let end = progress.end.expect("the call has ended");
        let (begun, booked) = self.counts();
        let (begun, booked) = (begun - before.0, booked - before.1);
        let context = format!("worker {}, booking {booking}, killed after event {kill_after}: {end}", self.worker);
        // Before the first question was stored, the call had not shown anything, and may begin again.
        let most = if was_asked { 1 } else { 2 };
        assert!((1..=most).contains(&begun), "begun {begun} times: {context}");
        assert!(booked <= 1, "booked {booked} times: {context}");
        match end["type"].as_str() {
            Some("finished") => {
                let text = end["result"]["content"][0]["text"].as_str().unwrap_or_default();
                assert!(text.starts_with("Booked"), "{context}");
                assert_eq!(booked, 1, "{context}");
            }
            // The process ended while it booked: the user is told that the outcome is not known.
            _ => assert!(end["message"].as_str().is_some_and(|told| told.contains("outcome is unknown")), "{context}"),
        }
        // The assistant has answered too.
        let items = user(&program).events("/api/chat").unwrap();
        assert!({ items }.any(|item| item.contains(r#""type":"done""#)), "{context}");
    }

    fn start(&mut self) -> Program {
        let program = self.data.start(&self.address);
        self.address.clone_from(&program.address);
        program
    }

    /// Returns how many calls have begun, and how many seats were sold.
    fn counts(&self) -> (usize, usize) {
        (self.data.lines("audit.jsonl", "book_flight"), self.data.lines("tickets", ""))
    }

    /// Returns a random number below `end`.
    fn next(&mut self, end: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % end
    }
}

/// Answers the questions of the booking as a page does. If `until` is set, returns after this many events and this
/// pause, else at the end of the call. Returns whether the first question was seen.
fn follow(user: &User, progress: &mut Progress, until: Option<(u64, Duration)>) -> bool {
    if progress.call.is_none() {
        let mut items = user.events("/api/chat").unwrap();
        let call = items.find_map(|item| {
            let item: Value = serde_json::from_str(&item).ok()?;
            item["call"].as_str().map(str::to_owned)
        });
        progress.call = Some(call.expect("the assistant calls the tool"));
    }
    let call = progress.call.as_deref().unwrap_or_default();
    for (number, event) in (0..).zip(user.events(&format!("/plugins/calls/{call}/events")).unwrap()) {
        let event: Value = serde_json::from_str(&event).unwrap();
        let kind = event["type"].as_str().unwrap_or_default().to_owned();
        progress.was_asked |= kind == "elicit";
        let is_end = ["finished", "failed", "cancelled"].contains(&&*kind);
        let kills = until.is_some_and(|(after, _)| number == after);
        if kind == "elicit" {
            let question = &event["question"];
            let content = match question["form"].as_str() {
                Some("pick_flight") => {
                    let last = question["schema"]["properties"]["flight_id"]["oneOf"].as_array().unwrap().last();
                    json!({ "flight_id": last.unwrap()["const"], "seat": "aisle" })
                }
                _ => json!({ "confirmed": true }),
            };
            let answer = json!({ "seq": question["seq"], "action": "accept", "content": content });
            let path = format!("/plugins/calls/{call}/answers");
            if kills {
                // The kill meets the answer at any point of its way.
                let (user, answer) = (user.clone(), answer.to_string());
                thread::spawn(move || drop(user.post(&path, &answer)));
            } else {
                // A question of the past was answered before.
                let (status, _) = user.post(&path, &answer.to_string()).unwrap();
                assert!(status == 200 || status == 409, "{status}");
            }
        }
        if is_end {
            progress.end = Some(event);
        }
        if kills {
            thread::sleep(until.map(|(_, pause)| pause).unwrap_or_default());
            return progress.was_asked;
        }
        if is_end {
            return progress.was_asked;
        }
    }
    progress.was_asked
}
