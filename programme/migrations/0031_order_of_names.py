from django.db import migrations

NAME = ["name__in_order", "id"]
# Of each model its name, what several are called, and their order.
ORDERS = [
    ("area", "area", "areas", ["sort_order", *NAME]),
    ("event", "event", "events", ["title__in_order", "id"]),
    ("eventtype", "event type", "event types", ["sort_order", "name_sv__in_order", "id"]),
    ("language", "language", "languages", ["name_sv__in_order", "code"]),
    ("location", "location", "locations", NAME),
    ("occasionlist", "list", "lists", ["title_sv__in_order", "id"]),
    ("organizer", "organizer", "organizers", NAME),
    ("room", "room", "rooms", ["location__name__in_order", *NAME]),
    ("sheetmapping", "saved columns", "saved columns", NAME),
    ("stream", "stream", "streams", NAME),
    ("subarea", "sub area", "sub areas", ["area", "sort_order", *NAME]),
]
PUBLISH = ("publish_event", "Can publish and withdraw events")
PERMISSIONS = {"event": {"permissions": [PUBLISH, ("edit_every_area", "Can edit events of every area")]}}


class Migration(migrations.Migration):
    dependencies = [("programme", "0030_location_parallel")]
    operations = [
        migrations.AlterModelOptions(
            model,
            {"ordering": order, "verbose_name": name, "verbose_name_plural": plural}
            | PERMISSIONS.get(model, {}),
        )
        for model, name, plural, order in ORDERS
    ]
