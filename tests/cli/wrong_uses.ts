/** Files that {@linkcode wrongUses} name: they lie in another folder. */
export const FILES: Readonly<Record<string, string>> = {
  "answers.sh":
    'while read -r line; do id="${line#*:}"; id="${id%%,*}"; echo "{\\"id\\":$id,\\"outputs\\":[$RANDOM]}"; done',
  "number.ts": "export const x = 1;",
  "nothing.ts": "const x = 1;",
  "throws.ts": 'throw new Error("no such table");',
  "syntax.ts": "export default function ( {",
  "always_throws.ts": 'export default (): never => { throw new Error("no rows"); };',
  "imports.ts": 'import "./absent.ts"; export default () => 1;',
  "common.cjs": "module.exports = (d, s) => s.uniform();",
  "uniform.ts": "export default (d: number[], s: { uniform(): number }) => d.length + s.uniform();",
  "two.ts": "export const a = () => 1; export const b = () => 2;",
  "service.mjs":
    "export const start = (rows) => rows; export const open = () => ({ ask: () => 1 });",
  "left.csv": "x\n1\n2\n",
  "right.csv": "x\n3\n4\n",
  "many.csv": "x\n" + "1\n2\n".repeat(40),
  "empty.csv": "",
  "names.csv": "x\n",
  "broken.ndjson": "1\nfoo\n".repeat(40),
  "table.csv": "x,y\n1,a\n2,b\n",
  "class_c.csv": "x,y\n1,a\n2,c\n",
  "word.csv": "x,y\nfoo,a\n2,b\n",
  "ragged.csv": "x,y\n1\n",
  "brace.json": "{",
  "list.json": "[]",
  "object.json": "{}",
  "columns.json": columns("x", { type: "number", lower: 0, upper: 9 }),
  "column_z.json": columns("z", { type: "number", lower: 0, upper: 9 }),
  "numbr.json": columns("x", { type: "numbr", lower: 0, upper: 9 }),
  "maximum.json": columns("x", { type: "number", lower: 0, upper: 9, maximum: 9 }),
  "canaries.csv": "included,score\n1,2\n0,1\n",
  "yes.csv": "included,score\nyes,2\n0,1\n",
  "laplac.json": suite({ mechanism: "laplac", epsilon: 1 }),
  "good.json": suite({ mechanism: "laplace", epsilon: 1 }),
  "replace_on.json": suite({ mechanism: "laplace", epsilon: 1, relation: "replace-on" }),
  "bool.json": suite({
    mechanism: "laplace",
    epsilon: 1,
    rows: { type: "bool" },
    size: "1",
    relation: "replace-one",
  }),
  "epsilom.json": suite({ mechanism: "laplace", epsilom: 1 }),
};

function columns(name: string, column: object): string {
  return JSON.stringify({
    columns: { [name]: column, y: { type: "category", values: ["a", "b"] } },
    label: "y",
  });
}

function suite(entry: object): string {
  return JSON.stringify({ audits: [{ name: "a", ...entry }] });
}

/** A command line, the exit status, and what its one line must say. */
export type WrongUse = readonly [words: string, status: 2 | 3, ...parts: string[]];

const PAIR = "--epsilon 1 --left [0] --right [1] --max-draws 50";
const SEARCH = "--epsilon 1 --size 1..2 --relation replace-one";
const TRAIN = "--epsilon 1 --norm-bound 1 --out model.json";

/** What an account of releases needs, and what it knows. */
const accounts: readonly WrongUse[] = [
  ["account --sigma 1", 2, "give --delta for the least ε"],
  ["account --delta 1e-6", 2, "give releases"],
  ["account --count 2 --delta 1e-6", 2, "give one of --sigma, --mu, --laplace, --each: what"],
  ["account --sigma 1 --laplace 1 --delta 1e-6", 2, "not --sigma and --laplace: several"],
  ['account {"sigma":1,"mu":1} --delta 1e-6', 2, "release 1", "not sigma and mu"],
  ['account {"each":1} --delta 1e-6', 2, "did you mean epsilon?"],
  ["account --sigma 0 --delta 1e-6", 2, "--sigma", "above 0"],
  ["account --sigma 1 --rate 2 --delta 1e-6", 2, "rate must be at most 1"],
  ["account --sigma 1 --delta 1", 2, "--delta"],
  ["account --mu 1 --each-delta 0.1 --delta 0.2", 2, "delta must come with epsilon"],
  ["account --sigma 1 {} --delta 1e-6", 2, "not by both"],
  ["account {} --delta 1e-6", 2, "release 1", "and not none"],
  ["account [] --delta 1e-6", 2, "at least one release"],
  ["account [1] --delta 1e-6", 2, "release 1 of RELEASES must be an object"],
  ['account {"sgma":1} --delta 1e-6', 2, "did you mean sigma?"],
  ['account {"sigma":"1"} --delta 1e-6', 2, "sigma of release 1 of RELEASES must be a number"],
  ['account [{"mu":1},{"mu":1,"count":0}] --delta 1e-6', 2, "release 2", "count must be"],
  ['account {"mu":1 --delta 1e-6', 2, "must be JSON"],
  ["account --sigma 1 --chosen 2 --delta 1e-6", 2, "chosen must come with steps"],
  ["account --sigma 1 --steps 9 --chosen 10 --delta 1e-6", 2, "chosen must be", "to 9"],
  ["account --sigma 1 --steps 9 --rate 0.1 --delta 1e-6", 2, "rate and steps"],
  ["account --sigma 1 --delta 1e-6 --html /no/such/folder", 2, "--html", "cannot be written"],
];

const SERVICE = "audit --interactive --module service.mjs --relation replace-one " + PAIR;
const ASKED = `${SERVICE} --questions {"a":{}}`;

/** Questions that may be asked, and questions to ask. */
const sessions: readonly WrongUse[] = [
  [SERVICE, 2, "needs --questions"],
  [`${SERVICE} --questions {"a":1}`, 2, "questions.a must be a record"],
  [`${SERVICE} --questions [1]`, 2, "must be an object"],
  [`${SERVICE} --questions none.json`, 2, "or a file of it"],
  [`${ASKED} --strategy {}`, 2, "must be a list of steps"],
  [`${ASKED} --strategy []`, 2, "at least one step"],
  [`${ASKED} --strategy [3]`, 2, "strategy[0] must be a step"],
  [`${ASKED} --strategy [{"do":"ask"}]`, 2, "strategy[0].question must be"],
  [`${ASKED} --strategy [{"do":"ask","question":{"kind":"b"}}]`, 2, 'kind must be "a"'],
  [
    `${ASKED} --lifetime session --strategy [{"do":"ask","question":{"kind":"a"},"session":1}]`,
    ...[2, "session must be an integer from 0 to 0"] as const,
  ],
  [`${ASKED} --strategy [{"do":"restart"}]`, 2, 'do must be "ask"'],
  ["audit --mechanism laplace --epsilon 1 --strategy []", 2, "must come with --interactive"],
];

/** Names that are nearly right, and the right ones. */
const misspelt: readonly WrongUse[] = [
  ["audt", 2, "did you mean audit?"],
  ["help nope", 2, "unknown command 'nope'"],
  ["help verfy", 2, "did you mean verify?"],
  ["--hlp", 2, "did you mean --help?"],
  ["audit --epsilo 1", 2, "did you mean --epsilon?"],
  ["audit --eps 1", 2, "did you mean --epsilon?"],
  ["suite --chnged", 2, "did you mean --changed?"],
  ["audit --mechanism laplce --epsilon 1", 2, "did you mean laplace?"],
  ["audit --mechanism Laplace --epsilon 1", 2, "did you mean laplace?"],
  ["audit --mechanism zzzzzz --epsilon 1", 2, "there are base-2-exponential"],
  ["exact --mechanism permute-and-filp --epsilon 1", 2, "did you mean permute-and-flip?"],
  [`audit --exec cat ${SEARCH}x --rows {"type":"boolean"}`, 2, "did you mean replace-one?"],
  ["audit --exec cat --relation replaceOne", 2, "did you mean replace-one?"],
  ["audit --exec cat --relation add-remove", 2, "did you mean add-remove-one?"],
  ["audit --exec cat --relation change-each-by", 2, "did you mean change-each-by-NUMBER?"],
  [`audit --exec cat ${SEARCH} --rows {"type":"bool"}`, 2, '"bool"; did you mean boolean?'],
  [`audit --exec cat ${SEARCH} --rows {"type":"intger","min":0,"max":1}`, 2, "mean integer?"],
  [
    `audit --exec cat ${SEARCH} --rows {"type":"number","min":0,"max":1,"mx":1}`,
    2,
    "unknown key mx; did you mean max?",
  ],
  ["prove mechanisms/laplace_moment", 2, "did you mean mechanisms/laplace_moments"],
  ["prove laplace_moment", 2, "did you mean mechanisms/laplace_moments"],
  ["prove mechanism", 2, "did you mean mechanisms"],
  ["prove --kind exct", 2, "did you mean exact?"],
  [train("logistic-regresion"), 2, "did you mean logistic-regression?"],
  [train("logistic"), 2, "did you mean logistic-regression?"],
  [`${train("huber-svm")} --kernel gausian`, 2, "did you mean gaussian?"],
  [`${train("huber-svm")} --perturbation outputs`, 2, "did you mean output?"],
  ["suite laplac.json", 2, "did you mean laplace?"],
  ["suite epsilom.json", 2, "did you mean epsilon?"],
  ["suite replace_on.json", 2, "did you mean replace-one?"],
  ["suite bool.json", 2, "did you mean boolean?"],
  ["suite good.json --error familywise", 2, "did you mean family-wise?"],
];

/** Trains on a file whose rows have not what the description says: each row is a person's, so none is refused. */
export const oddRows: readonly string[] = ["ragged.csv", "class_c.csv", "word.csv"]
  .map((file) => train("huber-svm", file));

function train(learner: string, data = "table.csv", description = "columns.json"): string {
  return `train --data ${data} --label y --columns ${description} --learner ${learner} --lambda 0.1 ${TRAIN}`;
}

/** Programs and modules that are none. */
const subjects: readonly WrongUse[] = [
  [`audit --exec . ${PAIR}`, 2, "--exec .", "that can be run"],
  [`audit --exec= ${PAIR}`, 2, "must name a program"],
  [`audit --exec no_such_program ${PAIR}`, 2, "no_such_program", "that can be run"],
  [`audit --exec sh?absent.sh ${PAIR}`, 3, "absent.sh", "crashed"],
  [`audit --exec echo?hello ${PAIR}`, 3, 'it sent "hello"'],
  [`audit --exec yes ${PAIR}`, 3, "invalid JSON", '"y"'],
  [`audit --exec true ${PAIR}`, 3, "exit status 0 before it answered"],
  [`audit --exec false ${PAIR}`, 3, "exit status 1 before it answered"],
  [`audit --exec sleep?30 --timeout 0.2 ${PAIR}`, 3, "hung", "0.2 s"],
  [`audit --exec cat ${PAIR}`, 3, "neither outputs nor error"],
  [`audit --exec sh?answers.sh --fd 3 --timeout 0.3 ${PAIR}`, 3, "hung"],
  [`audit --exec cat --fd 0 ${PAIR}`, 2, "--fd", "from 3"],
  [`audit --mechanism laplace --fd 3 ${PAIR}`, 2, "--fd 3 goes with --exec"],
  [`audit --module number.ts ${PAIR}`, 2, "must export default: it exports x"],
  [`audit --module nothing.ts ${PAIR}`, 2, "it exports nothing"],
  [`audit --module throws.ts ${PAIR}`, 2, "no such table"],
  [`audit --module syntax.ts ${PAIR}`, 2, "syntax.ts must load"],
  [`audit --module imports.ts ${PAIR}`, 2, "imports.ts must load", "absent.ts"],
  [`audit --module always_throws.ts ${PAIR}`, 3, "every output was an error", "no rows"],
  [`audit --module . ${PAIR}`, 2, "must be a file, not a folder"],
  [`audit --module absent.ts ${PAIR}`, 2, "there must be a file absent.ts"],
  [`audit --module two.ts ${PAIR}`, 2, "it exports a, b"],
  [`audit --module two.ts#c ${PAIR}`, 2, "must export c"],
  [`audit --url localhost:1 ${PAIR}`, 2, "http://"],
  [`audit --url http://127.0.0.1:1/ ${PAIR}`, 3, "could not be asked"],
  ["audit --samples left.csv --epsilon 1", 2, "two files"],
  ["audit --samples left.csv right.csv --epsilon 1", 2, "at least 50 outputs"],
  ["audit --samples many.csv . --epsilon 1", 2, "--samples ."],
  ["audit --samples many.csv empty.csv --epsilon 1", 2, "empty.csv", "at least one output"],
  ["audit --samples broken.ndjson many.csv --epsilon 1", 2, "broken.ndjson"],
  ["exact --module uniform.ts --epsilon 1 --left [0] --right [1]", 2, "uniform()"],
  ["exact --module common.cjs --epsilon 1 --left [0] --right [1]", 2, "cannot be decided", "load"],
  ["exact --module throws.ts --epsilon 1", 2, "no such table"],
  ["exact", 2, "--mechanism or --module"],
];

/** Options that contradict each other or are out of bounds. */
const options: readonly WrongUse[] = [
  ["audit --mechanism laplace --epsilon -1", 2, "above 0"],
  ["audit --mechanism laplace --epsilon NaN", 2, "finite decimal number"],
  ["audit --mechanism laplace --epsilon", 2, "argument missing"],
  // Mutant: a claim that allows everything is kept by everything.
  ["audit --mechanism laplace --epsilon 1e308", 2, "--epsilon 1e+308 must be at most"],
  [`audit --exec cat --mu 1e308 --left 0 --right 1`, 2, "--mu 1e+308 must be at most"],
  ["audit --mechanism gaussian --epsilon 1e300 --delta 0.1", 2, "epsilon"],
  ['audit --exec cat --epsilon 1 --left [0] --rows {"type":"boolean"}', 2, "cannot be given with"],
  ["audit --exec cat --epsilon 1 --left [0] --right [1] --size 2", 2, "it goes with --rows"],
  ["audit --exec cat --epsilon 1 --left [0]", 2, "must come with --right"],
  ["audit --exec cat --epsilon 1 --left left.csv --right right.csv", 2, "must be JSON"],
  ["audit --exec cat --epsilon 1 --left [0] --right [0]", 2, "must differ"],
  ['audit --exec cat --epsilon 1 --rows {"type":"boolean"}', 2, "--size"],
  [`audit --exec cat ${PAIR} --require-power 1`, 2, "above 1"],
  [
    `audit --exec cat ${SEARCH} --rows {"type":"boolean"} --require nonsense`,
    2,
    'current value is "nonsense"',
  ],
  [`audit --exec cat ${PAIR} --json .`, 2, "it is a folder"],
  [`audit --exec cat ${PAIR} --json - --markdown -`, 2, "two files"],
  ["audit cat --epsilon 1", 2, "too many arguments"],
  ["audit stats.mjs#mean --epsilon 1", 2, "write --module stats.mjs#mean"],
  ["record stats.py", 2, 'write --exec "python3 stats.py"'],
  ["audit stats.py:mean --epsilon 1", 2, 'write --exec "python3 -m dpcheck stats.py:mean"'],
  ["audit --mechanism gaussian --epsilon 1", 2, "delta must be given"],
  ["audit --mechanism laplace --mu 1", 2, "--epsilon"],
  ["verify absent.json", 2, "there is no such file"],
  ["verify .", 2, "it is a folder"],
  ["verify brace.json", 2, "must be JSON"],
  ["verify list.json", 2, "report of an audit"],
  ["verify object.json", 2, "evidence of a refutation"],
  ["suite absent.json", 2, "there is no such file"],
  ["suite .", 2, "it is a folder"],
  ["suite brace.json", 2, "JSON"],
  ["suite list.json", 2, "must be an object"],
  ["suite laplac.json --jobs 0", 2, "--jobs"],
  ['exact --mechanism permute-and-flip --epsilon 1 --left ["a"] --right ["b"]', 2, "number"],
  ["exact --mechanism permute-and-flip --epsilon 1 --json /no/such/x", 2, "--json /no/such/x"],
  ["exact --mechanism laplace --epsilon 1", 2, "finitely many values"],
  ["exact --exec cat", 2, "unknown option '--exec'"],
  ["canaries", 2, "FILE"],
  ["canaries absent.csv", 2, "there is no such file"],
  ["canaries yes.csv", 2, "line 2", "included"],
  ["canaries left.csv", 2, "included and score"],
  ["canaries canaries.csv --epsilon 1 --rho 1", 2, "one claim"],
  ["prove nothing_like_it", 2, "--list"],
  ["prove --seed x --list", 2, "--seed x: must be a whole number"],
  ["prove mechanisms --trusted", 2, "--trusted: must come without mechanisms"],
  ["prove --trusted --seed 3", 2, "--trusted: must come without --seed"],
  // Mutant: written after all theorems were checked.
  ["prove mechanisms/laplace_moments --json /no/such/x", 2, "--json /no/such/x"],
  ["train", 2, "--data"],
  [train("huber-svm", "absent.csv"), 2, "there is no such file"],
  [train("huber-svm", "empty.csv"), 2, "column names"],
  [train("huber-svm", "table.csv", "column_z.json"), 2, "a column z"],
  [train("huber-svm", "table.csv", "numbr.json"), 2, "did you mean number?"],
  [train("huber-svm", "table.csv", "maximum.json"), 2, "did you mean upper?"],
  [train("huber-svm", "table.csv", "brace.json"), 2, "must be JSON"],
  [`${train("huber-svm")} --kernel gaussian`, 2, "--gamma"],
  [`${train("huber-svm")} --weight-norm 1`, 2, "one of --lambda and --weight-norm"],
  [`${train("huber-svm")} --out /no/such/x`, 2, "--out /no/such/x"],
  [`${train("huber-svm")} --out table.csv`, 2, "must be another file than --data"],
  [`${train("huber-svm")} --out columns.json`, 2, "must be another file than --columns"],
  ["predict --model columns.json --data table.csv --out table.csv", 2, "another file than --data"],
  ["clean --data table.csv --predictor object.json --epsilon 1 --out table.csv", 2, "than --data"],
  [
    "synthesize --data table.csv --schema columns.json --epsilon 1 --out table.csv",
    2,
    "than --data",
  ],
  ["predict --model columns.json --data table.csv", 2, "--model ", "columns.json: Cannot"],
  ["predict --model absent.json --data table.csv", 2, "there is no such file"],
  ["clean --data table.csv --predictor object.json --epsilon 1 --out o.csv", 2, "kind"],
  ["clean --data table.csv --predictor object.json --epsilon -1 --out o.csv", 2, "at least 0"],
];

/** Wrong command lines by what is wrong with them; words are parted by blanks, and `?` stands for a blank in a word. */
export const wrongUses: Readonly<Record<string, readonly WrongUse[]>> = {
  misspelt,
  subjects,
  options,
  accounts,
  sessions,
};
