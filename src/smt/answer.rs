//! The conversation with a solver, and the required form of its answers.
//!
//! The commands after `(check-sat)` depend on the answer. A command that can only give an error is
//! not sent, and any error ends the conversation.

use super::script::excerpt;
use super::sexpr::{Reader, Sexpr};
use super::{Answer, Failure, Script};
use crate::process::Input;
use std::collections::BTreeSet;
use std::io::{BufReader, Read};

/// The receiver of questions: a process, or nothing in tests.
pub(super) trait Listener {
    fn say(&mut self, text: String);
}

impl Listener for Input {
    fn say(&mut self, text: String) {
        Input::say(self, text);
    }
}

/// Asks `script`, whose text is `text`, and reads the whole answer.
pub(super) fn converse(
    output: &mut dyn Read,
    mut input: impl Listener,
    script: &Script,
    text: String,
) -> Result<Answer, Failure> {
    let mut reader = Reader::new(BufReader::new(output));
    let mut hear = || match reader.next() {
        Ok(Some(Sexpr::List(list))) if list.first() == Some(&Sexpr::Atom("error".into())) => Err(complaint(&list)),
        Ok(said) => Ok(said),
        Err(why) => Err(Failure::Broken(format!("its output cannot be read: {why}"))),
    };
    input.say(text);
    let said = hear()?;
    let answer = match said.as_ref().and_then(Sexpr::atom) {
        Some("sat") if script.values.is_empty() => Answer::Satisfiable(Vec::new()),
        Some("sat") => {
            input.say(format!("(get-value ({}))\n", script.values.join(" ")));
            Answer::Satisfiable(values(&list(hear()?, "values")?, &script.values)?)
        }
        Some("unsat") if !script.core => {
            let names: Vec<Sexpr> = script.assertions.iter().map(|(name, _)| Sexpr::Atom(name.clone())).collect();
            Answer::Unsatisfiable(core(&names, script)?)
        }
        Some("unsat") => {
            input.say("(get-unsat-core)\n".into());
            Answer::Unsatisfiable(core(&list(hear()?, "unsatisfiable core")?, script)?)
        }
        Some("unknown") => {
            input.say("(get-info :reason-unknown)\n".into());
            Answer::Unknown(reason(&list(hear()?, "reason")?)?)
        }
        // Z3 prints this when its time limit is over.
        Some("timeout") => return Err(Failure::Late),
        _ => return Err(instead(said, "answer")),
    };
    input.say("(exit)\n".into());
    drop(input);
    match hear()? {
        None => Ok(answer),
        more => Err(instead(more, "end")),
    }
}

impl Sexpr {
    fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            _ => None,
        }
    }
}

/// The failure for an unexpected answer.
fn instead(said: Option<Sexpr>, expected: &str) -> Failure {
    let said = match said {
        None => return Failure::Broken(format!("it printed nothing where the {expected} was expected")),
        Some(Sexpr::Atom(text) | Sexpr::Text(text)) => excerpt(&text),
        Some(Sexpr::List(_)) => "(…)".into(),
    };
    Failure::Broken(format!("it printed `{said}` where the {expected} was expected"))
}

/// The failure for an error of the solver, in its own words. The error is about the script, unless
/// it says that a resource ran out.
fn complaint(list: &[Sexpr]) -> Failure {
    // The words of Z3 for a tactic that gave up (which is not the answer `unknown`), or for memory
    // or time that ran out.
    const NOT_ABOUT_THE_SCRIPT: [&str; 4] = ["tactic failed", "memory", "canceled", "resource limit"];
    match list.get(1) {
        Some(Sexpr::Text(why)) => {
            let words = excerpt(&why.split_whitespace().collect::<Vec<_>>().join(" "));
            match NOT_ABOUT_THE_SCRIPT.iter().any(|reason| why.contains(reason)) {
                true => Failure::Broken(format!("it says `{words}`")),
                false => Failure::Rejected(format!("`{words}`")),
            }
        }
        _ => Failure::Rejected("it reports an error".into()),
    }
}

fn list(said: Option<Sexpr>, expected: &str) -> Result<Vec<Sexpr>, Failure> {
    match said {
        Some(Sexpr::List(list)) => Ok(list),
        other => Err(instead(other, expected)),
    }
}

/// The values of a model: one pair for each term that was asked, in order.
fn values(pairs: &[Sexpr], asked: &[String]) -> Result<Vec<u128>, Failure> {
    if pairs.len() != asked.len() {
        return Err(Failure::Mismatch(format!("{} values for {} terms", pairs.len(), asked.len())));
    }
    let value_of = |(pair, term): (&Sexpr, &String)| {
        let wrong = |why: &str| Failure::Mismatch(format!("the value of `{}` {why}", excerpt(term)));
        let Sexpr::List(pair) = pair else { return Err(wrong("is missing")) };
        let [echo, value] = &pair[..] else { return Err(wrong("is missing")) };
        // Solvers print terms in their own way (with other literals, without `let`), but they do
        // not change symbols.
        let symbol = Reader::new(term.as_bytes()).next().ok().flatten().filter(|term| term.atom().is_some());
        if symbol.is_some_and(|symbol| symbol != *echo) {
            return Err(wrong("is that of another term"));
        }
        number(value).ok_or_else(|| wrong("is neither a bit-vector of up to 128 bits nor a Boolean"))
    };
    pairs.iter().zip(asked).map(value_of).collect()
}

/// Reads `true`, `false`, `#x0f`, `#b01` and `(_ bv5 32)`.
fn number(value: &Sexpr) -> Option<u128> {
    let digits = |text: &str, radix: u32, most: usize| {
        // The library would accept a sign, but SMT-LIB does not allow one.
        let plain = !text.is_empty() && text.len() <= most && text.chars().all(|c| c.is_digit(radix));
        plain.then(|| u128::from_str_radix(text, radix).ok()).flatten()
    };
    match value {
        Sexpr::Atom(text) => match (&**text, text.strip_prefix("#x"), text.strip_prefix("#b")) {
            ("true", ..) => Some(1),
            ("false", ..) => Some(0),
            (_, Some(hexadecimal), _) => digits(hexadecimal, 16, 32),
            (_, _, Some(binary)) => digits(binary, 2, 128),
            _ => None,
        },
        Sexpr::List(parts) => {
            let [mark, name, width] = &parts[..] else { return None };
            let width = digits(width.atom()?, 10, 3).filter(|w| (1..=128).contains(w))?;
            let value = digits(name.atom()?.strip_prefix("bv")?, 10, 39)?;
            let fits = width == 128 || value >> width == 0;
            (mark.atom() == Some("_") && fits).then_some(value)
        }
        Sexpr::Text(_) => None,
    }
}

/// The names of an unsatisfiable core.
fn core(names: &[Sexpr], script: &Script) -> Result<BTreeSet<String>, Failure> {
    let asserted: BTreeSet<&str> = script.assertions.iter().map(|(name, _)| &**name).collect();
    let mut core = BTreeSet::new();
    for name in names {
        let name =
            name.atom().ok_or_else(|| Failure::Mismatch("the core contains something that is not a name".into()))?;
        if !asserted.contains(name) {
            return Err(Failure::Mismatch(format!("the core names `{}`, which was not asserted", excerpt(name))));
        }
        if !core.insert(name.to_owned()) {
            return Err(Failure::Mismatch(format!("the core names `{name}` twice")));
        }
    }
    // Declarations and definitions contradict nothing.
    if core.is_empty() {
        return Err(Failure::Mismatch("the core is empty".into()));
    }
    Ok(core)
}

/// Reads `(:reason-unknown …)`.
fn reason(list: &[Sexpr]) -> Result<String, Failure> {
    match list {
        [key, Sexpr::Atom(why) | Sexpr::Text(why)] if key.atom() == Some(":reason-unknown") => {
            Ok(why.trim().to_owned())
        }
        [key, Sexpr::List(_)] if key.atom() == Some(":reason-unknown") => Ok("unknown".to_owned()),
        _ => Err(Failure::Broken("it does not say why it does not know".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Listener for &mut Vec<String> {
        fn say(&mut self, text: String) {
            self.push(text);
        }
    }

    fn script() -> Script {
        Script {
            declarations: vec!["(declare-const x (_ BitVec 8))".into(), "(declare-const y (_ BitVec 8))".into()],
            assertions: vec![("less".into(), "(bvult x y)".into()), ("zero".into(), "(= y #x00)".into())],
            values: vec!["x".into(), "(bvadd x y)".into()],
            core: true,
        }
    }

    fn answer(said: &str) -> Result<Answer, Failure> {
        converse(&mut said.as_bytes(), &mut Vec::new(), &script(), "(check-sat)\n".into())
    }

    #[test]
    fn values_come_in_the_order_in_which_they_were_asked() {
        let expected = Answer::Satisfiable(vec![15, 5]);
        assert_eq!(answer("sat\n((x #x0f) ((bvadd x y) #b00000101))").unwrap(), expected);
        assert_eq!(answer("sat ((|x| (_ bv15 8)) ((bvadd y x) (_ bv5 8)))").unwrap(), expected);
    }

    #[test]
    fn questions_follow_from_what_was_said() {
        for (said, question) in [
            ("sat ((x #x00) ((bvadd x y) #x00))", "(get-value (x (bvadd x y)))\n"),
            ("unsat (zero)", "(get-unsat-core)\n"),
            ("unknown (:reason-unknown incomplete)", "(get-info :reason-unknown)\n"),
        ] {
            let mut heard = Vec::new();
            converse(&mut said.as_bytes(), &mut heard, &script(), "(check-sat)\n".into()).unwrap();
            assert_eq!(heard, ["(check-sat)\n", question, "(exit)\n"]);
        }
        let (mut heard, none) = (Vec::new(), Script { values: Vec::new(), ..script() });
        let answer = converse(&mut &b"sat\n"[..], &mut heard, &none, "(check-sat)\n".into()).unwrap();
        assert_eq!((answer, heard.len()), (Answer::Satisfiable(Vec::new()), 2));
    }

    #[test]
    fn a_core_holds_names_of_assertions() {
        let core = |names: &[&str]| Answer::Unsatisfiable(names.iter().map(|&n| n.to_owned()).collect());
        assert_eq!(answer("unsat\n(zero)\n").unwrap(), core(&["zero"]));
        assert_eq!(answer("unsat\n(\nzero\n|less|\n)\n").unwrap(), core(&["less", "zero"]));
        for wrong in ["()", "(other)", "(zero zero)", "((zero))", "(\"zero\")", "(less zero x)"] {
            assert!(matches!(answer(&format!("unsat {wrong}")), Err(Failure::Mismatch(_))), "{wrong}");
        }
    }

    #[test]
    fn where_no_core_is_wanted_none_is_asked_for() {
        let (mut heard, plain) = (Vec::new(), Script { core: false, ..script() });
        let answer = converse(&mut &b"unsat\n"[..], &mut heard, &plain, "(check-sat)\n".into()).unwrap();
        assert_eq!(answer, Answer::Unsatisfiable(["less".to_owned(), "zero".to_owned()].into()));
        assert_eq!(heard, ["(check-sat)\n", "(exit)\n"]);
        let nothing = Script { assertions: Vec::new(), ..plain };
        assert!(converse(&mut &b"unsat\n"[..], &mut Vec::new(), &nothing, String::new()).is_err());
    }

    #[test]
    fn the_reason_is_kept() {
        let unknown = |why: &str| Answer::Unknown(why.into());
        assert_eq!(answer("unknown (:reason-unknown \"canceled\")").unwrap(), unknown("canceled"));
        assert_eq!(answer("unknown (:reason-unknown incomplete)").unwrap(), unknown("incomplete"));
        assert!(answer("unknown (:reason)").is_err());
        assert!(answer("unknown").is_err());
    }

    #[test]
    fn values_that_are_missing_or_of_other_terms_are_a_failure() {
        for wrong in [
            "()",
            "((x #x0f))",
            "((x #x0f) ((bvadd x y) #x05) (y #x00))",
            "((y #x0f) ((bvadd x y) #x05))",
            "(((bvadd x y) #x05) (x #x0f))",
            "((x) ((bvadd x y) #x05))",
            "((x #x0f #x0f) ((bvadd x y) #x05))",
            "(x (bvadd x y))",
        ] {
            assert!(matches!(answer(&format!("sat {wrong}")), Err(Failure::Mismatch(_))), "{wrong}");
        }
    }

    #[test]
    fn whatever_is_no_number_is_a_failure() {
        let wide = format!("#x{}", "0".repeat(33));
        let longer = format!("#b{}", "0".repeat(129));
        for wrong in [
            "x",
            "5",
            "#x",
            "#b",
            "#xg",
            "#b2",
            "#x+5",
            "#b-1",
            "5.0",
            "\"#x05\"",
            "(bvadd x y)",
            "(_ bv256 8)",
            "(_ bv5 0)",
            "(_ bv5 129)",
            "(_ bv+5 8)",
            "(_ bv 8)",
            "(_ bv5)",
            "(- 5)",
            "()",
            "True",
            &wide,
            &longer,
            "((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)",
            "(_ as-array k!0)",
        ] {
            let said = format!("sat ((x {wrong}) ((bvadd x y) #x05))");
            assert!(matches!(answer(&said), Err(Failure::Mismatch(_))), "{wrong}");
        }
        let number = |text: &str| number(&Reader::new(text.as_bytes()).next().unwrap().unwrap());
        assert_eq!(number(&format!("#x{}", "f".repeat(32))), Some(u128::MAX));
        assert_eq!(number(&format!("(_ bv{} 128)", u128::MAX)), Some(u128::MAX));
        assert_eq!(number("(_ bv255 8)"), Some(255));
        assert_eq!((number("true"), number("false"), number("#b0")), (Some(1), Some(0), Some(0)));
    }

    #[test]
    fn every_beginning_of_an_answer_is_a_failure() {
        for whole in ["sat\n((x #x0f) ((bvadd x y) #x05))", "unsat\n(zero less)", "unknown\n(:reason-unknown \"a\")"] {
            assert!(answer(whole).is_ok());
            for end in 0..whole.len() {
                assert!(answer(&whole[..end]).is_err(), "{}", &whole[..end]);
            }
        }
    }

    #[test]
    fn more_than_an_answer_is_a_failure() {
        for more in ["sat", "unsat", "unsat (zero)", "()", "(error \"late\")", ")", "\"a"] {
            assert!(answer(&format!("unsat (zero)\n{more}")).is_err(), "{more}");
            assert!(answer(&format!("sat ((x #x0f) ((bvadd x y) #x05)) {more}")).is_err(), "{more}");
        }
        for other in
            ["", "sat sat", "unsat unsat", "success sat", "unsupported", "SAT", "\"sat\"", "(sat)", "satisfiable"]
        {
            assert!(matches!(answer(other), Err(Failure::Broken(_))), "{other}");
        }
        assert_eq!(answer("timeout\n"), Err(Failure::Late));
    }

    #[test]
    fn an_error_is_said_and_is_never_an_answer() {
        for said in
            ["(error \"line 1: no\"\")\")", "sat (error \"line 1: no\"\")\")", "unsat (error \"line 1: no\"\")\")"]
        {
            let Err(Failure::Rejected(how)) = answer(said) else { panic!("an answer") };
            assert_eq!(how, "`line 1: no\")`");
        }
        for said in ["out of memory", "line 9 column 25: tactic failed: canceled", "max. memory exceeded"] {
            let broken = Err(Failure::Broken(format!("it says `{said}`")));
            assert_eq!(answer(&format!("(error \"{said}\")\nunknown")), broken);
        }
        assert!(answer("(error)\nunsat\n(zero)").is_err());
    }
}
