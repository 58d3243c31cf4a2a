"""The addresses of the pages: Swedish at /, English at /en/."""

from django.urls import path

from pages import views

urlpatterns = [
    path("", views.start, {"language": "sv"}, name="start-sv"),
    path("en/", views.start, {"language": "en"}, name="start-en"),
    path("tillfalle/<int:occasion_id>", views.occasion, {"language": "sv"}, name="occasion-sv"),
    path("en/occasion/<int:occasion_id>", views.occasion, {"language": "en"}, name="occasion-en"),
    path("ns/programme", views.namespace, name="namespace"),
]
