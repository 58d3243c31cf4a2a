"""Django's generic classes as base classes: only their stubs take type parameters."""

from typing import TYPE_CHECKING, Any

from django.contrib.admin import options
from django.forms import models

if TYPE_CHECKING:
    BaseModelAdmin = options.BaseModelAdmin[Any]
    ModelAdmin = options.ModelAdmin[Any]
    TabularInline = options.TabularInline[Any, Any]
    BaseInlineFormSet = models.BaseInlineFormSet[Any, Any, Any]
    ModelForm = models.ModelForm[Any]
    ModelChoiceField = models.ModelChoiceField[Any]
    ModelChoiceIterator = models.ModelChoiceIterator[Any]
else:
    BaseModelAdmin, ModelAdmin = options.BaseModelAdmin, options.ModelAdmin
    TabularInline = options.TabularInline
    BaseInlineFormSet, ModelForm = models.BaseInlineFormSet, models.ModelForm
    ModelChoiceField, ModelChoiceIterator = models.ModelChoiceField, models.ModelChoiceIterator
