//! Writes the journal as JSON text. Every round writes the whole journal, so this code is written by hand for speed.

use std::sync::Arc;

use super::{
    super::question::{Answerer, Fingerprint, WireQuestion, method_of_form, needs_of_form},
    Answered, Journal,
};
use crate::wire::protocol::{frame::push_json, text::push_json_string};

impl Journal {
    /// Appends the journal as JSON.
    pub(crate) fn push_json(&self, out: &mut Vec<u8>) {
        self.push_json_with(out, self.answers.iter().cloned(), &self.open);
    }

    /// Appends the journal as JSON, with these answers and questions instead of its own.
    pub(in super::super) fn push_json_with(
        &self,
        out: &mut Vec<u8>,
        answers: impl Iterator<Item = Arc<Answered>>,
        open: &[WireQuestion],
    ) {
        let Self { handoff, answers: _, open: _, steps, moments, seed, drifted } = self;
        let mut members = ObjectWriter::open(out);
        if let Some(handoff) = handoff {
            members.push("handoff").extend_from_slice(handoff.get().as_bytes());
        }
        members.push_array("answers", answers, |answered, out| answered.push_json(out));
        members.push_array("open", open.iter(), WireQuestion::push_json);
        members.push_array("steps", steps.iter(), |step, out| push_json(out, step));
        members.push_array("moments", moments.iter(), |moment, out| push_json(out, moment));
        if let Some(seed) = seed {
            push_json(members.push("seed"), seed);
        }
        members.push_array("drifted", drifted.iter(), |key, out| push_json_string(out, key));
        members.close();
    }
}

impl WireQuestion {
    fn push_json(&self, out: &mut Vec<u8>) {
        let Self { key, name, fingerprint, method, params, needs, must_ask: _, deadline } = self;
        let mut members = ObjectWriter::open(out);
        push_json_string(members.push("key"), key);
        push_json_string(members.push("name"), name);
        fingerprint.push_json(members.push("question"));
        if *method != method_of_form() {
            push_json_string(members.push("method"), method);
        }
        members.push("params").extend_from_slice(params.as_bytes());
        if *needs != needs_of_form() {
            push_json(members.push("needs"), &needs.to_bits());
        }
        members.push_number("deadline", *deadline);
        members.close();
    }
}

impl Answered {
    fn push_json(&self, out: &mut Vec<u8>) {
        let Self { key, name, question, answer, by, failed, late, deadline, round, fresh: _ } = self;
        let mut members = ObjectWriter::open(out);
        push_json_string(members.push("key"), key);
        push_json_string(members.push("name"), name);
        question.push_json(members.push("question"));
        let answer = answer.as_ref().map_or("null", |answer| &**answer);
        members.push("answer").extend_from_slice(answer.as_bytes());
        if *by != Answerer::default() {
            push_json(members.push("by"), by);
        }
        if let Some(failed) = failed {
            push_json_string(members.push("failed"), failed);
        }
        if *late {
            members.push("late").extend_from_slice(b"true");
        }
        members.push_number("deadline", *deadline);
        push_json(members.push("round"), round);
        members.close();
    }
}

impl Fingerprint {
    /// Appends the parts as an array. Most questions have no choices at run time, so that part is left out if it is 0.
    fn push_json(self, out: &mut Vec<u8>) {
        let Self { form, message, choices } = self;
        match choices {
            0 => push_json(out, &[form, message]),
            choices => push_json(out, &[form, message, choices]),
        }
    }
}

/// Writes the members of an object.
struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    before: u8,
}

impl<'o> ObjectWriter<'o> {
    fn open(out: &'o mut Vec<u8>) -> Self {
        Self { out, before: b'{' }
    }

    /// Begins a member; the caller appends its value.
    fn push(&mut self, name: &str) -> &mut Vec<u8> {
        self.out.extend_from_slice(&[self.before, b'"']);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.before = b',';
        self.out
    }

    fn push_number(&mut self, name: &str, number: Option<u64>) {
        if let Some(number) = number {
            push_json(self.push(name), &number);
        }
    }

    /// Appends an array, unless it is empty.
    fn push_array<T>(&mut self, name: &str, mut items: impl Iterator<Item = T>, write: impl Fn(T, &mut Vec<u8>)) {
        let Some(first) = items.next() else { return };
        let out = self.push(name);
        out.push(b'[');
        write(first, out);
        for item in items {
            out.push(b',');
            write(item, out);
        }
        out.push(b']');
    }

    fn close(self) {
        if self.before == b'{' {
            self.out.push(b'{');
        }
        self.out.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::value::RawValue;

    use super::*;
    use crate::{engine::call::journal::StepTaken, wire::protocol::capability::Capabilities};

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).expect("JSON")
    }

    fn answered(number: u32, answer: Option<&str>) -> Arc<Answered> {
        Arc::new(Answered {
            key: format!("sure \"#{number}\"").into(),
            name: "sure".into(),
            question: Fingerprint { form: 1, message: u32::MAX, choices: number },
            answer: answer.map(Into::into),
            by: Answerer::Server,
            failed: answer.is_none().then(|| "the model is \"asleep\"".into()),
            late: answer.is_none(),
            deadline: answer.map(|_| 1_800_000_000_123),
            round: number,
            fresh: false,
        })
    }

    #[test]
    fn questions_in_an_older_journal_can_be_read() {
        let older = r#"{"key":"k","name":"k","question":{"f":1,"m":2,"c":3},"method":"elicitation/create","params":{},"needs":1}"#;
        let asked: WireQuestion = serde_json::from_str(older).expect("a question");
        assert_eq!(asked.fingerprint, Fingerprint { form: 1, message: 2, choices: 3 });
        assert_eq!((asked.method, asked.needs), (method_of_form(), needs_of_form()));
    }

    #[test]
    fn an_answer_in_an_older_journal_is_of_the_client() {
        let older = r#"{"key":"k","name":"k","question":{"f":1,"m":2,"c":3},"answer":{"usage":[1,2]},"round":1}"#;
        let answered: Answered = serde_json::from_str(older).expect("an answer");
        assert_eq!(answered.answer().expect("an answer").by, Answerer::Client);
    }

    #[test]
    fn journal_round_trips() {
        let asked = WireQuestion {
            key: "pick#2".into(),
            name: "pick".into(),
            fingerprint: Fingerprint::default(),
            method: "elicitation/create",
            params: r#"{"message":"Which \"one\"?"}"#.into(),
            needs: Capabilities::from_bits(5),
            must_ask: false,
            deadline: None,
        };
        let whole = Journal {
            handoff: Some(raw(r#"{"a":[1,2.50]}"#)),
            answers: [answered(1, Some(r#"{"action":"accept"}"#)), answered(2, None)].into(),
            open: vec![asked.clone(), WireQuestion { deadline: Some(7), ..asked.clone() }],
            steps: vec![StepTaken { key: "pay".into(), value: raw("null") }],
            seed: Some([0, u64::MAX]),
            drifted: vec!["line\nfeed".to_owned()],
            ..Journal::default()
        };
        let form = WireQuestion { needs: needs_of_form(), ..asked.clone() };
        let model = WireQuestion { method: "sampling/createMessage", ..asked.clone() };
        let others = Journal { open: vec![form, model], ..Journal::default() };
        let null = Journal { handoff: Some(raw("null")), ..Journal::default() };
        for journal in [Journal::default(), whole, others, null] {
            let mut text = Vec::new();
            journal.push_json(&mut text);
            let read: Journal = serde_json::from_slice(&text).expect("a journal");
            assert_eq!(format!("{read:?}"), format!("{journal:?}"), "{}", String::from_utf8_lossy(&text));
        }
    }
}
