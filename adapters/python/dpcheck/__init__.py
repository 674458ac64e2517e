"""Python functions as subjects of dpcheck: serve(f) in a program, assert_private(f, ...) and assert_recorded(f, ...) in a test; primitive
declares a mechanism."""

from .private import assert_private, assert_recorded
from .recording.primitives import primitive
from .serve import serve

__all__ = ["assert_private", "assert_recorded", "primitive", "serve"]
