"""The bulk edit of occasions: chosen by area, place, type, day and hours, previewed, and written at once."""
