"""Django's generic classes as base classes: only their stubs take type parameters."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin as _ModelAdmin
    from django.contrib.admin import TabularInline as _TabularInline
    from django.forms import BaseInlineFormSet as _BaseInlineFormSet
    from django.forms import ModelForm as _ModelForm

    ModelAdmin = _ModelAdmin[Any]
    TabularInline = _TabularInline[Any, Any]
    BaseInlineFormSet = _BaseInlineFormSet[Any, Any, Any]
    ModelForm = _ModelForm[Any]
else:
    from django.contrib.admin import ModelAdmin, TabularInline
    from django.forms import BaseInlineFormSet, ModelForm

__all__ = ["BaseInlineFormSet", "ModelAdmin", "ModelForm", "TabularInline"]
