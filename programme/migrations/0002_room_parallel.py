from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0001_programme'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='room',
            name='parallel',
            field=models.BooleanField(default=False, help_text='Occasions may overlap here, as in a foyer or a hall of tables: no double booking.', verbose_name='several at once'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
