"""Python functions as subjects of dpcheck: serve(f) in a program, assert_private(f, ...) and assert_recorded(f, ...) in a test; primitive
declares a mechanism; serve_sessions(Service) for what answers questions."""

from .private import assert_private, assert_recorded
from .recording.primitives import primitive
from .serve import serve
from .sessions import Refused, Sessions, serve_sessions
from .training import audit_training

__all__ = ["Refused", "Sessions", "assert_private", "assert_recorded", "audit_training", "primitive", "serve", "serve_sessions"]
