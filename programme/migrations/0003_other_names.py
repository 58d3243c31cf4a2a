"""Other names of what is merged: rows have those of the rows that were merged into them."""

from collections import defaultdict

import programme.models.fields
from django.db import migrations

from programme.triggers import install as triggers


def store_names(apps, _schema_editor):
    """Store with each row, and with its latest version, the names of the rows that are part of it."""
    merged = defaultdict(dict)
    for row in apps.get_model('programme', 'ImportedRow').objects.filter(kind__startswith='merged-'):
        if not row.values.get('undone'):
            merged[row.kind.removeprefix('merged-')][row.row_id] = row.values['into']
    for name, into in merged.items():
        parts = defaultdict(list)
        for key in into:
            last, seen = key, set()
            while last in into and last not in seen:
                seen.add(last)
                last = into[last]
            parts[last].append(key)
        model, versions = (apps.get_model('programme', f'{kind}{name}') for kind in ('', 'historical'))
        for row in model.objects.filter(pk__in=parts):
            fields = ('name_sv', 'name_en') if name == 'eventtype' else ('name',)
            own = {getattr(row, each).casefold() for each in fields}
            names = []
            for version in versions.objects.filter(id__in=parts[row.pk]).order_by('history_id'):
                names += [getattr(version, each) for each in fields]
                address = getattr(version, 'address', '')
                names += [f'{version.name}, {address}'] if address and address != row.address else []
            text = '\n'.join(each for each in names if each.casefold() not in own)
            latest = versions.objects.filter(id=row.pk).order_by('-history_id').values('history_id')[:1]
            model.objects.filter(pk=row.pk).update(other_names=text)
            versions.objects.filter(history_id__in=list(latest.values_list('history_id', flat=True))).update(other_names=text)


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0002_practical'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='eventtype',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='historicaleventtype',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='historicallocation',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='historicalorganizer',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='historicalroom',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='location',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='organizer',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.AddField(
            model_name='room',
            name='other_names',
            field=programme.models.fields.OtherNames(blank=True, db_default='', default='', help_text='Former and everyday names, one a line. Search and imports find it by them.', verbose_name='also called'),
        ),
        migrations.RunPython(store_names, migrations.RunPython.noop),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
