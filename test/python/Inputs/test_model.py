"""Models in folders: as attnres-run says, and as programs say."""
import json
import math
import os
import subprocess
import unittest

import attnres
import numpy as np
from golden import Golden, assert_close


def attnres_run(*arguments):
    return json.loads(subprocess.run(
        ["attnres-run", *arguments, "--json"], check=True, stdout=subprocess.PIPE).stdout)


class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.golden = Golden("static")
        cls.model = attnres.Model.load(cls.golden.folder)

    def test_logits_and_loss(self):
        tokens, targets = self.golden.batch["tokens"], self.golden.batch["targets"]
        logits = self.model.logits(tokens)
        assert_close(logits, self.golden.expected["logits"])
        assert_close(self.model.loss(tokens, targets), self.golden.expected["loss"])
        np.testing.assert_array_equal(self.model.logits(tokens[0].tolist()).shape, logits[0].shape)
        # Without targets, each token is the target of those before it.
        following = np.concatenate([tokens[:, 1:], np.full((len(tokens), 1), -100)], axis=1)
        self.assertAlmostEqual(self.model.loss(tokens), self.model.loss(tokens, following), 5)

    def test_parameters(self):
        self.assertEqual(self.model.config["attnres"], "static")
        for name, value in self.golden.parameters.items():
            np.testing.assert_array_equal(self.model.parameters[name], value)
            self.assertFalse(self.model.parameters[name].flags.writeable)

    def test_parameters_outlive_the_model(self):
        parameters = attnres.Model.load(self.golden.folder).parameters
        np.testing.assert_array_equal(
            parameters["norm.weight"], self.golden.parameters["norm.weight"])

    def test_score(self):
        for prompt in "", "12*3":
            theirs = attnres_run("score", "--model", self.golden.folder, "--prompt", prompt,
                                 "--text", "4=S56")["texts"][0]
            ours = self.model.score("4=S56", prompt)
            self.assertEqual(ours.tokens, theirs["tokens"])
            self.assertEqual(ours.log_probs[0] is None, prompt == "")
            for a, b in zip(ours.log_probs, theirs["log_probs"]):
                self.assertEqual(a is None, b is None)
                self.assertAlmostEqual(a or 0, b or 0, 6)
            self.assertAlmostEqual(ours.perplexity, theirs["perplexity"], 4)

    def test_generate(self):
        prompts = ["12*34=", "7"]
        sampling = ["--temperature", "0.9", "--seed", "5", "--top-k", "7"]
        theirs = attnres_run("generate", "--model", self.golden.folder, *sampling,
                             "--max-new-tokens", "30", "--prompt", prompts[0], "--prompt",
                             prompts[1])["texts"]
        seen = [[], []]
        ours = self.model.continue_texts(
            prompts, max_new_tokens=30, temperature=0.9, seed=5, top_k=7,
            on_token=lambda row, token: seen[row].append(token))
        for row in 0, 1:
            self.assertEqual(ours[row].text, theirs[row]["text"])
            self.assertEqual(ours[row].tokens, theirs[row]["tokens"])
            self.assertEqual(ours[row].stopped_by, theirs[row]["stopped_by"])
            self.assertEqual(seen[row], ours[row].tokens)
        texts = self.model.generate(prompts, max_new_tokens=30, temperature=0.9, seed=5, top_k=7)
        self.assertEqual(texts, [result.text for result in ours])
        self.assertEqual(self.model.generate(prompts[0], max_new_tokens=0), "")

    def test_stops(self):
        options = dict(max_new_tokens=12, stop_at_end=False)
        whole = self.model.generate("12*34=", **options)
        stop = whole[5:7]
        cut = self.model.continue_texts(["12*34="], stop=stop, **options)[0]
        self.assertEqual(cut.text, whole[:whole.index(stop)])
        self.assertEqual(cut.stopped_by, "stop text")

    def test_tokens(self):
        tokens = self.model.encode("12*34=")
        self.assertEqual(self.model.decode(tokens), "12*34=")
        result = self.model.continue_texts([tokens], max_new_tokens=4)[0]
        self.assertEqual((result.text, len(result.tokens)), ("", 4))
        # Greedy: the most likely token of each step.
        for token in result.tokens:
            self.assertEqual(int(self.model.logits(tokens)[-1].argmax()), token)
            tokens = tokens + [token]

    def test_observers_may_stop(self):
        seen = []

        def observe(row, token):
            seen.append(token)
            if len(seen) == 3:
                raise KeyError("enough")

        with self.assertRaises(KeyError):
            self.model.continue_texts([[1, 2]], max_new_tokens=40, on_token=observe)
        self.assertEqual(len(seen), 3)
        self.assertEqual(len(self.model.continue_texts([[1, 2]], max_new_tokens=5)[0].tokens), 5)

    def test_errors(self):
        for message, call in {
            "'12*'": lambda: attnres.Model.load("12*"),
            "character 1 is 'x'": lambda: self.model.encode("x"),
            "prompt 1 is empty": lambda: self.model.generate(""),
            "expected a prompt": lambda: self.model.continue_texts([]),
            "prompt 1: token 2 is 32": lambda: self.model.continue_texts([[1, 32]]),
            "no token that follows": lambda: self.model.score("1"),
            "got float64 ": lambda: self.model.logits([0.5]),
            "at least 0 new tokens": lambda: self.model.generate("1", max_new_tokens=-1),
            "temperature": lambda: self.model.generate("1", temperature=math.nan),
            "empty one": lambda: self.model.generate("1", stop=["S", ""]),
        }.items():
            with self.subTest(message), self.assertRaises(attnres.Error) as caught:
                call()
            if "12*" not in message:
                self.assertIn(message, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
