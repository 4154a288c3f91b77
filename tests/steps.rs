//! `--steps`: work is counted instead of time, so that answers do not depend on the machine.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The JSON document of `check` for a program with this number of steps, without times.
fn check(file: &str, steps: u64) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(Duration::from_secs(400));
    let steps = steps.to_string();
    let arguments = ["check", "--format", "json", "--time-limit", "300", "--steps", &steps, file];
    let output = command.args(arguments).output().expect("smalti runs");
    let mut document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    timeless(&mut document);
    document
}

fn timeless(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !matches!(key.as_str(), "time_ms" | "cbmc_ms"));
            map.values_mut().for_each(timeless);
        }
        Value::Array(all) => all.iter_mut().for_each(timeless),
        _ => {}
    }
}

fn decided(document: &Value) -> usize {
    let all = document["obligations"].as_array().expect("a list");
    all.iter().filter(|o| o["verdict"] != "unknown").count()
}

/// Several parallel runs on a machine with fewer processors are slower than a single run.
#[test]
fn a_slow_run_says_what_a_fast_one_says() {
    for file in ["examples/walk.c", "examples/families/partition.c", "examples/firmware/heater_broken.c"] {
        let alone = check(file, 400_000);
        let together: Vec<Value> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| check(file, 400_000))).collect();
            runs.into_iter().map(|run| run.join().expect("a run")).collect()
        });
        assert!(Path::new(file).is_relative() && !alone["obligations"].as_array().expect("a list").is_empty());
        for other in together {
            assert_eq!(alone, other, "{file}");
        }
    }
}

#[test]
fn few_steps_decide_less_and_say_so() {
    let file = "examples/firmware/heater.c";
    let (few, more) = (check(file, 1), check(file, 2_000_000));
    assert_eq!(few["complete"], false);
    assert!(few["notes"].to_string().contains("--steps"), "{}", few["notes"]);
    assert!(decided(&few) < 10 && decided(&more) > 50, "{} {}", decided(&few), decided(&more));
    assert_eq!(few["configuration"]["steps"], "1");
}
