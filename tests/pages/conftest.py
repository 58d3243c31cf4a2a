"""The pages' tests draw whole programmes as the read side's do: the same in every run."""

import tests.feeds.conftest  # noqa: F401 - registers and loads the profile
