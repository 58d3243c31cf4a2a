"""What must stay of an event's image where it is cropped."""

import django.core.validators
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ("programme", "0005_imports"),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='event',
            name='image_focus_x',
            field=models.PositiveSmallIntegerField(blank=True, default=50, validators=[django.core.validators.MaxValueValidator(100)], verbose_name='what must stay, from the left (%)'),
        ),
        migrations.AddField(
            model_name='event',
            name='image_focus_y',
            field=models.PositiveSmallIntegerField(blank=True, default=50, help_text='Where the image is cropped, this part of it is kept. Click it in the picture, or move the ring with the arrow keys.', validators=[django.core.validators.MaxValueValidator(100)], verbose_name='what must stay, from the top (%)'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='image_focus_x',
            field=models.PositiveSmallIntegerField(blank=True, default=50, validators=[django.core.validators.MaxValueValidator(100)], verbose_name='what must stay, from the left (%)'),
        ),
        migrations.AddField(
            model_name='historicalevent',
            name='image_focus_y',
            field=models.PositiveSmallIntegerField(blank=True, default=50, help_text='Where the image is cropped, this part of it is kept. Click it in the picture, or move the ring with the arrow keys.', validators=[django.core.validators.MaxValueValidator(100)], verbose_name='what must stay, from the top (%)'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('image_focus_x__lte', 100), ('image_focus_y__lte', 100)), name='event_image_focus_is_inside'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
