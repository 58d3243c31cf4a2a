"""Help texts that repeated a label are gone: nothing changes in the database."""

import django.db.models.deletion
import programme.models.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0007_news_follows_occasions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='area',
            name='address',
            field=programme.models.fields.Line(blank=True, max_length=300, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='event',
            name='intro_en',
            field=programme.models.fields.Prose(blank=True, verbose_name='intro in English'),
        ),
        migrations.AlterField(
            model_name='event',
            name='language',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='programme.language', verbose_name='language'),
        ),
        migrations.AlterField(
            model_name='festival',
            name='terms_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name='terms of use'),
        ),
        migrations.AlterField(
            model_name='historicalarea',
            name='address',
            field=programme.models.fields.Line(blank=True, max_length=300, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='historicalevent',
            name='intro_en',
            field=programme.models.fields.Prose(blank=True, verbose_name='intro in English'),
        ),
        migrations.AlterField(
            model_name='historicalevent',
            name='language',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='programme.language', verbose_name='language'),
        ),
        migrations.AlterField(
            model_name='historicalfestival',
            name='terms_url',
            field=programme.models.fields.Link(blank=True, db_default='', default='', max_length=1000, verbose_name='terms of use'),
        ),
        migrations.AlterField(
            model_name='historicalstream',
            name='area',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='programme.area', verbose_name='area'),
        ),
        migrations.AlterField(
            model_name='historicalsubarea',
            name='address',
            field=programme.models.fields.Line(blank=True, max_length=300, verbose_name='address'),
        ),
        migrations.AlterField(
            model_name='stream',
            name='area',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='streams', to='programme.area', verbose_name='area'),
        ),
        migrations.AlterField(
            model_name='subarea',
            name='address',
            field=programme.models.fields.Line(blank=True, max_length=300, verbose_name='address'),
        ),
    ]
