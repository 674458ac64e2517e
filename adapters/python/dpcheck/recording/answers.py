"""Answers to seeded and recorded requests."""

import json

from . import places
from .current import current
from .forms import Form
from .hooks import Recording, loaded_libraries
from .math_hooks import released
from .seeded import Seeded
from .tape import LONGEST, Apart, NotDiscrete, Rare, Tape, TooLong, are_noise_alone


def seeded_output(f, dataset, seed):
    """f(dataset) with all randomness from the seed."""
    places.set_program(f)
    for _ in range(2):
        loaded = loaded_libraries()
        with Seeded(f, seed):
            output = f(own_copy(dataset))
        if loaded_libraries() == loaded:
            break
        # A library was loaded on the way, with sources of its own that were not seeded.
    return output


def own_copy(data):
    """Rows of their own for each run: a program may sort or empty those that it gets."""
    if type(data) is list:
        return [own_copy(item) for item in data]
    return {key: own_copy(item) for key, item in data.items()} if type(data) is dict else data


def recorded_line(f, request, datasets, plain):
    """The answer to a request with "record", as JSON: outputs, errors and recordings, one for each side in order."""
    try:
        return json.dumps(recorded_answer(f, request, datasets, plain))
    except Exception as error:
        # The program put something else than values of JSON into its output, or tampered with the recording.
        failed = {
            "atoms": [],
            "reads": [],
            "ended": "error",
            "failed": "the answer could not be written: " + described(error),
        }
        count = len(request["order"])
        errors = {str(place): described(error) for place in range(count)}
        answer = {"id": request["id"], "outputs": [None] * count, "errors": errors, "recordings": [failed] * count}
        return json.dumps(answer)


def recorded_answer(f, request, datasets, plain):
    outputs, errors, recordings = [], {}, []
    first, paths, shifts = None, request.get("force"), request.get("shifts")
    kept = kept_reads(request["keep"]) if "keep" in request else None
    for place, side in enumerate(request["order"]):
        if paths is not None:
            run = Run(f, datasets[side], request, forced=paths[place], kept=kept)
            run.to_plain(plain)
        elif first is None or first.failed is None:
            shift = {int(read): by for read, by in (shifts[place] if shifts else {}).items()}
            run = Run(f, datasets[side], request, first.tape if first else None, shifts=shift)
            run.to_plain(plain)
        # A first run that failed leaves nothing to replay: the others failed as it did.
        first = first or run
        outputs.append(run.output)
        if run.error is not None:
            errors[str(place)] = run.error
        recordings.append(run.recording())
    answer = {"id": request["id"], "outputs": outputs, "recordings": recordings}
    return {**answer, "errors": errors} if errors else answer


_kept = None, {}


def kept_reads(number):
    """Results of reads in runs with forced discrete draws, kept for all requests with the same number."""
    global _kept
    if _kept[0] != number:
        _kept = number, {}
    return _kept[1]


def described(error):
    return "%s: %s" % (type(error).__name__, error)


def call(f, dataset):
    """Calls f, and reads what is traced in its output; places end their search for lines of the program here."""
    output = f(dataset)
    if current.tape is not None:
        current.tape.is_output = True
    return released(output)


places.set_boundary(call.__code__)


class Run:
    """One recorded or replayed output, or one whose first discrete draws are forced."""

    def __init__(self, f, dataset, request, first=None, **options):
        self.output, self.error, self.failed = None, None, None
        try:
            places.set_program(f)
            for _ in range(2):
                loaded = loaded_libraries()
                self._run(f, dataset, request, first, options)
                if loaded_libraries() == loaded:
                    break
                # A library was loaded on the way: once more, with hooks in it.
        except Exception as error:
            self.tape = Tape(request.get("seed", 0))
            self.ended = "error"
            self.failed = "the recording itself failed: " + described(error)
            self.error = described(error)

    def _run(self, f, dataset, request, first, options):
        self.output, self.error, self.failed, self.ended = None, None, None, "output"
        self.tape = tape = Tape(
            request.get("seed", 0),
            first.reads if first else None,
            request.get("meet", False),
            request.get("asReads", ()),
            **options,
        )
        caught = None
        try:
            with Recording(f, tape):
                self.output = call(f, own_copy(dataset))
        except (Apart, NotDiscrete, Rare):
            pass
        except TooLong:
            self.ended, self.failed = "error", "the program draws or reads noise more than %d times" % LONGEST
            self.error, self.tape = "OverflowError: " + self.failed, Tape(tape.seed)
            return
        except Exception as error:
            caught = error
        if caught is not None and tape.apart is None and not tape.is_rare():
            self.ended, self.error = "error", described(caught)
            if not fails_unrecorded(f, dataset, caught, tape.seed):
                self.failed = "the program fails only when it is recorded: " + self.error
        else:
            tape.finish()
        if tape.apart is not None or not tape.is_discrete:
            self.ended, self.output, self.error = "apart", None, None
        elif tape.is_rare():
            self.ended, self.output, self.error = "rare", None, None

    def to_plain(self, plain):
        """Turns the output into values of JSON, as outputs that are not recorded."""
        if self.ended == "output":
            try:
                self.output = plain(self.output)
            except Exception as error:
                self.output, self.ended, self.error = None, "error", described(error)

    def recording(self):
        tape = self.tape
        answer = {
            "atoms": [atom_answer(tape, atom) for atom in tape.atoms],
            "reads": [read_answer(tape, read) for read in tape.reads],
            "ended": self.ended,
        }
        if tape.forced is not None and tape.is_discrete:
            answer["path"] = tape.path
        if tape.apart is not None:
            answer["apart"] = tape.apart
        if tape.not_followed:
            answer["notFollowed"] = tape.not_followed
        if self.failed is not None:
            answer["failed"] = self.failed
        return answer


def fails_unrecorded(f, dataset, error, seed):
    """Tells if f ends with this kind of error without a recording, for one of some seeds."""
    for trial in range(TRIALS):
        try:
            with Seeded(f, (seed + trial) % 2**32):
                f(own_copy(dataset))
        except Exception as own:
            if type(own) is type(error):
                return True
    return False


# An error that depends on the noise is taken for one of the recorder if none of so many other runs has it.
TRIALS = 4


def form_answer(tape, form):
    v, terms = float(form.v), []
    for atom, coefficient in form.terms.items():
        if atom.index < len(tape.atoms) and tape.atoms[atom.index] is atom:
            terms.append([atom.index, float(coefficient)])
        else:
            v += coefficient * atom.z  # Noise of an earlier run that the program kept.
    return [v, terms]


def atom_answer(tape, atom):
    at, inner = atom.place
    answer = {"law": atom.law, "at": at or inner or "?"}
    if at and inner:
        answer["in"] = inner
    if atom.law == "geometric":
        answer["p"] = atom.of[0]
    elif atom.law == "derived":
        answer["function"] = atom.function
        answer["of"] = [form_answer(tape, item) if type(item) is Form else float(item) for item in atom.of]
    return answer


def read_answer(tape, read):
    at, inner = read.place
    answer = {"at": at or "?", "kind": read.kind, "forms": [form_answer(tape, form) for form in read.forms]}
    if inner:
        answer["in"] = inner
    if read.made and read.made != answer["at"]:
        answer["made"] = read.made
    if read.kind == "value" and read.inside:
        answer["inside"] = "noise alone" if are_noise_alone(read.forms) else "noisy"
    answer["shape"] = list(read.shape)
    value = read.raw if read.told is None else read.told
    answer["value"] = [value] if read.kind in ("value", "sign") and not isinstance(value, list) else value
    if read.details:
        answer.update(read.details)
    return answer
