"""Programs: compiled in process, run on arrays that stay where they are."""
import os
import pickle
import threading
import unittest

import attnres
import numpy as np
from golden import Golden, assert_close

ADD = """
func.func @main(%x: tensor<3x5xf32> {attnres.name = "x", attnres.role = #attnres.role<input>},
                %w: tensor<3x5xf32> {attnres.name = "w", attnres.role = #attnres.role<parameter>})
    -> (tensor<3x5xf32> {attnres.name = "sum"}, tensor<3x5xf32> {attnres.name = "w", attnres.updates = 1 : i64}) {
  %s = arith.addf %x, %w : tensor<3x5xf32>
  %m = arith.mulf %w, %w : tensor<3x5xf32>
  return %s, %m : tensor<3x5xf32>, tensor<3x5xf32>
}
"""


def address(array):
    return array.__array_interface__["data"][0]


def shifted(array, elements=1):
    """A copy that begins at no multiple of anything but its elements."""
    memory = attnres.empty((array.size + 16,), array.dtype)
    copy = memory[elements:elements + array.size].reshape(array.shape)
    copy[...] = array
    return copy


class Golds(unittest.TestCase):
    def test_gradients(self):
        for name in "block_2", "odd_sizes", "k3":
            with self.subTest(name):
                golden = Golden(name)
                batch, length = golden.batch["tokens"].shape
                program = attnres.compile(
                    golden.folder, purpose="gradients", batch_size=batch, seq_len=length)
                model = attnres.Model.load(golden.folder)  # which stacks experts
                results = program.run(model.parameters, **golden.batch, poison=True)
                assert_close(results["loss"], golden.expected["loss"])
                compared = 0
                for key, value in results.items():
                    if key in golden.expected and key.startswith("grad."):
                        assert_close(value, golden.expected[key], 2e-4)
                        compared += 1
                self.assertGreater(compared, 20)

    def test_forward_in_every_mode(self):
        for name in "off", "full", "static":
            golden = Golden(name)
            batch, length = golden.batch["tokens"].shape
            program = attnres.compile(golden.folder, batch_size=batch, seq_len=length)
            results = program.run(golden.parameters, **golden.batch, poison=True)
            assert_close(results["logits"], golden.expected["logits"])

    def test_pull_back(self):
        """The gradient of the loss, taken by hand to the logits."""
        for name in "block_2", "gqa_tied":
            golden = Golden(name)
            tokens, targets = golden.batch["tokens"], golden.batch["targets"]
            program = attnres.compile(golden.folder, purpose="pullback",
                                      batch_size=tokens.shape[0], seq_len=tokens.shape[1])
            logits = golden.expected["logits"]
            gradient = np.exp(logits - logits.max(-1, keepdims=True))
            gradient /= gradient.sum(-1, keepdims=True)
            live = targets >= 0
            gradient[live, targets[live]] -= 1
            gradient[~live] = 0
            gradient = (gradient / live.sum()).astype(np.float32)
            results = program.run({**golden.parameters, "cotangent.logits": gradient},
                                  tokens=tokens, poison=True)
            assert_close(results["loss"], (logits * gradient).sum(), 1e-4)
            for key in golden.parameters:
                assert_close(results[f"grad.{key}"], golden.expected[f"grad.{key}"], 2e-4)


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.golden = Golden("odd_sizes")
        batch, length = cls.golden.batch["tokens"].shape
        cls.program = attnres.compile(
            cls.golden.folder, purpose="gradients", batch_size=batch, seq_len=length)
        cls.inputs = {**cls.golden.parameters, **cls.golden.batch}
        cls.results = cls.program.run(cls.inputs)

    def assert_same(self, results):
        for name, value in self.results.items():
            np.testing.assert_array_equal(results[name], value, name)

    def test_arrays_begin_anywhere(self):
        inputs = {name: shifted(value, 1 + i % 7)
                  for i, (name, value) in enumerate(self.inputs.items())}
        out = {name: shifted(np.full_like(value, np.nan), 1 + i % 5)
               for i, (name, value) in enumerate(self.results.items())}
        results = self.program.run(inputs, out=out)
        for name, value in results.items():
            self.assertIs(value, out[name])
        self.assert_same(out)

    def test_inputs_stay(self):
        for value in self.golden.parameters.values():
            self.assertFalse(value.flags.writeable)
        before = {name: value.copy() for name, value in self.inputs.items()}
        self.program.run(self.inputs)
        for name, value in before.items():
            np.testing.assert_array_equal(self.inputs[name], value)

    def test_outputs_are_aligned(self):
        for value in self.results.values():
            self.assertEqual(address(value) % 64, 0)

    def test_threads_change_nothing(self):
        for threads in 1, 3:
            attnres.set_threads(threads)
            self.assertEqual(attnres.threads(), threads)
            self.assert_same(self.program.run(self.inputs))
        attnres.set_threads(0)

    def test_python_threads(self):
        failures = []

        def run():
            try:
                for _ in range(5):
                    self.assert_same(self.program.run(self.inputs))
            except BaseException as error:  # else the thread dies alone
                failures.append(error)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_forked_processes(self):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self.assert_same(self.program.run(self.inputs))
                status = 0
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_files_and_pickles(self):
        path = os.path.join(os.environ["SCRATCH"], "odd.program")
        self.program.save(path)
        self.assert_same(attnres.load(path).run(self.inputs))
        self.assert_same(pickle.loads(pickle.dumps(self.program)).run(self.inputs))


class Conversions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = attnres.compile(ADD)

    def test_updates_in_place(self):
        x, w = np.full((3, 5), 2, np.float32), np.full((3, 5), 3, np.float32)
        results = self.program.run(x=x, w=w)
        self.assertIs(results["w"], w)
        np.testing.assert_array_equal(w, np.full((3, 5), 9))
        np.testing.assert_array_equal(results["sum"], np.full((3, 5), 5))

    def test_numbers_and_narrow_types(self):
        w = np.zeros((3, 5), np.float32)
        lists = [[i * j for j in range(5)] for i in range(3)]
        for x in (lists, np.array(lists, np.int16), np.array(lists, np.float16),
                  np.array(lists, ">f4"), np.array(lists, np.float32).T.copy().T):
            np.testing.assert_array_equal(self.program.run(x=x, w=w)["sum"], lists)

    def test_descriptions(self):
        tensors = self.program.tensors
        self.assertEqual([t.name for t in tensors], ["x", "w", "sum", "w"])
        self.assertEqual([t.role for t in tensors][:2], ["data", "parameter"])
        self.assertEqual(tensors[3].updates, 1)
        self.assertEqual(tensors[0].shape, (3, 5))
        self.assertEqual(tensors[0].dtype, "float32")
        self.assertEqual(list(self.program.parameters), ["w"])
        self.assertEqual(list(self.program.outputs), ["sum", "w"])

    def test_bfloat16_as_bits(self):
        program = attnres.compile("""
func.func @main(%x: tensor<4xf32> {attnres.name = "x", attnres.role = #attnres.role<input>})
    -> (tensor<4xbf16> {attnres.name = "y"}) {
  %y = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
  return %y : tensor<4xbf16>
}
""")
        values = [1.5, -2, 0, 256]
        bits = program.run(x=values)["y"]
        self.assertEqual(bits.dtype, np.uint16)
        np.testing.assert_array_equal(attnres.widen(bits), values)


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = attnres.compile(ADD)
        cls.x = np.zeros((3, 5), np.float32)
        cls.w = np.zeros((3, 5), np.float32)

    def refuse(self, kind, message, call, *arguments, **named):
        with self.assertRaises(kind) as caught:
            call(*arguments, **named)
        self.assertIsInstance(caught.exception, attnres.Error)
        self.assertEqual(str(caught.exception), message)

    def test_runs(self):
        run = self.program.run
        self.refuse(ValueError, "input 'w' is missing", run, x=self.x)
        self.refuse(ValueError, "the program has no input 'z'", run, x=self.x, w=self.w, z=1)
        self.refuse(ValueError, "input 'x': expected float32 [3, 5], got float32 [5, 3]",
                    run, x=self.x.reshape(5, 3), w=self.w)
        self.refuse(ValueError, "input 'x': expected float32 [3, 5], got float64 [3, 5]",
                    run, x=self.x.astype(np.float64), w=self.w)
        self.refuse(ValueError, "input 'w': expected float32 [3, 5] in memory that can be "
                    "written, got list", run, x=self.x, w=[[0.0] * 5] * 3)
        self.refuse(ValueError, "input 'w': expected an array in row-major order without gaps",
                    run, x=self.x, w=np.zeros((5, 3), np.float32).T)
        fixed = self.w.copy()
        fixed.flags.writeable = False
        self.refuse(ValueError, "input 'w': expected float32 [3, 5] in memory that can be "
                    "written, got ndarray", run, x=self.x, w=fixed)
        self.refuse(ValueError, "the program has no output 'w' with memory of its own",
                    run, x=self.x, w=self.w, out={"w": self.w})

    def test_overlaps(self):
        both = np.zeros(20, np.float32)
        first, second = both[:15].reshape(3, 5), both[5:].reshape(3, 5)
        self.refuse(ValueError, "output 'sum' overlaps the memory of input 'x'",
                    self.program.run, x=first, w=self.w, out={"sum": second})
        self.refuse(ValueError, "input 'x' overlaps the memory of input 'w'",
                    self.program.run, x=second, w=first)

    def test_limits(self):
        golden = Golden("off")
        program = attnres.compile(golden.folder, purpose="logits", seq_len=3)
        self.refuse(ValueError, "input 'tokens' (I64 [1, 3]): element [0, 1] is 32, expected 0 "
                    "to 31", program.run, golden.parameters, tokens=[[1, 32, 3]])

    def test_compiling(self):
        compile = attnres.compile
        self.refuse(ValueError, "'nothing' is no file, no folder and no preset; presets are "
                    + ", ".join(attnres.presets()), compile, "nothing")
        self.refuse(ValueError, "a configuration is compiled for a seq_len", compile, "toy")
        self.refuse(ValueError, "unknown purpose 'sleep'; known are forward, gradients, train, "
                    "pullback, loss, logits, prefill, decode",
                    compile, "toy", seq_len=1, purpose="sleep")
        self.refuse(ValueError, "purpose 'decode' needs a capacity", compile, "toy",
                    purpose="decode")
        self.refuse(ValueError, "unknown dtype 'float16'; known are float32, bfloat16", compile,
                    "toy", seq_len=1, dtype="float16")
        self.refuse(ValueError, "dropout: expected at least 0 and less than 1, got 1.0", compile,
                    "toy", seq_len=1, dropout=1.0)
        self.refuse(ValueError, "module: a module says itself what it computes; dropout and "
                    "label_smoothing are of configurations", compile, ADD, dropout=0.5)
        self.refuse(OSError, "gone.mlir: No such file or directory", compile, "gone.mlir")
        with self.assertRaisesRegex(attnres.Error, "field 'attnres'.*\"sideways\""):
            compile("toy", seq_len=1, mode="sideways")
        with self.assertRaisesRegex(attnres.Error, "field 'hidden_sise'"):
            compile({"hidden_sise": 3}, seq_len=1)
        with self.assertRaisesRegex(attnres.Error, r"^parsing failed: module:2:8: "):
            compile("func.func @main() {\n  %a = what.ever\n}")
        path = os.path.join(os.environ["SCRATCH"], "broken.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write("func.func @main() {\n")
        with self.assertRaisesRegex(attnres.Error, r"broken.mlir:1:20: "):
            compile(path)

    def test_files(self):
        with self.assertRaises(OSError):
            attnres.load("/nowhere/a.program")
        path = os.path.join(os.environ["SCRATCH"], "damaged.program")
        with open(path, "wb") as file:
            file.write(bytes(self.program)[:-5])
        with self.assertRaises(ValueError) as caught:
            attnres.load(path)
        self.assertNotIn("\n", str(caught.exception))


class Configurations(unittest.TestCase):
    def test_fields(self):
        config = attnres.configuration("toy", mode="full", settings={"hidden_size": 64})
        self.assertEqual((config["attnres"], config["hidden_size"]), ("full", 64))
        parameters = attnres.initial_parameters({"hidden_size": 16, "vocab_size": 5}, seed=3)
        self.assertEqual(parameters["embedding.weight"].shape, (5, 16))
        again = attnres.initial_parameters({"hidden_size": 16, "vocab_size": 5}, seed=3)
        np.testing.assert_array_equal(again["embedding.weight"], parameters["embedding.weight"])

    def test_training_step(self):
        """Three steps on one batch; the loss falls."""
        config = attnres.configuration(Golden("block_2").folder)
        program = attnres.compile(config, purpose="train", batch_size=2, seq_len=11)
        batch = Golden("block_2").batch
        state = {name: np.zeros(t.shape, np.float32) for name, t in program.inputs.items()
                 if t.role in ("first_moment", "second_moment")}
        state.update({name: value.copy()
                      for name, value in attnres.initial_parameters(config).items()})
        losses = [float(program.run(state, **batch, step=float(step),
                                    learning_rate=1e-3)["loss"]) for step in (1, 2, 3)]
        self.assertLess(losses[2], losses[1])
        self.assertLess(losses[1], losses[0])

    def test_lion_and_patterns(self):
        """A step of Lion is that of the formula; patterns choose what decays, and how fast it goes."""
        golden = Golden("block_2")
        sizes = {"batch_size": 2, "seq_len": 11}
        gradients = attnres.compile(golden.folder, purpose="gradients", **sizes)
        expected = gradients.run(golden.parameters, **golden.batch)
        program = attnres.compile(
            golden.folder, purpose="train", optimizer="lion", betas=(0.9, 0.99), weight_decay=0.5,
            clip_norm=0.0, no_decay="embedding*", lr_for={"blocks.0.*": 0.0, "blocks.*": 0.5}, **sizes)
        state = {name: np.zeros(t.shape, np.float32) for name, t in program.inputs.items()
                 if t.role in ("first_moment", "second_moment")}
        self.assertFalse(any(name.startswith("v.") for name in state))
        state.update({name: value.copy() for name, value in golden.parameters.items()})
        program.run(state, **golden.batch, step=1.0, learning_rate=1e-2)
        for name, before in golden.parameters.items():
            gradient = expected[f"grad.{name}"]
            rate = 0 if name.startswith("blocks.0.") else 5e-3 if name.startswith("blocks.") else 1e-2
            decays = before.ndim > 1 and not name.startswith("embedding")
            update = np.sign(gradient) + (0.5 if decays else 0) * before
            sure = np.abs(gradient) > 1e-6
            assert_close(state[name][sure], (before - rate * update)[sure], 1e-5)
            if rate:
                assert_close(state[f"m.{name}"], 0.01 * gradient, 2e-4)

    def test_dropout_and_smoothing(self):
        golden = Golden("block_2")
        sizes = {"batch_size": 2, "seq_len": 11}
        program = attnres.compile(golden.folder, purpose="forward", dropout=0.5, **sizes)

        def logits(*random):
            return program.run(golden.parameters, **golden.batch, random=random)["logits"]

        np.testing.assert_array_equal(logits(1, 2), logits(1, 2))
        for other in logits(1, 3), logits(2, 2):
            self.assertGreater(np.abs(other - logits(1, 2)).max(), 0.1)
        smooth = attnres.compile(golden.folder, purpose="loss", label_smoothing=0.2, **sizes)
        likely = golden.expected["logits"].astype(np.float64)
        likely = likely - np.log(np.exp(likely).sum(-1, keepdims=True))
        targets = golden.batch["targets"]
        live = targets >= 0
        chosen = likely[live, targets[live]]
        assert_close(smooth.run(golden.parameters, **golden.batch)["loss"],
                     -(0.8 * chosen + 0.2 * likely[live].mean(-1)).mean())


if __name__ == "__main__":
    unittest.main()
