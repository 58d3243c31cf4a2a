"""News belongs to the event that its occasion has, present or last; triggers keep that from now on."""

from django.db import migrations
from django.db.models import F, OuterRef, Subquery


def follow(apps, _schema_editor):
    occasion, news = (apps.get_model('programme', name) for name in ('Occasion', 'News'))
    event = Subquery(occasion.objects.filter(pk=OuterRef('occasion_id')).values('event_id'))
    moved = news.objects.annotate(present=event).exclude(present=None).exclude(present=F('event_id'))
    moved.order_by().update(event_id=event)


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0006_said_of_sheets'),
    ]

    operations = [migrations.RunPython(follow, migrations.RunPython.noop)]
