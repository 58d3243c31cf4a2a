"""The addresses of visitors' lists, the same for both languages."""

from django.urls import path, re_path

from pages.addresses import MY_LIST
from pages.starred import views

urlpatterns = [
    path(MY_LIST[1:], views.starred_list, name="starred-list"),
    # 128 bits in hexadecimal digits. Logs leave them out (festival/configuration/logs.py).
    re_path(
        rf"^{MY_LIST[1:]}/(?P<address>[0-9a-f]{{32}})[.](?P<extension>ics|atom|rss)$",
        views.calendar,
        name="starred-calendar",
    ),
]
