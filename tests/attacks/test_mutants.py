"""Run folders mutated at random; `benchmarks/fuzz_runs.py` does the same with ten thousand."""

from pathlib import Path

from tests.kit.mutants import Fuzzer


def test_no_mutated_folder_breaks_anything(tmp_path: Path) -> None:
    fuzzer = Fuzzer(tmp_path)
    faults = [fault for seed in range(150) for fault in fuzzer.attack(seed)]
    assert faults == []
    assert fuzzer.attack(101_369) == [], "flags in the journal that cannot be"
    assert fuzzer.ends["well"] > 100, "some survive"
    assert fuzzer.ends["RunDamaged"] > 100, "and some are refused"
