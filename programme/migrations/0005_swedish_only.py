"""A festival in Swedish alone."""

from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0004_internal'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='festival',
            name='swedish_only',
            field=models.BooleanField(db_default=False, default=False, help_text='No pages, fields and problems in English. The API answers in both languages.', verbose_name='in Swedish alone'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='swedish_only',
            field=models.BooleanField(db_default=False, default=False, help_text='No pages, fields and problems in English. The API answers in both languages.', verbose_name='in Swedish alone'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
