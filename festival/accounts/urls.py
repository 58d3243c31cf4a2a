"""The addresses of signing in, below the back office's, without allauth's other addresses."""

from allauth.account import views as account
from allauth.decorators import rate_limit
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.urls import include, path, reverse_lazy
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from festival.accounts import views
from programme.backoffice.errors import explain_methods

change_password = PasswordChangeView.as_view(
    form_class=AdminPasswordChangeForm, success_url=reverse_lazy("admin:password_change_done")
)
urlpatterns = [
    # Before the admin's own, which lack second steps and limits.
    path("login/", account.login, name="account_login"),
    path("logout/", explain_methods(require_POST(account.logout)), name="account_logout"),
    path("password_change/", rate_limit(action="reauthenticate")(change_password)),
    path("account/confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("account/language/", set_language, name="account_language"),
    path("account/two-factor/", views.OwnSignInView.as_view(), name="mfa_index"),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("account/", include("allauth.socialaccount.providers.openid_connect.urls")),
]
