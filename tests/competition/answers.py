"""Runs smalti as BenchExec does, with the command lines and the reading of results that scripts/benchexec/smalti.py has."""

import os
import subprocess
import sys
import tempfile

import yaml
from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

from scripts.benchexec.smalti import Tool

HEAD = """
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error() { abort(); }
"""
REACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
OVERFLOW = "CHECK( init(main()), LTL(G ! overflow) )\n"
TERMINATION = "CHECK( init(main()), LTL(F end) )\n"
INPUT = "int x = __VERIFIER_nondet_int();"
CASES = [
    (INPUT + " if (x > 3 && x < 3) reach_error();", REACH, "true", "invariant_set"),
    (INPUT + " if (x == 3) reach_error();", REACH, "false(unreach-call)", "violation_sequence"),
    (INPUT + " x = x + 1;", OVERFLOW, "false(no-overflow)", "violation_sequence"),
    ("while (1) {}", TERMINATION, "unknown", None),
    ("int = 3;", REACH, "ERROR (input)", None),
    ("", "nonsense", "ERROR (input)", None),
]


def main(executable):
    tool = Tool()
    for statements, prop, expected, kind in CASES:
        with tempfile.TemporaryDirectory() as folder:
            names = {"x.c": HEAD + "int main() { " + statements + " return 0; }\n", "x.prp": prop}
            for name, text in names.items():
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            options = {"language": "C", "data_model": "ILP32"}
            task = BaseTool2.Task.with_files(["x.c"], property_file="x.prp", options=options)
            limits = BaseTool2.ResourceLimits(cputime=60, cputime_hard=70, memory=4_000_000_000)
            command = tool.cmdline(executable, ["--witness", "witness.yml"], task, limits)
            assert command[:8] == [executable, "check", "--svcomp", "x.prp", "--data-model", "ilp32", "--time-limit", "54"], command
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            output = BaseTool2.RunOutput(done.stdout.splitlines(keepends=True))
            run = BaseTool2.Run(command, ProcessExitCode.create(value=done.returncode), output, None)
            result = tool.determine_result(run)
            assert result == expected, (result, expected, done.stdout)
            witness = os.path.join(folder, "witness.yml")
            assert os.path.exists(witness) == (kind is not None), done.stdout
            if kind:
                with open(witness) as file:
                    [entry] = yaml.safe_load(file)
                assert entry["entry_type"] == kind and entry["metadata"]["format_version"] == "2.0", entry
                assert entry["metadata"]["task"]["data_model"] == "ILP32", entry
                # A time that is not in quotes is no string for readers of YAML 1.1.
                assert isinstance(entry["metadata"]["creation_time"], str), entry
    killed = BaseTool2.Run(["smalti"], ProcessExitCode.create(signal=9), BaseTool2.RunOutput(["true\n"]), None)
    assert tool.determine_result(killed).startswith("ERROR")
    torn = BaseTool2.Run(["smalti"], ProcessExitCode.create(value=0), BaseTool2.RunOutput(["verdict: true\n"]), None)
    assert tool.determine_result(torn).startswith("ERROR")
    print("all answers are read")


main(sys.argv[1])
