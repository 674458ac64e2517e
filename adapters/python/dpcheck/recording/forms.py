"""Linear forms of noise: v + the sum of coefficients times atoms. Pure arithmetic: a form is never read by itself."""

from .current import current
import numbers


def is_plain(value):
    """Tells if a value is an ordinary real number."""
    kind = type(value)
    if kind is float or kind is int or kind is bool:
        return True
    if kind is Form or getattr(kind, "is_traced", False):
        return False
    return isinstance(value, numbers.Real) or kind.__name__ in ("bool_", "bool")


class Form:
    __slots__ = ("v", "terms", "has_met")

    def __init__(self, v, terms, has_met=False):
        self.v = v
        self.terms = terms
        # True if a plain number was added, even 0. Noise alone tells nothing of data.
        self.has_met = has_met

    def value(self):
        total = self.v
        for atom, coefficient in self.terms.items():
            total += coefficient * atom.z
        return total

    def plus(self, other, factor=1.0):
        if type(other) is Form:
            terms = dict(self.terms)
            for atom, coefficient in other.terms.items():
                if atom in terms:
                    total = terms[atom] + factor * coefficient
                    if total == 0 and coefficient != 0:
                        del terms[atom]
                    else:
                        terms[atom] = total
                else:
                    terms[atom] = factor * coefficient
            return Form(self.v + factor * other.v, terms, self.has_met or other.has_met)
        return Form(self.v + factor * float(other), self.terms, True)

    def times(self, factor):
        factor = float(factor)
        return Form(self.v * factor, {atom: c * factor for atom, c in self.terms.items()}, self.has_met)

    def over(self, divisor):
        divisor = float(divisor)
        if divisor == 0:
            raise ZeroDivisionError("float division by zero")
        return Form(self.v / divisor, {atom: c / divisor for atom, c in self.terms.items()}, self.has_met)

    def is_noise(self):
        """Tells if this is finished noise to which no plain number was added yet."""
        return self.v == 0 and bool(self.terms) and all(atom.settled for atom in self.terms)

    def is_whole(self):
        """Tells if all its values are integers, like counts with geometric noise."""
        return (
            all(a.whole and c == int(c) for a, c in self.terms.items())
            and self.v - self.v == 0
            and self.v == int(self.v)
        )

    def equals_nothing(self):
        """Tells if it is zero with probability zero, so that the answer needs no read."""
        return any(atom.continuous and c != 0 for atom, c in self.terms.items())

    def key(self):
        return (self.v, tuple(sorted((atom.index, c) for atom, c in self.terms.items())))

    # Arithmetic as arrays of objects use it; what is not linear is for .functions, which arrays ask first.
    def __add__(self, other):
        return self.plus(other) if type(other) is Form or is_plain(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return self.plus(other, -1.0) if type(other) is Form or is_plain(other) else NotImplemented

    def __rsub__(self, other):
        return self.times(-1.0).plus(other) if is_plain(other) else NotImplemented

    def __mul__(self, other):
        if type(other) is Form:
            from .functions import product

            return product(self, other)
        return self.times(other) if is_plain(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if type(other) is Form:
            from .functions import quotient

            return quotient(self, other)
        if not is_plain(other):
            return NotImplemented
        return self.over(other) if other != 0 else Form(float("nan"), {})

    def __rtruediv__(self, other):
        from .functions import quotient

        return quotient(other, self) if is_plain(other) else NotImplemented

    def __neg__(self):
        return self.times(-1.0)

    def __pos__(self):
        return self

    # Without these an object array would compare by identity.
    def __eq__(self, other):
        raise TypeError("a form is not compared")

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = None

    def __bool__(self):
        raise TypeError("a form has no truth value")

    def __float__(self):
        raise TypeError("a form is not a number")


def combination(pairs):
    """The sum of factors times forms or numbers: a form, or a number where there is no form."""
    v, terms, traced, has_met = 0.0, {}, False, False
    for factor, value in pairs:
        if type(value) is Form:
            traced = True
            has_met = has_met or value.has_met
            v += factor * value.v
            for atom, coefficient in value.terms.items():
                terms[atom] = terms.get(atom, 0.0) + factor * coefficient
        else:
            has_met = True
            v += factor * value
    return Form(v, terms, has_met) if traced else v


def as_form(value):
    return value if type(value) is Form else Form(float(value), {})


def read_form(form, made=None):
    """Reads the value of a form: a release, unless there is no noise in it."""
    tape = current.tape
    value = form.value()
    if form.terms and tape is not None and not tape.paused:
        value = tape.read("value", [form], (), value, made=made)
    return int(value) if form.terms and form.is_whole() else value
