"""Progress is shown on terminals and in notebooks, from the second second on, and goes at the end."""

import io
import sys
import types

import policy_scenario as ps
from policy_scenario import _process, _progress
from policy_scenario._progress import Progress
from support import ACCOUNT, CAPTURE, Tests


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Display:
    def __init__(self):
        self.shown = []

    def __call__(self, content, raw, display_id):
        self.shown.append(content["text/plain"])
        return self

    def update(self, content, raw):
        self.shown.append(content["text/plain"])


class ProgressTests(Tests):
    def setUp(self):
        super().setUp()
        self.now = 0.0
        for module, name, value in (
            (_progress.time, "monotonic", lambda: self.now), (sys, "stderr", Terminal()),
        ):
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, value)

    def shown(self, progress):
        with progress:
            for second, done in enumerate((0, 10, 50, 90, 200)):
                self.now = float(second)
                progress.show(done)
                progress.show(done)

    def test_a_terminal(self):
        self.shown(Progress("replay", 100))
        text = sys.stderr.getvalue()
        self.assertEqual([part.split()[1] for part in text.split("\r\x1b[K") if part], ["10%", "50%", "90%", "100%"])
        self.assertTrue(text.endswith("\r\x1b[K"))
        self.assertIn("replay  50% ███████████████░░░░░░░░░░░░░░░", text)

    def test_no_terminal_and_none_wanted(self):
        self.shown(Progress("replay", 100, False))
        self.assertEqual(sys.stderr.getvalue(), "")
        sys.stderr = io.StringIO()
        self.shown(Progress("replay", 100))
        self.assertEqual(sys.stderr.getvalue(), "")

    def test_a_notebook(self):
        display = Display()
        shell = types.SimpleNamespace(kernel=object())
        modules = {
            "IPython": types.SimpleNamespace(get_ipython=lambda: shell),
            "IPython.display": types.SimpleNamespace(display=display)}
        for name, module in modules.items():
            before = sys.modules.get(name)
            if before is None:
                self.addCleanup(sys.modules.pop, name)
            else:
                self.addCleanup(sys.modules.__setitem__, name, before)
            sys.modules[name] = module
        self.shown(Progress("replay", 100))
        self.assertEqual([text.split()[1] if text else "" for text in display.shown], ["10%", "50%", "90%", "100%", ""])
        self.assertEqual(sys.stderr.getvalue(), "")

    def test_a_run_says_what_it_has_read(self):
        shown = []
        usual = Progress.show
        self.addCleanup(setattr, Progress, "show", usual)
        Progress.show = lambda progress, done: shown.append((done, progress._total))
        self.addCleanup(setattr, _process, "_LOOK", _process._LOOK)
        _process._LOOK = 0.001
        ps.replay(CAPTURE, ACCOUNT)
        self.assertEqual({total for _, total in shown}, {1_055_697})
        self.assertEqual([done for done, _ in shown], sorted(done for done, _ in shown))
        self.assertGreater(shown[-1][0], 0)
