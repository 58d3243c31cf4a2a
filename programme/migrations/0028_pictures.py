"""Alternative texts of images, and the sizes in which images are there."""

import programme.models.fields
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0027_editions'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='event',
            name='image_alt',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='What the image shows, for those who do not see it. Not what its caption says.', max_length=300, verbose_name='alternative text'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='image_alt',
            field=programme.models.fields.Line(blank=True, db_default='', default='', help_text='What the image shows, for those who do not see it. Not what its caption says.', max_length=300, verbose_name='alternative text'),
        ),
        migrations.CreateModel(
            name='Picture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=300)),
                ('focus_x', models.PositiveSmallIntegerField()),
                ('focus_y', models.PositiveSmallIntegerField()),
                ('width', models.PositiveIntegerField()),
                ('height', models.PositiveIntegerField()),
                ('animated', models.BooleanField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'focus_x', 'focus_y'), name='picture_is_unique')],
            },
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
