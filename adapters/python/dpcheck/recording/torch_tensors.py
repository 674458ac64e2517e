"""Tensors with noise in them: what torch draws, with its forms beside the values.

A subclass of torch.Tensor, since C code takes nothing else for one; every function of torch that gets it comes to the recorder first.
"""

import math

import numpy as np
import torch

from . import draws
from .array_functions import apply_function, apply_ufunc
from .current import active
from .forms import Form
from .places import here
from .tape import standard_value
from .traced_array import TracedArray
from .traced_number import TracedNumber

UFUNCS = {
    "add": np.add, "sub": np.subtract, "subtract": np.subtract, "mul": np.multiply, "multiply": np.multiply, "div": np.divide,
    "divide": np.divide, "true_divide": np.divide, "neg": np.negative, "negative": np.negative, "matmul": np.matmul, "mm": np.matmul,
    "mv": np.matmul, "gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal, "log": np.log, "exp": np.exp,
    "sqrt": np.sqrt, "abs": np.absolute, "sign": np.sign, "cos": np.cos, "sin": np.sin, "log1p": np.log1p,
}  # fmt: skip
REVERSED = {"rsub": np.subtract, "__rsub__": np.subtract, "__rdiv__": np.divide, "__rtruediv__": np.divide}
ARRAY_FUNCTIONS = {"sum": np.sum, "mean": np.mean, "argmax": np.argmax, "argmin": np.argmin, "dot": np.dot}
# Functions that give the same numbers in another shape or order.
SHAPES = {
    "reshape", "view", "flatten", "squeeze", "unsqueeze", "transpose", "t", "permute", "expand", "expand_as", "view_as", "reshape_as",
    "__getitem__", "select", "narrow", "stack", "cat", "contiguous",
}  # fmt: skip
SAME = {"clone", "detach", "to", "float", "double", "cpu", "type_as"}
# Attributes and questions that read no value.
SILENT = {
    "__get__", "size", "dim", "numel", "is_floating_point", "is_complex", "__len__", "requires_grad_", "ndimension", "element_size", "stride",
    "is_contiguous", "__set__", "__delete__", "get_device", "type", "is_same_size", "zeros_like", "ones_like", "empty_like", "new_zeros", "new_empty", "new",
    "new_ones", "new_full", "detach_",
}  # fmt: skip


class TracedTensor(torch.Tensor):
    is_traced = True

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if active() is None:
            return function(*plain_of(args), **plain_of(kwargs))
        name = function.__name__
        if name in SILENT:
            return function(*plain_of(args), **plain_of(kwargs))
        followed = followed_result(name, args, kwargs)
        if followed is not None:
            return followed
        # A change of a traced tensor in place reads its numbers first.
        target = args[0] if args and name.endswith("_") and not name.startswith("__") else None
        result = function(*read_of(args), **read_of(kwargs))
        if type(target) is TracedTensor and type(result) is torch.Tensor:
            target.become(TracedArray(numbers_of(result).astype(object)))
            return target
        return result

    def read(self):
        values = np.array(self.traced.read())
        return torch.tensor(values, dtype=plain_of(self).dtype).reshape(plain_of(self).shape)

    def become(self, traced):
        self.traced = traced
        values = np.array([form.value() for form in traced.forms()]).reshape(traced.shape)
        plain_of(self).copy_(torch.tensor(values, dtype=plain_of(self).dtype))

    def is_known(self):
        return self.traced.is_known()

    def forms(self):
        return self.traced.forms()

    def learn(self, values):
        self.traced.learn(values)

    def __reduce_ex__(self, protocol):
        return self.read().__reduce_ex__(protocol)

    def __deepcopy__(self, memo):
        return wrapped(self.traced.__copy__(), plain_of(self).dtype)

    __copy__ = lambda self: self.__deepcopy__({})  # noqa: E731


def plain_of(value):
    """Tensors without their forms."""
    if type(value) is TracedTensor:
        with torch._C.DisableTorchFunction():
            return value.as_subclass(torch.Tensor)
    return inside(plain_of, value)


def read_of(value):
    """Tensors with what is traced in them read."""
    return value.read() if type(value) is TracedTensor else inside(read_of, value)


def inside(change, value):
    if type(value) is list or type(value) is tuple:
        return type(value)(change(item) for item in value)
    return {key: change(item) for key, item in value.items()} if type(value) is dict else value


def numbers_of(tensor):
    return tensor.detach().cpu().numpy()


def wrapped(traced, dtype):
    """Makes a traced or plain array or number the tensor that the program gets."""
    if type(traced) is TracedNumber:
        objects = np.empty((), object)
        objects[()] = traced.form
        traced = TracedArray(objects, traced.made)
    if type(traced) is not TracedArray:
        return torch.tensor(traced, dtype=dtype if np.asarray(traced).dtype.kind == "f" else None)
    values = np.array([form.value() for form in traced.forms()]).reshape(traced.shape)
    tensor = torch.tensor(values, dtype=dtype).as_subclass(TracedTensor)
    tensor.traced = traced
    return tensor


def operand(value):
    """A tensor as an array, traced or not."""
    if type(value) is TracedTensor:
        return value.traced
    return numbers_of(value) if isinstance(value, torch.Tensor) else value


def dtype_of(args):
    for value in args:
        if type(value) is list or type(value) is tuple:
            found = dtype_of(value)
            if found is not None:
                return found
        elif isinstance(value, torch.Tensor):
            plain = plain_of(value)
            if plain.dtype.is_floating_point:
                return plain.dtype
    return None


def needs_gradient(args):
    return any(
        needs_gradient(value) if type(value) in (list, tuple) else isinstance(value, torch.Tensor) and plain_of(value).requires_grad
        for value in args
    )


def followed_result(name, args, kwargs):
    """Calls a function that keeps forms; None if the values have to be read."""
    if needs_gradient(args) and not torch._C._get_tracing_state() and torch.is_grad_enabled():
        return None
    dtype, in_place = dtype_of(args), name.endswith("_") and not name.startswith("__")
    name = name[:-1] if in_place else name
    if name in UFUNCS and len(args) <= 2 and set(kwargs) <= {"alpha"}:
        inputs = [operand(value) for value in args]
        if "alpha" in kwargs:
            inputs[1] = inputs[1] * kwargs["alpha"]
        return stored(apply_ufunc(UFUNCS[name], "__call__", inputs, {}), args[0], dtype, in_place)
    if name in REVERSED and not kwargs:
        return wrapped(apply_ufunc(REVERSED[name], "__call__", [operand(args[1]), operand(args[0])], {}), dtype)
    if name == "zero" and in_place:
        args[0].become(TracedArray(np.zeros(args[0].traced.shape).astype(object)))
        return args[0]
    if in_place:
        return None
    if name in ARRAY_FUNCTIONS and set(kwargs) <= {"dim", "axis"}:
        axis = kwargs.get("dim", kwargs.get("axis"))
        options = {} if axis is None else {"axis": tuple(axis) if type(axis) is list else axis}
        return wrapped(apply_function(ARRAY_FUNCTIONS[name], tuple(operand(value) for value in args), options), dtype)
    if name in SAME:
        moved = getattr(plain_of(args[0]), name)(*plain_of(args[1:]), **plain_of(kwargs))
        return wrapped(args[0].traced, moved.dtype) if type(args[0]) is TracedTensor and moved.dtype.is_floating_point else None
    if name in SHAPES and not any(type(value) is TracedTensor for value in args[1:]):
        return reordered(name, args, kwargs, dtype)
    return None


def stored(result, target, dtype, in_place):
    if not in_place:
        return wrapped(result, dtype)
    if type(target) is TracedTensor:
        target.become(result if type(result) is TracedArray else TracedArray(np.asarray(result).astype(object)))
        return target
    values = result.read() if type(result) in (TracedArray, TracedNumber) else result
    with torch.no_grad():
        target.copy_(torch.tensor(np.asarray(values), dtype=target.dtype))
    return target


def reordered(name, args, kwargs, dtype):
    """Finds the origin of each entry of the result by applying the same function to positions."""
    entries, count = [], 0

    def numbered(value):
        nonlocal count
        if not isinstance(value, torch.Tensor):
            return inside(numbered, value)
        plain = plain_of(value)
        if name == "__getitem__" and entries:
            return plain  # The index.
        traced = operand(value)
        objects = traced.objects if type(traced) is TracedArray else traced.astype(object)
        entries.extend(objects.ravel())
        start, count = count, count + plain.numel()
        return torch.arange(start, count).reshape(plain.shape)

    given = numbered(list(args))
    function = getattr(torch.Tensor, name, None) or getattr(torch, name)
    if name in ("expand_as", "view_as", "reshape_as"):
        given = [given[0], plain_of(args[1])]
    places = function(*given, **kwargs)
    objects = np.empty(places.numel(), object)
    for index, place in enumerate(places.reshape(-1).tolist()):
        objects[index] = entries[place]
    return wrapped(TracedArray(objects.reshape(tuple(places.shape)), here(3)), dtype)


def noise(tape, law, shape, dtype=None):
    """A tensor of standard noise."""
    place, settled = here(2), law != "uniform"
    objects = np.empty(math.prod(shape), object)
    for index in range(objects.size):
        objects[index] = Form(0.0, {tape.atom(law, standard_value(law, tape.random), place, settled=settled): 1.0})
    return wrapped(TracedArray(objects.reshape(tuple(shape)), place), dtype or torch.get_default_dtype())


def shape_of(size):
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    return tuple(int(n) for n in size)


def _followed(original, drawn):
    def call(*args, **kwargs):
        tape = active()
        if tape is None:
            return original(*args, **kwargs)
        kwargs.pop("generator", None)
        return drawn(tape, *args, **kwargs)

    call.__name__ = getattr(original, "__name__", "call")
    return call


def _standard(law):
    def drawn(tape, *size, dtype=None, **kwargs):
        return noise(tape, law, shape_of(kwargs.get("size", size) if not size else size), dtype)

    return drawn


def _like(law):
    return lambda tape, value, dtype=None, **_: noise(tape, law, tuple(value.shape), dtype or value.dtype)


def _normal(tape, mean=0.0, std=1.0, size=None, **_):
    tensors = [torch.as_tensor(value) for value in (mean, std)]
    shape = shape_of([size]) if size is not None else torch.broadcast_shapes(*[tensor.shape for tensor in tensors])
    dtype = next((tensor.dtype for tensor in tensors if tensor.dtype.is_floating_point and tensor.dim()), None)
    drawn = noise(tape, "normal", shape, dtype) * std
    return drawn if isinstance(mean, (int, float)) and mean == 0 else drawn + mean


def _in_place(law, finished):
    """x.normal_(): x becomes the tensor with noise."""

    def drawn(tape, self, *args, **kwargs):
        result = finished(noise(tape, law, tuple(self.shape), self.dtype), *args, **kwargs)
        if type(self) is torch.Tensor and not self.requires_grad and type(result) is TracedTensor:
            self.copy_(plain_of(result))
            self.__class__ = TracedTensor
            self.traced = result.traced
        else:
            self.copy_(read_of(result))
        return self

    return drawn


def _laplace(tape, self, sample_shape=torch.Size()):
    drawn = noise(tape, "laplace", self._extended_shape(sample_shape), self.loc.dtype)
    drawn = drawn * self.scale.detach()
    return drawn if bool((self.loc == 0).all()) else drawn + self.loc.detach()


def _uniform_integers(tape, low, high=None, size=None, **kwargs):
    if size is None:
        low, high, size = 0, low, high
    shape = shape_of([size])
    values = draws.uniform_choices(tape, int(high) - int(low), math.prod(shape))
    return torch.tensor(values, dtype=kwargs.get("dtype", torch.int64)).reshape(shape) + int(low)


def _bernoulli(tape, value, *_, **__):
    chances = value.read() if type(value) is TracedTensor else value
    values = [float(draws.choice(tape, [1 - p, p])) for p in chances.reshape(-1).tolist()]
    return torch.tensor(values, dtype=chances.dtype).reshape(chances.shape)


def hooks():
    laplace = torch.distributions.Laplace
    table = [
        (torch, "randn", _standard("normal")),
        (torch, "rand", _standard("uniform")),
        (torch, "randn_like", _like("normal")),
        (torch, "rand_like", _like("uniform")),
        (torch, "normal", _normal),
        (torch, "randperm", lambda tape, n, **_: torch.tensor(draws.permutation(tape, int(n)), dtype=torch.int64)),
        (torch, "randint", _uniform_integers),
        (torch, "bernoulli", _bernoulli),
        # A program's own seed: the noise of a recording is that of the recording's seed.
        (torch, "manual_seed", lambda tape, seed: torch.default_generator),
        (torch.Tensor, "normal_", _in_place("normal", lambda z, mean=0.0, std=1.0: z * std + mean if mean else z * std)),
        (torch.Tensor, "exponential_", _in_place("exponential", lambda z, lambd=1.0: z / lambd)),
        (torch.Tensor, "uniform_", _in_place("uniform", lambda z, a=0.0, b=1.0: z * (b - a) + a)),
        (laplace, "rsample", _laplace),
        (laplace, "sample", _laplace),
    ]
    return [(owner, name, _followed(getattr(owner, name), drawn)) for owner, name, drawn in table]
