"""The fixture assert_private of pytest: the function of that name."""

import pytest

from .private import assert_private as audited


@pytest.fixture
def assert_private():
    return audited
