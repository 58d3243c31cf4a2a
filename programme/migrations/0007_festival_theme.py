"""How the festival wants its public pages: colour, logo, fonts."""

import programme.models.fields
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0006_image_focus'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='festival',
            name='color',
            field=programme.models.fields.Color(blank=True, help_text='Links and buttons of the public pages. It is made darker or lighter where it must be read.', verbose_name='colour'),
        ),
        migrations.AddField(
            model_name='festival',
            name='headings',
            field=models.CharField(blank=True, choices=[('serif', 'Serif, as in books'), ('sans', 'Sans serif, as on signs'), ('rounded', 'Rounded'), ('slab', 'Slab serif, as on posters')], default='serif', max_length=20, verbose_name='headings'),
        ),
        migrations.AddField(
            model_name='festival',
            name='logo',
            field=models.ImageField(blank=True, help_text='Stands in place of the name at the top of the public pages.', max_length=300, upload_to='festival/', verbose_name='logo'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='color',
            field=programme.models.fields.Color(blank=True, help_text='Links and buttons of the public pages. It is made darker or lighter where it must be read.', verbose_name='colour'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='headings',
            field=models.CharField(blank=True, choices=[('serif', 'Serif, as in books'), ('sans', 'Sans serif, as on signs'), ('rounded', 'Rounded'), ('slab', 'Slab serif, as on posters')], default='serif', max_length=20, verbose_name='headings'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='logo',
            field=models.TextField(blank=True, help_text='Stands in place of the name at the top of the public pages.', max_length=300, verbose_name='logo'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
