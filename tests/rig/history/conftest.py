"""The past: a language of marks, in which shows what comes from no catalogue."""

import pytest

from tests.support import marked


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        marked.mark(tmp_path_factory.mktemp("marked"), patch)
        yield
    marked.forget()
