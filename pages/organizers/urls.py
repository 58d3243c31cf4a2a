"""The addresses of organizers' pages, below `/admin/organizer/`; their cookie goes nowhere else."""

from django.urls import path

from pages.organizers import views

urlpatterns = [
    path("", views.show_events, name="organizer"),
    path("event/<int:pk>/", views.correct_event, name="organizer-event"),
    path("event/<int:pk>/image/", views.show_image, name="organizer-image"),
    path("times/", views.show_times, name="organizer-times"),
    # Logs leave the token out (festival/configuration/logs.py).
    path("<str:token>/", views.enter, name="organizer-enter"),
    # With characters copied along with the link, for which the back office would require signing in.
    path("<path:token>", views.enter),
]
