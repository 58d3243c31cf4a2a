"""What the tests of `modified_since` and of `/api/programme` begin with."""

from datetime import timedelta
from typing import Any

import pytest

from programme import models
from programme.models import Status
from tests import programmes
from tests.programme.api.formats import GONE_AT


@pytest.fixture
def edited(sample: None, at: Any) -> None:
    """JAZZ was modified on 28 July, one occasion of BARE was deleted, and ABROAD withdrawn."""
    models.Occasion.objects.get(id=8012).delete()
    models.Event.objects.filter(id=programmes.ABROAD).update(status=Status.DRAFT)
    models.GoneOccasion.objects.update(gone_at=GONE_AT)
    modified = programmes.utc(2026, 7, 20, 7, 0)
    models.Event.objects.exclude(id=programmes.JAZZ).update(last_modified=modified)
    withdrawn = models.Event.objects.filter(id=programmes.ABROAD)
    withdrawn.update(last_modified=GONE_AT + timedelta(hours=1))
    models.Revision.objects.update(withdrawn_at=GONE_AT + timedelta(hours=1))
