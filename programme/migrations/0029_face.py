"""The festival's own face: its palette, pictures, fonts, footer links and style sheet."""

import programme.models.fields
from django.db import migrations, models

from programme.triggers import install as triggers


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0028_pictures'),
    ]

    operations = [
        migrations.RunPython(triggers.remove, migrations.RunPython.noop),
        migrations.AddField(
            model_name='festival',
            name='accessibility_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', help_text='Swedish law wants public bodies to link to theirs (SFS 2018:1937).', max_length=1000, verbose_name='accessibility statement'),
        ),
        migrations.AddField(
            model_name='festival',
            name='background',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='background'),
        ),
        migrations.AddField(
            model_name='festival',
            name='body',
            field=models.CharField(blank=True, choices=[('serif', 'Serif, as in books'), ('sans', 'Sans serif, as on signs'), ('rounded', 'Rounded'), ('slab', 'Slab serif, as on posters')], db_default='', default='', max_length=20, verbose_name='text'),
        ),
        migrations.AddField(
            model_name='festival',
            name='contact_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name='contact'),
        ),
        migrations.AddField(
            model_name='festival',
            name='dark_background',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='background, in dark mode'),
        ),
        migrations.AddField(
            model_name='festival',
            name='dark_color',
            field=programme.models.fields.Color(blank=True, db_default='', default='', help_text='Without one it is the colour above.', verbose_name='colour, in dark mode'),
        ),
        migrations.AddField(
            model_name='festival',
            name='dark_ink',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='text, in dark mode'),
        ),
        migrations.AddField(
            model_name='festival',
            name='hero',
            field=models.ImageField(blank=True, db_default='', default='', help_text='A wide one, at the top of the first page.', max_length=300, upload_to='festival/', verbose_name='picture'),
        ),
        migrations.AddField(
            model_name='festival',
            name='icon',
            field=models.ImageField(blank=True, db_default='', default='', help_text="Square, of 512 × 512 pixels: in the browser's tab, and on phones that install it.", max_length=300, upload_to='festival/', verbose_name='icon'),
        ),
        migrations.AddField(
            model_name='festival',
            name='ink',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='text'),
        ),
        migrations.AddField(
            model_name='festival',
            name='privacy_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name='privacy'),
        ),
        migrations.AddField(
            model_name='festival',
            name='sponsors',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', help_text='One a line: Name https://example.org', verbose_name='sponsors'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='accessibility_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', help_text='Swedish law wants public bodies to link to theirs (SFS 2018:1937).', max_length=1000, verbose_name='accessibility statement'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='background',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='background'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='body',
            field=models.CharField(blank=True, choices=[('serif', 'Serif, as in books'), ('sans', 'Sans serif, as on signs'), ('rounded', 'Rounded'), ('slab', 'Slab serif, as on posters')], db_default='', default='', max_length=20, verbose_name='text'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='contact_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name='contact'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='dark_background',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='background, in dark mode'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='dark_color',
            field=programme.models.fields.Color(blank=True, db_default='', default='', help_text='Without one it is the colour above.', verbose_name='colour, in dark mode'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='dark_ink',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='text, in dark mode'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='hero',
            field=models.TextField(blank=True, db_default='', default='', help_text='A wide one, at the top of the first page.', max_length=300, verbose_name='picture'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='icon',
            field=models.TextField(blank=True, db_default='', default='', help_text="Square, of 512 × 512 pixels: in the browser's tab, and on phones that install it.", max_length=300, verbose_name='icon'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='ink',
            field=programme.models.fields.Color(blank=True, db_default='', default='', verbose_name='text'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='privacy_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name='privacy'),
        ),
        migrations.AddField(
            model_name='historicalfestival',
            name='sponsors',
            field=programme.models.fields.Prose(blank=True, db_default='', default='', help_text='One a line: Name https://example.org', verbose_name='sponsors'),
        ),
        migrations.RunPython(migrations.RunPython.noop, triggers.remove),
    ]
