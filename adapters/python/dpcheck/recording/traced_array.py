"""An array with noise in it: NumPy's array of forms and numbers inside, read as a whole where it is read.

No subclass of ndarray, for the reason that traced numbers are none of float; its class answers ndarray where asked.
"""

import numpy as np

from .current import current
from .forms import Form, as_form
from .places import here
from .traced_number import Traced, TracedNumber, number


def inner(value):
    """The array of objects (forms and numbers) or the plain array behind a value."""
    if type(value) is TracedArray:
        return value.objects
    if type(value) is TracedNumber or type(value) is Form:
        objects = np.empty((), object)
        objects[()] = value.form if type(value) is TracedNumber else value
        return objects
    return value


def is_traced(value):
    return type(value) is TracedNumber or type(value) is TracedArray


def outer(value, made=None):
    """Makes a result the array that the program gets: traced if a form is left in it, else plain numbers."""
    if type(value) is Form:
        return number(value, made or here(2))
    if isinstance(value, (list, tuple)):
        return type(value)(outer(item, made) for item in value)
    if not isinstance(value, np.ndarray) or value.dtype != object:
        return value
    if value.ndim == 0 and type(value[()]) is not Form:
        return np.float64(value[()])
    if any(type(item) is Form and item.terms for item in value.ravel()):
        return TracedArray(value, made or here(2))
    return np.array([item.v if type(item) is Form else item for item in value.ravel()], float).reshape(value.shape)


def read_objects(objects, made=None):
    """Reads an array of forms at once: a plain array of its values."""
    forms = [as_form(item) for item in objects.ravel()]
    values = [form.value() for form in forms]
    tape = current.tape
    if tape is not None and not tape.paused and any(form.terms for form in forms):
        values = tape.read("value", forms, objects.shape, values, made=made)
    return np.array(values, float).reshape(objects.shape)


class TracedArray(Traced):
    __slots__ = ("objects", "made", "known")
    __class__ = property(lambda self: np.ndarray)
    __hash__ = None

    def __init__(self, objects, made=None):
        self.objects = objects
        self.made = made or here(2)

    dtype = np.dtype(float)
    shape = property(lambda self: self.objects.shape, lambda self, shape: setattr(self.objects, "shape", shape))
    ndim = property(lambda self: self.objects.ndim)
    size = property(lambda self: self.objects.size)
    itemsize = 8
    nbytes = property(lambda self: 8 * self.objects.size)
    T = property(lambda self: TracedArray(self.objects.T))
    real = property(lambda self: self)
    base = None

    def read(self):
        """The values. What was read once is known, as long as the entries are the same objects."""
        if not self.is_known():
            self.known = (list(self.objects.ravel()), read_objects(self.objects, self.made))
        return self.known[1].reshape(self.shape).copy()

    def is_known(self):
        known = getattr(self, "known", None)
        return known is not None and all(a is b for a, b in zip(known[0], self.objects.ravel()))

    def forms(self):
        return [as_form(item) for item in self.objects.ravel()]

    def learn(self, values):
        self.known = (list(self.objects.ravel()), np.array(values, float).reshape(self.shape))

    def __array__(self, dtype=None, copy=None):
        values = self.read()
        return values if dtype is None else values.astype(dtype)

    def __len__(self):
        return len(self.objects)

    def __iter__(self):
        return (outer(item, self.made) for item in self.objects)

    def __getitem__(self, index):
        return outer_view(self.objects[plain_index(index)], self.made)

    def __setitem__(self, index, value):
        value = inner(value)
        self.objects[plain_index(index)] = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value

    def __contains__(self, value):
        return value in self.read()

    def __float__(self):
        return float(self.read())

    def __int__(self):
        return int(self.read())

    def __bool__(self):
        return bool(self.read())

    def __reduce__(self):
        return np.array, (self.read(),)

    def __copy__(self):
        return TracedArray(self.objects.copy(), self.made)

    def __deepcopy__(self, memo):
        return self.__copy__()

    # -- methods of arrays that keep forms
    def copy(self, order="C"):
        return self.__copy__()

    def tolist(self):
        """A list of traced numbers: nothing is read yet."""
        return self._listed(self.objects)

    def _listed(self, objects):
        if objects.ndim == 0:
            return outer(objects[()], self.made)
        return [self._listed(item) if isinstance(item, np.ndarray) else outer(item, self.made) for item in objects]

    def item(self, *index):
        return outer(self.objects.item(*index), self.made)

    def astype(self, dtype, *_, **__):
        if np.dtype(dtype).kind == "f":
            return self.__copy__()
        return self.read().astype(dtype)

    def fill(self, value):
        self.objects.fill(inner(value)[()] if is_traced(value) else value)

    def sort(self, axis=-1, **_):
        from .array_functions import apply_function

        self.objects[...] = inner(apply_function(np.sort, (self, axis), {}))

    def __getattr__(self, name):
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError("'numpy.ndarray' object has no attribute '%s'" % name)
        if name in METHODS_WITHOUT_READ:
            method = getattr(self.objects, name)
            return lambda *args, **kwargs: outer_view(method(*args, **kwargs), here(2))
        if name in METHODS_AS_FUNCTIONS:
            from .array_functions import apply_function

            function = getattr(np, name)
            return lambda *args, **kwargs: apply_function(function, (self, *args), kwargs)
        return getattr(self.read(), name)


METHODS_WITHOUT_READ = {"reshape", "ravel", "flatten", "squeeze", "transpose", "swapaxes", "take", "repeat", "diagonal"}
METHODS_AS_FUNCTIONS = {"sum", "mean", "cumsum", "dot", "trace", "max", "min", "argmax", "argmin", "argsort"}


def plain_index(index):
    if isinstance(index, tuple):
        return tuple(plain_index(item) for item in index)
    return index.read() if is_traced(index) else index


def outer_view(value, made=None):
    """Like outer, but an array stays traced, so that what is written into a part of it is written into the whole."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return TracedArray(value, made or here(2))
    return outer(value, made)


def _binary(name):
    ufunc = getattr(np, name)

    def forward(self, other):
        from .array_functions import apply_ufunc

        return apply_ufunc(ufunc, "__call__", (self, other), {})

    def backward(self, other):
        from .array_functions import apply_ufunc

        return apply_ufunc(ufunc, "__call__", (other, self), {})

    def in_place(self, other):
        from .array_functions import apply_ufunc

        result = inner(apply_ufunc(ufunc, "__call__", (self, other), {}))
        self.objects[...] = result
        return self

    return forward, backward, in_place


for _operator, _name in {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "matmul": "matmul",
    "pow": "power",
    "mod": "remainder",
    "floordiv": "floor_divide",
}.items():
    for _prefix, _method in zip(("", "r", "i"), _binary(_name)):
        setattr(TracedArray, "__%s%s__" % (_prefix, _operator), _method)
for _operator, _name in {
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}.items():
    setattr(TracedArray, "__%s__" % _operator, _binary(_name)[0])


def _unary(name):
    ufunc = getattr(np, name)

    def method(self):
        from .array_functions import apply_ufunc

        return apply_ufunc(ufunc, "__call__", (self,), {})

    return method


TracedArray.__neg__ = _unary("negative")
TracedArray.__pos__ = _unary("positive")
TracedArray.__abs__ = _unary("absolute")

# Members of NumPy's numbers, for traced ones.
TracedNumber.dtype = np.dtype(float)
TracedNumber.shape = ()
TracedNumber.ndim = 0
TracedNumber.size = 1
TracedNumber.__getitem__ = lambda self, index: self if index == () else np.float64(self.read())[index]
