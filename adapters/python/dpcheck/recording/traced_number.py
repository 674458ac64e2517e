"""A number with noise in it. It keeps its linear form under + - * /; whatever else is done with it reads its value.

No subclass of float: C code would read the value of one without a hook. Where a program asks, its class is float, or
int for sums of whole numbers and geometric noise.
"""

import math
import numbers

from .current import current
from .forms import Form, is_plain, read_form
from .functions import derive, quotient
from .places import here


class Traced:
    """Base of traced numbers and arrays: as text they are read, and NumPy's functions come to the recorder."""

    __slots__ = ()
    is_traced = True
    __array_priority__ = 1000

    def __repr__(self):
        return repr(self.read())

    def __str__(self):
        return str(self.read())

    def __format__(self, spec):
        return format(self.read(), spec)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        from .array_functions import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function, types, args, kwargs):
        from .array_functions import apply_function

        return apply_function(function, args, kwargs)


class TracedNumber(Traced):
    __slots__ = ("form", "made", "known")
    __class__ = property(lambda self: int if self.form.is_whole() else float)

    def __new__(cls, form, made=None):
        if type(form) is not Form:
            return float(form)  # Code that makes a number of the type of another one.
        self = object.__new__(cls)
        self.form = form
        self.made = made or here(2)
        return self

    def read(self):
        """The value. The first time it is a read; afterwards the program knows it."""
        try:
            return self.known
        except AttributeError:
            pass
        self.known = value = read_form(self.form, self.made)
        return value

    def is_known(self):
        return hasattr(self, "known")

    def forms(self):
        return [self.form]

    def learn(self, values):
        self.known = int(values[0]) if self.form.is_whole() else values[0]

    # -- what keeps the form
    def _plus(self, other, factor):
        form = self.form
        if type(other) is TracedNumber:
            return number(form.plus(other.form, factor))
        if not is_plain(other):
            return NotImplemented
        return met(form, form.plus(other, factor))

    def __add__(self, other):
        return self._plus(other, 1.0)

    __radd__ = __add__

    def __sub__(self, other):
        return self._plus(other, -1.0)

    def __rsub__(self, other):
        if not is_plain(other):
            return NotImplemented
        form = self.form.times(-1.0)
        return met(form, form.plus(other))

    def __neg__(self):
        return number(self.form.times(-1.0))

    def __pos__(self):
        return self

    def __mul__(self, other):
        if type(other) is TracedNumber:
            return number(derive("multiply", (self.form, other.form)))
        return number(self.form.times(other)) if is_plain(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if type(other) is TracedNumber:
            return number(quotient(self.form, other.form))
        return number(self.form.over(other)) if is_plain(other) else NotImplemented

    def __rtruediv__(self, other):
        return number(quotient(other, self.form)) if is_plain(other) else NotImplemented

    def __pow__(self, other, modulo=None):
        if not is_plain(other):
            return self.read() ** other
        return number(derive("power", (self.form, float(other))))

    def __rpow__(self, other):
        return other ** self.read()

    def __abs__(self):
        return number(derive("absolute", (self.form,)))

    # -- comparisons: they read an order
    def __gt__(self, other):
        return compared(self, other, 1.0, False)

    def __le__(self, other):
        return compared(self, other, 1.0, True)

    def __lt__(self, other):
        return compared(self, other, -1.0, False)

    def __ge__(self, other):
        return compared(self, other, -1.0, True)

    def __eq__(self, other):
        if not self.is_known():
            form = other.form if type(other) is TracedNumber else other
            if type(form) is Form or is_plain(form):
                difference = self.form.plus(form, -1.0)
                if difference.equals_nothing():
                    return False
                if not difference.terms:
                    return difference.v == 0
        return self.read() == (other.read() if type(other) is TracedNumber else other)

    def __ne__(self, other):
        return not self == other

    # -- reads
    def __float__(self):
        return float(self.read())

    def __int__(self):
        return int(self.read() if self.is_known() or self.form.is_whole() else read_number(self.__trunc__()))

    def __index__(self):
        if self.form.is_whole():
            return self.read()
        raise TypeError("'float' object cannot be interpreted as an integer")

    def __bool__(self):
        return self != 0

    def __complex__(self):
        return complex(self.read())

    def __round__(self, digits=None):
        return self._rounded("rint", round) if digits is None else round(self.read(), digits)

    def __floor__(self):
        return self._rounded("floor", math.floor)

    def __ceil__(self):
        return self._rounded("ceil", math.ceil)

    def __trunc__(self):
        return self._rounded("trunc", math.trunc)

    def _rounded(self, name, function):
        """Noise of another law: where its arguments depend on data, a replay shows it, and it is read."""
        return function(self.read()) if self.is_known() else number(derive(name, (self.form,)))

    def __mod__(self, other):
        return self.read() % other

    def __rmod__(self, other):
        return other % self.read()

    def __floordiv__(self, other):
        return self.read() // other

    def __rfloordiv__(self, other):
        return other // self.read()

    def __divmod__(self, other):
        return divmod(self.read(), other)

    def __rdivmod__(self, other):
        return divmod(other, self.read())

    def __hash__(self):
        return hash(self.read())

    def __reduce__(self):
        return float, (self.read(),)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def is_integer(self):
        return float(self.read()).is_integer()

    def as_integer_ratio(self):
        return float(self.read()).as_integer_ratio()

    def hex(self):
        return float(self.read()).hex()

    def conjugate(self):
        return self

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return 0.0

    # -- NumPy
    def __array__(self, dtype=None, copy=None):
        import numpy

        return numpy.array(self.read(), dtype=dtype)

    # Further members of NumPy's own numbers.
    def item(self):
        return self

    def tolist(self):
        return self

    def astype(self, dtype, **_):
        import numpy

        return numpy.dtype(dtype).type(self.read())

    def clip(self, *bounds, **options):
        import numpy

        return numpy.float64(self.read()).clip(*bounds, **options)

    def round(self, digits=0):
        return round(self.read(), digits)


numbers.Real.register(TracedNumber)


def number(value, made=None):
    """Makes a form the number that the program gets: a traced one, or a plain one where no noise is left."""
    if type(value) is not Form:
        return value
    if not value.terms:
        return value.v
    return TracedNumber(value, made or here(3))


def read_number(value):
    return value.read() if type(value) is TracedNumber else value


def met(noise, total):
    """Noise plus a plain number: where they meet, if this is where values are released."""
    tape = current.tape
    if tape is not None and tape.meet and noise.is_noise():
        return read_form(total)
    return number(total, here(3))


def compared(left, right, factor, negated):
    """left > right for factor 1, left < right for -1, or the opposite of it; False where a value is no number."""
    if left.is_known() and (is_plain(right) or type(right) is TracedNumber and right.is_known()):
        # A number that was read is compared as that number.
        value = factor * (left.read() - (right.read() if type(right) is TracedNumber else right))
        return (negated if value != value else value > 0) != negated
    form = left.form
    if type(right) is TracedNumber:
        difference = form.plus(right.form, -1.0)
    elif is_plain(right):
        difference = form.plus(right, -1.0)
    else:
        return NotImplemented
    if factor < 0:
        difference = difference.times(-1.0)
    value = difference.value()
    positive = negated if value != value else value > 0
    tape = current.tape
    if difference.terms and tape is not None and not tape.paused:
        positive = tape.read("sign", [difference], (), positive)
    return positive != negated
