"""NumPy's functions on traced values: linear ones keep forms, comparisons read an order, others read values."""

import math
from bisect import bisect_left, bisect_right

import numpy as np

from .current import current
from .forms import Form, as_form, combination
from .functions import FUNCTIONS, derive
from .places import here
from .traced_array import TracedArray, inner, is_traced, outer, read_objects
from .traced_number import TracedNumber

LINEAR = {"add", "subtract", "multiply", "divide", "true_divide", "negative", "positive", "matmul", "conjugate"}
COMPARISONS = {"greater": (1.0, False), "less_equal": (1.0, True), "less": (-1.0, False), "greater_equal": (-1.0, True)}
ELEMENTWISE = {"add", "subtract", "multiply", "divide", "true_divide"}
FINITE = {"isfinite", "isnan", "isinf"}
LINEAR_FUNCTIONS = {
    "sum", "mean", "concatenate", "stack", "vstack", "hstack", "column_stack", "dstack", "reshape", "ravel", "transpose",
    "dot", "inner", "outer", "tensordot", "trace", "diagonal", "diag", "where", "cumsum", "diff", "squeeze", "expand_dims",
    "append", "insert", "delete", "atleast_1d", "atleast_2d", "broadcast_to", "tile", "repeat", "take", "copy", "flip",
    "roll", "split", "array_split", "swapaxes", "moveaxis",
}  # fmt: skip


def values_of(value):
    """A value with all that is traced in it read."""
    if is_traced(value):
        values = value.read()
        return np.float64(values) if type(value) is TracedNumber and isinstance(values, float) else values
    if type(value) is list or type(value) is tuple:
        return type(value)(values_of(item) for item in value)
    return value


def objects_of(value):
    """A value with forms in the place of what is traced."""
    if is_traced(value):
        return inner(value)
    if type(value) is list or type(value) is tuple:
        return type(value)(item.form if type(item) is TracedNumber else objects_of(item) for item in value)
    return value


def as_objects(value):
    array = np.asarray(inner(value))
    return array if array.dtype == object else array.astype(object)


def result_of(value):
    return outer(value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value, here(3))


def apply_ufunc(ufunc, method, inputs, options):
    name = ufunc.__name__
    out = options.pop("out", None)
    if out is not None:
        return _apply_into(ufunc, method, inputs, options, out)
    options = {key: value for key, value in options.items() if key not in ("dtype", "casting", "order", "subok")}
    if name in ELEMENTWISE and method == "__call__" and not options and len(inputs) == 2:
        inputs = _released_where_repeated(inputs)
        if not any(map(is_traced, inputs)):
            return ufunc(*inputs)
    plain_options = all(key in ("axis", "keepdims") for key in options)
    if method == "__call__" and not options:
        if name in ("add", "subtract"):
            return _add(ufunc, inputs)
        if name == "matmul":
            return result_of(_product(*[as_objects(value) for value in inputs]))
        if name in LINEAR:
            return result_of(ufunc(*[as_objects(value) for value in inputs]))
        if name in COMPARISONS and all(value.is_known() for value in inputs if is_traced(value)):
            # Numbers that were read are compared as those numbers.
            return ufunc(*[values_of(value) for value in inputs])
        if name in COMPARISONS:
            return _compare(inputs, *COMPARISONS[name])
        if name in ("equal", "not_equal"):
            return _equal(ufunc, inputs)
        if name in FINITE:
            return _finite(ufunc, inputs[0])
        if name in FUNCTIONS:
            return _derived(ufunc, name, inputs)
    if name == "add" and method == "reduce" and plain_options:
        return result_of(_sum(as_objects(inputs[0]), **options))
    if name == "add" and method == "accumulate" and plain_options:
        return result_of(getattr(ufunc, method)(*[as_objects(value) for value in inputs], **options))
    if name in ("add", "subtract", "multiply") and method == "outer":
        return result_of(ufunc.outer(*[as_objects(value) for value in inputs]))
    return getattr(ufunc, method)(*[values_of(value) for value in inputs], **options)


def _released_where_repeated(inputs):
    """A noisy value that is used with each entry of a plain array is read: else it is read later in as many pieces as there are rows."""
    for index, value in enumerate(inputs):
        other = inputs[1 - index]
        if not is_traced(value) or is_traced(other) or np.ndim(other) == 0:
            continue
        shape = np.shape(inner(value))
        is_repeated = np.broadcast_shapes(shape, np.shape(other)) != shape
        if is_repeated and any(type(item) is Form and item.has_met for item in as_objects(value).ravel()):
            return [values_of(value) if place == index else item for place, item in enumerate(inputs)]
    return inputs


def _apply_into(ufunc, method, inputs, options, out):
    """x += noise: a plain x takes the values of the sum, which is what is read; a traced x takes its forms."""
    target = out[0]
    if len(out) != 1 or method != "__call__":
        plain = [values_of(value) for value in inputs]
        return getattr(ufunc, method)(*plain, out=tuple(values_of(value) for value in out), **options)
    result = apply_ufunc(ufunc, method, inputs, options)
    if type(target) is TracedArray:
        target.objects[...] = inner(result)
    else:
        target[...] = values_of(result)
    return target


def _add(ufunc, inputs):
    objects = [as_objects(value) for value in inputs]
    result = ufunc(*objects)
    tape = current.tape
    if tape is not None and tape.meet and sum(map(is_traced, inputs)) == 1:
        noise = objects[0] if is_traced(inputs[0]) else objects[1]
        if all(type(item) is Form and item.is_noise() for item in noise.ravel()):
            if not isinstance(result, np.ndarray):
                result = inner(result)
            values = read_objects(result)
            return values[()] if values.ndim == 0 else values
    return result_of(result)


def _sum(array, axis=None, keepdims=False):
    """Sums along axes, each in one pass: adding form by form would copy all of its terms each time."""
    axes = range(array.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = sorted(axis % array.ndim for axis in axes) if array.ndim else []
    rest = [axis for axis in range(array.ndim) if axis not in axes]
    shape = tuple(array.shape[axis] for axis in rest)
    lines = array.transpose(rest + axes).reshape(math.prod(shape), -1)
    totals = np.empty(len(lines), object)
    for index, line in enumerate(lines):
        totals[index] = combination((1.0, item) for item in line)
    totals = totals.reshape(shape)
    return np.expand_dims(totals, tuple(axes)) if keepdims else totals if shape else totals[()]


def _product(a, b):
    """Matrix products of arrays of one or two dimensions; NumPy's for more."""
    if not 1 <= a.ndim <= 2 or not 1 <= b.ndim <= 2 or a.shape[-1] != b.shape[0]:
        return np.matmul(a, b)
    rows, columns = np.atleast_2d(a), b.reshape(b.shape[0], -1).T
    result = np.empty((len(rows), len(columns)), object)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            result[i, j] = _dot(row, column)
    return result.reshape(a.shape[:-1] + b.shape[1:])[()]


def _dot(row, column):
    if any(type(x) is Form and type(y) is Form for x, y in zip(row, column)):
        return combination((1.0, x * y) for x, y in zip(row, column))
    return combination((y, x) if type(x) is Form else (x, y) for x, y in zip(row, column))


def _compare(inputs, factor, negated):
    difference = np.asarray(np.subtract(*[as_objects(value) for value in inputs]), dtype=object)
    forms = [as_form(item).times(factor) for item in difference.ravel()]
    values = [form.value() for form in forms]
    positive = [negated if value != value else value > 0 for value in values]
    tape = current.tape
    if tape is not None and not tape.paused and any(form.terms for form in forms):
        positive = tape.read("sign", forms, difference.shape, positive)
    result = np.array(positive, bool).reshape(difference.shape) != negated
    return bool(result) if difference.ndim == 0 else result


def _equal(ufunc, inputs):
    """Continuous noise equals nothing; where it cancels, or is of whole numbers, values are compared."""
    difference = np.asarray(np.subtract(*[as_objects(value) for value in inputs]), dtype=object)
    forms = [as_form(item) for item in difference.ravel()]
    if any(is_traced(value) and value.is_known() for value in inputs) or not all(
        form.equals_nothing() or not form.terms for form in forms
    ):
        return ufunc(*[values_of(value) for value in inputs])
    equal = [not form.terms and form.v == 0 for form in forms]
    result = np.array(equal, bool).reshape(difference.shape) == (ufunc is np.equal)
    return bool(result) if difference.ndim == 0 else result


def _finite(ufunc, value):
    """Noise is finite: whether a sum is depends on the plain number in it alone."""
    plain = np.array([as_form(item).v for item in as_objects(value).ravel()]).reshape(as_objects(value).shape)
    return ufunc(plain)


def _derived(ufunc, name, inputs):
    place = here(2)
    tape = current.tape
    if tape is None or tape.paused or tape.reads_at(place):
        return ufunc(*[values_of(value) for value in inputs])

    def one(*args):
        try:
            return derive(name, args, place)
        except (ValueError, ZeroDivisionError, OverflowError):
            # NumPy puts NaN or infinity where Python's functions raise.
            with np.errstate(all="ignore"):
                return float(ufunc(*[as_form(arg).value() for arg in args]))

    arrays = np.broadcast_arrays(*[as_objects(value) for value in inputs])
    result = np.empty(arrays[0].shape, object)
    for index in np.ndindex(result.shape):
        result[index] = one(*[array[index] for array in arrays])
    return result_of(result)


def apply_function(function, args, kwargs):
    name = function.__name__
    if name in BY_ORDER and args and type(args[0]) is TracedArray and not kwargs:
        array = args[0].objects
        if array.ndim == 1 and array.size and (len(args) == 1 or args[1] is None or args[1] in (-1, 0)):
            return _by_order(name, array)
    if name in ("sum", "mean") and args and set(kwargs) <= {"axis", "keepdims"} and len(args) < 3:
        array = as_objects(args[0])
        axis = {"axis": args[1], **kwargs} if len(args) == 2 else kwargs
        total = _sum(array, **axis)
        return result_of(total if name == "sum" else total / (array.size / max(1, np.size(total))))
    if name == "dot" and len(args) == 2 and not kwargs and all(1 <= np.ndim(objects_of(value)) <= 2 for value in args):
        return result_of(_product(*[as_objects(objects_of(value)) for value in args]))
    if name in LINEAR_FUNCTIONS and "out" not in kwargs:
        try:
            return result_of(
                function(*[objects_of(value) for value in args], **{key: objects_of(v) for key, v in kwargs.items()})
            )
        except TypeError:
            pass
    if name == "searchsorted" and len(args) == 2 and type(args[1]) is TracedNumber and set(kwargs) <= {"side"}:
        return _place_in(args[0], args[1], kwargs.get("side", "left"))
    if name in ("shape", "ndim", "size"):
        return function(inner(args[0]))
    if name in ("zeros_like", "ones_like", "empty_like", "full_like"):
        return function(np.zeros(args[0].shape), *values_of(args[1:]), **kwargs)
    if name in ("isscalar", "iscomplexobj", "isrealobj"):
        return function(np.zeros(args[0].shape))
    return function(*[values_of(value) for value in args], **{key: values_of(value) for key, value in kwargs.items()})


def _place_in(bounds, number, side):
    """Place of a number among sorted bounds: it is compared with some of them, and its value is not read."""
    bisect = bisect_left if side == "left" else bisect_right
    return np.intp(bisect([values_of(bound) for bound in bounds], number))


BY_ORDER = {"argmax", "argmin", "max", "amax", "min", "amin", "argsort", "sort", "median"}


def _by_order(name, array):
    """A function of the order of entries: the order is read, and the entries keep their forms."""
    if name.startswith("arg") and name != "argsort":
        return np.intp(_winner(array, name == "argmax"))
    if name in ("max", "amax", "min", "amin"):
        return outer(array[_winner(array, name in ("max", "amax"))], here(2))
    order = _order(array)
    if name == "argsort":
        return np.array(order, np.intp)
    ordered = array[order]
    if name == "sort":
        return outer(ordered, here(2))
    middle = len(ordered) // 2
    both = ordered[middle : middle + 1] if len(ordered) % 2 else ordered[middle - 1 : middle + 1]
    return outer(both.sum() / len(both), here(2))


def _winner(array, largest):
    """The index of the largest or smallest entry: a read of that alone."""
    forms = [as_form(item) for item in array]
    values = [form.value() for form in forms]
    index = int(np.argmax(values) if largest else np.argmin(values))
    tape = current.tape
    if tape is None or tape.paused or not any(form.terms for form in forms):
        return index
    return tape.read("largest" if largest else "smallest", forms, (len(forms),), index)


def _order(array):
    """The order of the entries: a read of the signs of the differences of neighbours in it."""
    forms = [as_form(item) for item in array]
    order = [int(index) for index in np.argsort([form.value() for form in forms], kind="stable")]
    tape = current.tape
    if tape is None or tape.paused or not any(form.terms for form in forms):
        return order

    def differences(order):
        return [forms[after].plus(forms[before], -1.0) for before, after in zip(order, order[1:])]

    return tape.read("sign", differences, (len(forms) - 1,), order, told=[True] * (len(forms) - 1))
