"""Private questions about a table, as in `dpcheck ask`: answers with intervals and charts, paid from a ledger.

    from dpcheck.tables import table
    survey = table("survey.csv", schema="schema.json", ledger="budget.jsonl")
    hours = survey.ask("mean hours by region", epsilon=0.5)
    hours                # a chart, in a notebook
    hours.rows[0]        # {"region": "north", "value": 34.6, "lower": 34.3, "upper": 34.9}
    survey.budget()      # what was spent, when and for which question, and what is left
"""

import json
import os
import subprocess
import tempfile

from .private import command

__all__ = ["Answer", "Answers", "Budget", "Refused", "Table", "draft_schema", "table"]


class Refused(ValueError):
    """What was asked is refused, and nothing was paid. The message is that of the command, with what to do."""


class Answer:
    """The answer to one question: rows with value, lower and upper. In a notebook it shows itself as a chart."""

    def __init__(self, json_text, svg):
        self._json = json_text
        self._svg = svg
        self.name = json_text["name"]
        self.question = json_text.get("question")
        self.columns = list(json_text["columns"])
        self.claim = json_text["claim"]
        self.statement = json_text.get("statement")
        self.rows = [self._row(row) for row in json_text["rows"]]

    def _row(self, row):
        numbers = {name: row[name] for name in ("value", "lower", "upper", "within", "tooFew") if name in row}
        return {**dict(zip(self.columns, row["key"])), **numbers}

    @property
    def value(self):
        """The answer where there is one, as of a question without groups."""
        if len(self.rows) == 1:
            return self.rows[0]["value"]
        raise Refused("value must be read of an answer of one row: this one has %d, in rows" % len(self.rows))

    @property
    def interval(self):
        """The 95% interval where there is one answer, as (lower, upper)."""
        if len(self.rows) == 1 and "lower" in self.rows[0]:
            return self.rows[0]["lower"], self.rows[0]["upper"]
        raise Refused("interval must be read of an answer of one row that has one: other answers have lower and upper in rows")

    def to_frame(self):
        """The rows as a pandas frame."""
        try:
            import pandas
        except ImportError as error:
            raise RuntimeError("to_frame() needs pandas: pip install pandas, or read rows") from error
        return pandas.DataFrame(self.rows)

    def to_json(self):
        """The answer as `dpcheck ask --json` writes it, parsed."""
        return self._json

    def save(self, file):
        """Writes the chart as SVG."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self._svg)

    def __str__(self):
        shows = _dates if self._json.get("days") else _digits
        lines = [[*self.columns, self.name, "95% interval"]]
        for each, row in zip(self._json["rows"], self.rows):
            if "within" in row:
                beside = "within %s rows" % row["within"]
            elif row.get("tooFew"):
                beside = "too few rows to tell"
            else:
                beside = "%s to %s" % (shows(row["lower"]), shows(row["upper"]))
            lines.append([*each["key"], shows(row["value"]), beside])
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
        return "\n".join(text + ([self.statement] if self.statement else []) + [_claim_words(self.claim)])

    __repr__ = __str__

    def _repr_svg_(self):
        return self._svg


class Answers(list):
    """The answers to several questions that were paid together. In a notebook they show themselves as charts."""

    def __str__(self):
        return "\n\n".join(map(str, self))

    __repr__ = __str__

    def _repr_html_(self):
        return "\n".join(answer._repr_svg_() for answer in self)


class Budget:
    """What a ledger says: limit and left, as claims, and spent, a list of what each question cost and when."""

    def __init__(self, report, text):
        self.limit = report["limit"]
        self.left = report["left"]
        self.spent = report["spent"]
        self._text = text

    def __str__(self):
        return self._text

    __repr__ = __str__


class Table:
    """A table that private questions can be asked about. Made by `table`."""

    def __init__(self, data, schema, ledger, **options):
        self._data, self._schema, self._ledger = data, schema, ledger
        self._options = options

    def ask(self, question, epsilon=None, rho=None):
        """Asks a question, or a list of them off one reading of the rows, paid for together or not at all.

        A question is words, as in "mean hours by region where age >= 18", or a dict, as in {"what": "mean", "column": "hours",
        "by": "region", "epsilon": 0.2}; `epsilon` or `rho` is what each may cost that does not say it. Returns an Answer, or Answers for a list.
        Refused: nothing was paid. RuntimeError: the engine failed, and nothing was paid.
        """
        several = isinstance(question, (list, tuple))
        with tempfile.TemporaryDirectory(prefix="dpcheck-") as folder:
            words = ["ask", self._file(folder), "--schema", _json_file(folder, "schema", self._schema), "--ledger", os.fspath(self._ledger)]
            if isinstance(question, str):
                words.append(question)
            else:
                words += ["--question", _json_file(folder, "question", list(question) if several else question)]
            out, chart = os.path.join(folder, "answer.json"), os.path.join(folder, "chart.svg")
            words += ["--json", out, "--svg", chart]
            for name, value in {"epsilon": epsilon, "rho": rho, **self._options}.items():
                if value is not None:
                    words += ["--" + name, str(value)]
            _run(words)
            answers = _read_json(out)
            if not isinstance(answers, list):
                answers = [answers]
            one = len(answers) == 1
            charts = [chart if one else os.path.join(folder, "chart-%d.svg" % (i + 1)) for i in range(len(answers))]
            made = [Answer(each, _read(file)) for each, file in zip(answers, charts)]
        return Answers(made) if several else made[0]

    def __getattr__(self, name):
        raise AttributeError('a table has ask, budget and no %s: ask in words, as in ask("mean hours by region", epsilon=0.5)' % name)

    def budget(self):
        """What was spent of the ledger, when and for which question, and what is left."""
        ledger = os.fspath(self._ledger)
        return Budget(json.loads(_run(["budget", ledger, "--json", "-"])), _run(["budget", ledger]).rstrip("\n"))

    def _file(self, folder):
        """The file of rows. A frame is written to one that only this user can read, and that is there while the question runs."""
        if isinstance(self._data, (str, os.PathLike)):
            return os.fspath(self._data)
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            file = os.path.join(folder, "rows.csv")
            self._data.to_csv(file, index=False)
        else:
            file = os.path.join(folder, "rows.parquet")
            self._data.to_parquet(file, index=False)
        return file


def table(data, *, schema, ledger, engine=None, connection=None, host=None):
    """Declares a table. Nothing is read yet.

    data: a file, CSV with a line of names or Parquet, or a pandas frame, whose index is left out.
    schema: what is public of it, as a file or a dict: columns by name, unit, relation and limit, as `draft_schema` drafts it.
    ledger: the file that keeps what was spent; the first question that is paid makes it.
    engine: "duckdb" for what is larger than memory, or "postgres" or "clickhouse", where data names a table of the database of connection. host: the machine that the ledger names, where it was moved from there for good.
    """
    if not isinstance(data, (str, os.PathLike)) and not (hasattr(data, "to_csv") and hasattr(data, "to_parquet")):
        raise Refused("data must be a file or a pandas frame: current type is %s; pandas.DataFrame(data) makes one" % type(data).__name__)
    if not isinstance(schema, (str, os.PathLike, dict)):
        raise Refused("schema must be a file or a dict: current type is %s; draft_schema drafts one" % type(schema).__name__)
    return Table(data, schema, ledger, engine=engine, connection=connection, host=host)


def draft_schema(data, *, number=None, category=None, date=None, text=None, person=None, groups=None, rows=None, relation=None, epsilon=None, delta=None):
    """Drafts a schema, as a dict, from the names of a file's or frame's columns and from what you say of them, never from rows.

    number={"age": "0..120:1"} (from 0 to 120, whole), category={"region": ["north", "south"]}, date={"day": "2020-01-01..2026-12-31"}, text=["job"];
    person names the column of persons, whose groups and rows are bounded; epsilon and delta are what all answers may lose.
    """
    words = []
    for option, columns in {"number": number, "category": category, "date": date}.items():
        for name, value in (columns or {}).items():
            words += ["--" + option, "%s=%s" % (name, value if isinstance(value, str) else ",".join(map(str, value)))]
    for name in text or []:
        words += ["--text", name]
    given = {"person": person, "groups": groups, "rows": rows, "relation": relation, "epsilon": epsilon, "delta": delta}
    for option, value in given.items():
        if value is not None:
            words += ["--" + option, str(value)]
    with tempfile.TemporaryDirectory(prefix="dpcheck-") as folder:
        if isinstance(data, (str, os.PathLike)):
            file = os.fspath(data)
        else:
            file = os.path.join(folder, "names.csv")
            data.head(0).to_csv(file, index=False)
        schema = json.loads(_run(["schema", file, *words]))
    # Where the JSON Schema for editors is, in a project of Node.
    schema.pop("$schema", None)
    return schema


def _run(words):
    """Runs the command, and returns what it puts out."""
    started = command() + words
    try:
        run = subprocess.run(started, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    except OSError as error:
        raise RuntimeError(
            "dpcheck is not installed: there is no command %s; npm install @dpcheck/dpcheck, or name a command in the variable DPCHECK" % started[0]
        ) from error
    if run.returncode == 0:
        return run.stdout
    said = run.stderr.strip() or run.stdout.strip() or "dpcheck ended with status %d" % run.returncode
    raise (Refused if run.returncode == 2 else RuntimeError)(said)


def _json_file(folder, name, value):
    """The path of a file, or a new file with what is given in its place."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    file = os.path.join(folder, name + ".json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(value, out)
    return file


def _read(file):
    with open(file, encoding="utf-8") as content:
        return content.read()


def _read_json(file):
    return json.loads(_read(file))


def _digits(number):
    return "none" if number is None else "%.6g" % number if number != int(number) else "%d" % number


def _dates(days):
    import datetime

    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=round(days))).isoformat()


def _claim_words(claim):
    amounts = ", ".join("%s %s" % (name, value) for name, value in claim.items() if name not in ("kind", "relation"))
    return "%s (%s)" % (amounts, claim["relation"])
