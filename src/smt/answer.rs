//! The conversation with a solver, and the required form of its answers.
//!
//! The commands after `(check-sat)` depend on the answer. A command that can only give an error is
//! not sent, and any error ends the conversation.

use super::script::excerpt;
use super::sexpr::{Reader, Sexpr};
use super::term::{Sort, Symbol, Term};
use super::{Answer, Failure, Script, Value};
use crate::process::Input;
use std::collections::{BTreeMap, BTreeSet};
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
            let asked: Vec<String> = script.values.iter().map(ToString::to_string).collect();
            input.say(format!("(get-value ({}))\n", asked.join(" ")));
            Answer::Satisfiable(values(&list(hear()?, "values")?, &script.values)?)
        }
        Some("unsat") if !script.core => {
            Answer::Unsatisfiable(not_empty(script.assertions.iter().map(|(name, _)| name.clone()).collect())?)
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
fn values(pairs: &[Sexpr], asked: &[Term]) -> Result<Vec<Value>, Failure> {
    if pairs.len() != asked.len() {
        return Err(Failure::Mismatch(format!("{} values for {} terms", pairs.len(), asked.len())));
    }
    let value_of = |(pair, term): (&Sexpr, &Term)| {
        let wrong = |why: &str| Failure::Mismatch(format!("the value of `{}` {why}", excerpt(&term.to_string())));
        let Sexpr::List(pair) = pair else { return Err(wrong("is missing")) };
        let [echo, said] = &pair[..] else { return Err(wrong("is missing")) };
        // Solvers print terms in their own way (with other literals), but they do not change
        // symbols.
        if term.as_symbol().is_some_and(|symbol| echo.atom() != Some(symbol.as_str())) {
            return Err(wrong("is that of another term"));
        }
        value(said, term.sort())
            .ok_or_else(|| wrong(&format!("is no value of the sort {} that can be read", term.sort())))
    };
    pairs.iter().zip(asked).map(value_of).collect()
}

/// Reads a value of this sort.
fn value(said: &Sexpr, sort: &Sort) -> Option<Value> {
    match sort {
        Sort::Bool => match said.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::Bits(width) => bits(said).filter(|(_, of)| of == width).map(|(value, _)| Value::Bits(value)),
        Sort::Int => integer(said).map(Value::Int),
        Sort::Array(_) => None,
    }
}

/// Reads digits. (The library would accept a sign, but SMT-LIB does not allow one.)
fn digits(text: &str, radix: u32) -> Option<u128> {
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    is_plain.then(|| u128::from_str_radix(text, radix).ok()).flatten()
}

/// Reads `#x0f`, `#b01` and `(_ bv5 32)`: the number and the width, from 1 to 128.
fn bits(said: &Sexpr) -> Option<(u128, u32)> {
    let (value, width) = match said {
        Sexpr::Atom(text) => {
            let (text, radix, each) = match text.strip_prefix("#x") {
                Some(text) => (text, 16, 4),
                None => (text.strip_prefix("#b")?, 2, 1),
            };
            (digits(text, radix)?, u32::try_from(text.len()).ok()?.checked_mul(each)?)
        }
        Sexpr::List(parts) => {
            let [mark, name, width] = &parts[..] else { return None };
            if mark.atom() != Some("_") {
                return None;
            }
            (digits(name.atom()?.strip_prefix("bv")?, 10)?, u32::try_from(digits(width.atom()?, 10)?).ok()?)
        }
        Sexpr::Text(_) => return None,
    };
    let fits = width == 128 || (width < 128 && value >> width == 0);
    (width >= 1 && fits).then_some((value, width))
}

/// Reads `5` and `(- 5)`, if 128 bits suffice.
fn integer(said: &Sexpr) -> Option<i128> {
    match said {
        Sexpr::Atom(text) => digits(text, 10)?.try_into().ok(),
        Sexpr::List(parts) => match &parts[..] {
            [sign, size] if sign.atom() == Some("-") => 0_i128.checked_sub_unsigned(digits(size.atom()?, 10)?),
            _ => None,
        },
        Sexpr::Text(_) => None,
    }
}

/// The names of an unsatisfiable core.
fn core(names: &[Sexpr], script: &Script) -> Result<BTreeSet<Symbol>, Failure> {
    let asserted: BTreeMap<&str, &Symbol> = script.assertions.iter().map(|(name, _)| (name.as_str(), name)).collect();
    let mut core = BTreeSet::new();
    for name in names {
        let name =
            name.atom().ok_or_else(|| Failure::Mismatch("the core contains something that is not a name".into()))?;
        let Some(&symbol) = asserted.get(name) else {
            return Err(Failure::Mismatch(format!("the core names `{}`, which was not asserted", excerpt(name))));
        };
        if !core.insert(symbol.clone()) {
            return Err(Failure::Mismatch(format!("the core names `{name}` twice")));
        }
    }
    not_empty(core)
}

/// The core, if it is one: declarations and definitions contradict nothing.
fn not_empty(core: BTreeSet<Symbol>) -> Result<BTreeSet<Symbol>, Failure> {
    if core.is_empty() { Err(Failure::Mismatch("the core is empty".into())) } else { Ok(core) }
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
    use super::super::term::{BitOp, Order, Signedness};
    use super::*;

    impl Listener for &mut Vec<String> {
        fn say(&mut self, text: String) {
            self.push(text);
        }
    }

    fn script() -> Script {
        let mut script = Script { core: true, ..Script::default() };
        let [x, y] = ["x", "y"].map(|name| script.declarations.constant(Symbol::new(name), Sort::Bits(8)));
        let less = x.clone().bit_order(Order::Less, Signedness::Unsigned, y.clone());
        let zero = y.clone().equals(Term::bits(0, 8));
        script.assertions = vec![(Symbol::new("less"), less), (Symbol::new("zero"), zero)];
        script.values = vec![x.clone(), x.bit_op(BitOp::Add, y)];
        script
    }

    fn answer(said: &str) -> Result<Answer, Failure> {
        converse(&mut said.as_bytes(), &mut Vec::new(), &script(), "(check-sat)\n".into())
    }

    #[test]
    fn values_come_in_the_order_in_which_they_were_asked() {
        let expected = Answer::Satisfiable(vec![Value::Bits(15), Value::Bits(5)]);
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
        let core = |names: &[&str]| Answer::Unsatisfiable(names.iter().map(|n| Symbol::new(n)).collect());
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
        assert_eq!(answer, Answer::Unsatisfiable(["less", "zero"].map(Symbol::new).into()));
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
    }

    #[test]
    fn values_are_read_by_their_sort() {
        let read = |text: &str, sort: Sort| value(&Reader::new(text.as_bytes()).next().unwrap().unwrap(), &sort);
        let bits = |text: &str, width: u32| match read(text, Sort::Bits(width)) {
            Some(Value::Bits(value)) => Some(value),
            _ => None,
        };
        assert_eq!(bits(&format!("#x{}", "f".repeat(32)), 128), Some(u128::MAX));
        assert_eq!(bits(&format!("(_ bv{} 128)", u128::MAX), 128), Some(u128::MAX));
        assert_eq!((bits("(_ bv255 8)", 8), bits("#b0", 1)), (Some(255), Some(0)));
        for (text, width) in [("#x05", 7), ("#b101", 4), ("(_ bv5 9)", 8), ("true", 1), ("5", 8)] {
            assert_eq!(bits(text, width), None, "{text}");
        }
        assert_eq!(read("true", Sort::Bool), Some(Value::Bool(true)));
        assert_eq!(read("false", Sort::Bool), Some(Value::Bool(false)));
        assert_eq!((read("#b1", Sort::Bool), read("True", Sort::Bool)), (None, None));
        assert_eq!(read("5", Sort::Int), Some(Value::Int(5)));
        assert_eq!(read("(- 5)", Sort::Int), Some(Value::Int(-5)));
        assert_eq!(read(&i128::MAX.to_string(), Sort::Int), Some(Value::Int(i128::MAX)));
        assert_eq!(read(&format!("(- {})", i128::MIN.unsigned_abs()), Sort::Int), Some(Value::Int(i128::MIN)));
        for text in ["-5", "+5", "5.0", "(- -5)", "(- (- 5))", "(-)", "#x05", "x", "(/ 1 2)", "\"5\""] {
            assert_eq!(read(text, Sort::Int), None, "{text}");
        }
        assert_eq!(read(&i128::MIN.unsigned_abs().to_string(), Sort::Int), None);
        assert_eq!(read("#x05", Sort::array(Sort::Int, Sort::Int)), None);
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
