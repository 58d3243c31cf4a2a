"""What was said of sheets is an answer of their source; columns that were saved and cells that were corrected go."""

from django.db import migrations


def forget_corrections(apps, _schema_editor):
    apps.get_model('programme', 'ImportedRow').objects.filter(kind='corrections').delete()


class Migration(migrations.Migration):

    dependencies = [
        ('programme', '0005_swedish_only'),
    ]

    operations = [
        migrations.RunPython(forget_corrections, migrations.RunPython.noop),
        migrations.DeleteModel(name='SheetMapping'),
    ]
