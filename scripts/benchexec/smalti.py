# Copyright: the authors of smalti. Licence: MIT OR Apache-2.0.
"""How BenchExec (https://github.com/sosy-lab/benchexec) runs smalti.

Put the root of the repository on PYTHONPATH and name the tool `scripts.benchexec.smalti`, or copy this file to `benchexec/tools/smalti.py`.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.template import ToolNotFoundException
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """smalti, a static analyser for C programs with arrays"""

    REQUIRED_PATHS = ["bin", ".tools"]

    def executable(self, tool_locator):
        try:
            return tool_locator.find_executable("smalti", subdir="bin")
        except ToolNotFoundException:
            # Where Cargo puts it.
            return tool_locator.find_executable("smalti")

    def name(self):
        return "smalti"

    def project_url(self):
        return "https://github.com/smalti/smalti"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="smalti")

    def cmdline(self, executable, options, task, rlimits):
        arguments = ["check"]
        if task.property_file:
            arguments += ["--svcomp", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if model and "--data-model" not in options:
            arguments += ["--data-model", model]
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--time-limit" not in options:
            # smalti and what it asks take turns, so its clock and its processor time are about the same.
            arguments += ["--time-limit", str(max(1, int(seconds * 0.9)))]
        # Three quarters of the memory, in MiB: what smalti measures is a moment old.
        if rlimits.memory and "--memory-limit" not in options:
            arguments += ["--memory-limit", str(max(64, int(rlimits.memory * 0.75) // (1 << 20)))]
        return [executable, *arguments, *options, *task.input_files_or_identifier]

    def determine_result(self, run):
        status = run.exit_code.value
        if run.exit_code.signal or status == 101:
            return result.RESULT_ERROR + " (a bug of smalti)"
        if status == 2:
            return result.RESULT_ERROR + " (input)"
        last = next((line.strip() for line in reversed(run.output) if line.strip()), "")
        answers = {
            (0, "true"): result.RESULT_TRUE_PROP,
            (1, "false(unreach-call)"): result.RESULT_FALSE_REACH,
            (1, "false(no-overflow)"): result.RESULT_FALSE_OVERFLOW,
            (3, "unknown"): result.RESULT_UNKNOWN,
        }
        # What the status and the last line do not say together is no answer.
        return answers.get((status, last), result.RESULT_ERROR + " (no answer)")
