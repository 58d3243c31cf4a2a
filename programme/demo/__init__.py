"""The demo: an invented festival in an invented town, its readable data and what writes it."""

from programme.demo.making import SOURCE, clear, has_programme, is_over, is_the_demos, make, others_work

__all__ = ["SOURCE", "clear", "has_programme", "is_over", "is_the_demos", "make", "others_work"]
