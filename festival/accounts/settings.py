"""The settings of signing in that are the same in every installation."""

AUTHENTICATION_BACKENDS = ["festival.accounts.access.BackOfficeBackend"]
PASSWORD_HASHERS = [
    "festival.accounts.passwords.Argon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "festival.accounts.passwords.NotGuessableValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "admin:index"

# Each browser's choice of the back office's language.
LANGUAGE_COOKIE_PATH = "/admin/"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"

# Seconds until an unused session ends, and between two extensions, so that most pages write nothing.
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_EXTENDED_EVERY = 5 * 60

# The cache counts attempts across processes and restarts.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "accounts_cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}
ACCOUNT_ADAPTER = "festival.accounts.adapters.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = True
# An office may share an address; attempts at an account are counted by network (`AccountAdapter`).
ACCOUNT_RATE_LIMITS = {
    "login_failed": "30/15m/ip,10/15m/key",
    # All requests to the sign-in page.
    "login": "120/m/ip",
}
ACCOUNT_FORMS = {"login": "festival.accounts.views.SignInForm"}
MFA_ADAPTER = "festival.accounts.adapters.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Addresses are written by administrators; allauth's own table of them is not used.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Clocks of phones are half a minute off.
MFA_TOTP_TOLERANCE = 1
SOCIALACCOUNT_ADAPTER = "festival.accounts.adapters.SocialAccountAdapter"
# The button is a link: the Content-Security-Policy forbids a form's redirect to another origin.
SOCIALACCOUNT_LOGIN_ON_GET = True

# Seconds that a link for choosing a password is valid: longer than a weekend.
PASSWORD_RESET_TIMEOUT = 3 * 24 * 60 * 60
