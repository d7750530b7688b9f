"""Places that somebody names in a text or a diff: those that are there are found, and no others."""

import pytest

from moot.evidence.diffs import passages, title_of_diff
from moot.evidence.places import locate
from moot.present import Where

DIFF = """diff --git a/app/a.py b/app/a.py
--- a/app/a.py
+++ b/app/a.py
@@ -1,4 +1,4 @@
 def f(x):
-    if x is None:
-        return 0
+    y = x + 1
+    print(y)
     return y
@@ -20,2 +20,3 @@ def g():
 a = 1
+b = 2
 return y
diff --git a/b.py b/b.py
deleted file mode 100644
--- a/b.py
+++ /dev/null
@@ -1,2 +0,0 @@
-import os
-b = 2
"""


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (Where(quote="y = x + 1"), ("app/a.py", 2, 2, False)),
        (Where(file="a.py", quote="y = x + 1"), ("app/a.py", 2, 2, False)),
        (Where(file="b/app/a.py", quote="+    y = x + 1\n+    print(y)"), ("app/a.py", 2, 3, False)),
        (Where(quote="if x is None:"), ("app/a.py", 2, 2, True)),
        (Where(file="b.py", quote="import os"), ("b.py", 1, 1, True)),
        (Where(quote="b = 2"), ("app/a.py", 21, 21, False)),
        (Where(quote="return y", line=5), ("app/a.py", 4, 4, False)),
        (Where(quote="return y", line=23), ("app/a.py", 22, 22, False)),
        (Where(file="app/a.py", line=21), ("app/a.py", 21, 21, False)),
        (Where(file="app/a.py"), ("app/a.py", None, None, False)),
    ],
)
def test_a_place_in_a_diff_is_its_file_and_its_new_lines(
    named: Where, found: tuple[str, int | None, int | None, bool]
) -> None:
    where = locate(named, passages(DIFF))
    assert where is not None
    assert (where.file, where.line, where.end_line, where.removed) == found


@pytest.mark.parametrize(
    "named",
    [
        Where(quote="y = x + 2"),
        Where(file="app/a.py", line=2, quote="y = x + 2"),
        Where(file="c.py", quote="y = x + 1"),
        Where(file="app/a.py", line=10),
        Where(line=100),
        Where(file="c.py"),
        Where(quote="return y"),
        Where(),
    ],
)
def test_a_place_that_is_not_in_the_diff_or_could_be_several_is_none(named: Where) -> None:
    assert locate(named, passages(DIFF)) is None


def test_a_text_has_lines_and_the_name_that_it_is_given() -> None:
    text = "# A plan\n\nWe copy the\ndatabase at noon."
    where = locate(Where(quote="copy the database"), passages(text, "plan.md"))
    assert where is not None and str(where) == "plan.md:3-4"
    where = locate(Where(line=4), passages(text))
    assert where is not None and (str(where), where.quote) == ("line 4", "database at noon.")


QUOTED = r"""diff --git "a/src/\303\244 \"x\".py" "b/src/\303\244 \"x\".py"
--- "a/src/\303\244 \"x\".py"
+++ "b/src/\303\244 \"x\".py"
@@ -1 +1 @@
-a = 1
+a = 2
diff --git "a/old.py" "b/\303\266.py"
similarity index 100%
rename from old.py
rename to "\303\266.py"
diff --git "a/two\nlines\\303.py" "b/two\nlines\\303.py"
new file mode 100644
--- /dev/null
+++ "b/two\nlines\\303.py"
@@ -0,0 +1 @@
+b = 3
"""


@pytest.mark.parametrize("name", ["", 'src/ä "x".py', r'"b/src/\303\244 \"x\".py"'])
def test_a_name_that_git_quotes_is_the_name_of_the_file(name: str) -> None:
    where = locate(Where(file=name, quote="a = 2"), passages(QUOTED))
    assert where is not None and where.file == 'src/ä "x".py'


def test_control_characters_in_a_name_stay_escaped() -> None:
    assert title_of_diff(QUOTED) == r'A change of 3 files (+2, -1): src/ä "x".py, ö.py, two\nlines\303.py'
