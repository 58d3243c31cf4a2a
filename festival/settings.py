"""The settings: each environment variable is read once, here, and docs/settings.md describes it.

Commands and workers first add the variables of the settings file (configuration/environment.py).
"""

import os
from typing import Any
from urllib.parse import urlsplit

from corsheaders.defaults import default_headers

from festival import __version__
from festival.accounts.settings import *  # noqa: F403 - each of its names is a setting
from festival.configuration import data_files
from festival.configuration.database import complete_database
from festival.configuration.environment import Environment
from festival.configuration.logs import LOGGING  # noqa: F401 - a setting

BASE_DIR = data_files.PACKAGES
VERSION = __version__

env = Environment()
# The settings file in use; empty: none.
FESTIVAL_ENV_FILE = env.str("FESTIVAL_ENV_FILE", default="")

# The folder for data outside the database server: SQLite file, uploads, secret key.
DATA_DIR = env.folder("DATA_DIR", default=data_files.default_data_dir())
data_files.make_data_folder(DATA_DIR)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or data_files.read_or_create_secret_key(
    DATA_DIR / "secret-key"
)

# --- The festival ---------------------------------------------------------------------------

# Every absolute URL that leaves the service begins with it; the Host header is never used.
BASE_URL = (env.str("BASE_URL", default="") or "http://localhost:8000").rstrip("/")
FESTIVAL_TIME_ZONE = env.time_zone("FESTIVAL_TIME_ZONE", default="Europe/Stockholm")
# The hour at which a festival day begins: with 5, an occasion at 04:59 belongs to the day before.
FESTIVAL_DAY_FIRST_HOUR = env.int("FESTIVAL_DAY_FIRST_HOUR", default=0, most=12)
# Pages of the festival's own website for an occasion, with {id}, {uuid} or {event_id}; empty: ours.
OCCASION_URL_SV = env.str("OCCASION_URL_SV", default="")
OCCASION_URL_EN = env.str("OCCASION_URL_EN", default="")
EXTENSION_NAMESPACE = env.str("EXTENSION_NAMESPACE", default="") or f"{BASE_URL}/ns/programme"

# --- Responses ------------------------------------------------------------------------------

# Seconds from an edit to the instant at which all processes begin to show it: the time for notifying them,
# loading the programme and writing the most frequent responses.
SWITCH_DELAY = env.float("SWITCH_DELAY", default=0.1)
# The size of each process's response cache, in megabytes.
ANSWERS_MB = 64
# The longest max-age of a response, in seconds; with 0, caches revalidate every time.
CACHE_SECONDS = env.int("CACHE_SECONDS", default=5)
# The file with the latest programme, for starting while the database is unavailable.
KEPT_PROGRAMME = str(DATA_DIR / "programme.kept")

# --- Backups: the command backup --------------------------------------------------------------

BACKUP_DIR = env.folder("BACKUP_DIR", default=DATA_DIR / "backups")
# How many days the last backup of each day is kept.
BACKUP_KEEP_DAYS = env.int("BACKUP_KEEP_DAYS", default=30)

# --- The production server: manage.py serve -------------------------------------------------

WEB_HOST = env.str("WEB_HOST", default="127.0.0.1")
WEB_PORT = env.int("WEB_PORT", default=8000, least=1, most=65_535)
# Worker processes; 0: the recommended number (festival/server/server_options.py).
WEB_WORKERS = env.int("WEB_WORKERS", default=0)
# Requests that each of them handles at a time.
WEB_THREADS = 4
# The port of the back office's own process (`serve --back-office`), to which the proxy in front sends
# `/admin/`, so that editors do not slow readers. 0: each process handles all requests.
BACK_OFFICE_PORT = env.int("BACK_OFFICE_PORT", default=0, most=65_535)
# Requests of editors that it handles at a time.
BACK_OFFICE_THREADS = 8
# Set by `serve` for its workers: "all" or "readers"; otherwise empty.
SERVED_AS = os.environ.get("FESTIVAL_SERVED_AS", "")
READERS_ONLY = SERVED_AS == "readers"
WEB_ACCESS_LOG = env.bool("WEB_ACCESS_LOG", default=True)
# Proxies whose X-Forwarded-For is trusted (programme/api/client_address.py): addresses or networks.
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=["127.0.0.1", "::1"])
# Under `serve` static files are the collected ones, named by their content, which each version lists.
STATIC_MANIFEST = f"staticfiles-{__version__}.json"
STATIC_COLLECTED = bool(SERVED_AS) and (DATA_DIR / "static" / STATIC_MANIFEST).exists()

# --- Imports --------------------------------------------------------------------------------

# A file above a limit is refused with a sentence that names the limit. The last one is the time of a step.
IMPORT_MB = 10
IMPORT_ROWS = 20_000
IMPORT_CELLS = 1_000_000
IMPORT_UNPACKED_MB = 200
IMPORT_SECONDS = 300

# --- Django ---------------------------------------------------------------------------------

ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]", urlsplit(BASE_URL).hostname or ""]
)
CSRF_TRUSTED_ORIGINS = [BASE_URL]

INSTALLED_APPS = [
    "programme.apps.BackOfficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular_sidecar",
    "simple_history",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "festival",
    # Before the programme, whose roles name its permissions.
    "festival.accounts",
    "feeds",
    "programme",
    "pages",
    "pages.starred",
]

MIDDLEWARE = [
    "festival.http.request_id.RequestIdMiddleware",
    "festival.monitoring.endpoints.MonitoringMiddleware",
    "festival.http.middleware.PublicCorsMiddleware",
    "festival.http.headers.SecurityHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "festival.http.read_your_writes.ReadYourWritesMiddleware",
    "festival.http.middleware.BackOfficeSessionMiddleware",
    "festival.http.middleware.BackOfficeLocaleMiddleware",
    "festival.http.middleware.ContentLengthMiddleware",
    "festival.http.middleware.BackOfficeCsrfMiddleware",
    "festival.http.middleware.BackOfficeAuthenticationMiddleware",
    "festival.http.middleware.BackOfficeMessageMiddleware",
    # allauth requires it here; public pages do not use it.
    "allauth.account.middleware.AccountMiddleware",
    "festival.accounts.middleware.BackOfficeAccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "festival.http.middleware.ProgrammeMiddleware",
]

ROOT_URLCONF = "festival.urls"
WSGI_APPLICATION = "festival.wsgi.development"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [data_files.find_folder("templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": complete_database(
        env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'programme.sqlite3'}"),
        test_file=DATA_DIR / "test.sqlite3",
    )
}

# Versions are looked up by row and by edit, not by date.
SIMPLE_HISTORY_DATE_INDEX = False

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Signing in to the back office: docs/sign-in.md, festival/accounts/settings.py -------------

# Whether chief editors, administrators and superusers must have a second step.
TWO_FACTOR_REQUIRED = env.bool("TWO_FACTOR_REQUIRED", default=False)
# The organization's identity provider (OpenID Connect); empty: none.
OIDC_SERVER_URL = env.str("OIDC_SERVER_URL", default="").rstrip("/")
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
# The provider's name on the button: "Sign in with …".
OIDC_NAME = env.str("OIDC_NAME", default="OpenID Connect")

ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(BASE_URL).scheme
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "organization",
                "name": OIDC_NAME,
                "client_id": OIDC_CLIENT_ID,
                "secret": OIDC_CLIENT_SECRET,
                "settings": {"server_url": OIDC_SERVER_URL},
            }
        ]
        if OIDC_SERVER_URL
        else [],
    }
}

# --- E-mail ---------------------------------------------------------------------------------

_mail_server = env.email("EMAIL_URL")
HAS_EMAIL = bool(_mail_server)
# Without a server, messages are written to the standard output.
vars().update(_mail_server or {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"})
# Seconds.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = (
    env.str("DEFAULT_FROM_EMAIL", default="") or f"festival@{urlsplit(BASE_URL).hostname or 'localhost'}"
)

# --- Languages, files, headers --------------------------------------------------------------

LANGUAGE_CODE = "sv"
LANGUAGES = [("sv", "Svenska"), ("en", "English")]
# The second has replacements of Django's own sentences.
LOCALE_PATHS = [data_files.find_folder("locale"), data_files.find_folder("locale/django-overrides")]
FORMAT_MODULE_PATH = "festival.formats"
TIME_ZONE = FESTIVAL_TIME_ZONE

HANDBOOK_DIR = data_files.find_folder("docs/handbook")

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
# The web server reads them too; everything else in DATA_DIR is the service's own (data_files.py).
data_files.make_folder(MEDIA_ROOT)
data_files.make_folder(STATIC_ROOT)
FILE_UPLOAD_PERMISSIONS = data_files.SHARED_FILE
STORAGES = {
    "default": {"BACKEND": "festival.http.files.MediaStorage"},
    "staticfiles": {
        "BACKEND": "festival.http.files.StaticFilesStorage"
        if STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
# Files that are edited while they are served, as in the demo, are read again each time.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not STATIC_COLLECTED
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

SILENCED_SYSTEM_CHECKS = [
    # The protection of forms is a subclass of Django's, in festival/http/middleware.py.
    "security.W003",
    # Subdomains of the festival's host may belong to others, so HSTS excludes them.
    "security.W005",
    "security.W021",
    # The proxy redirects to https, because only it knows the scheme of a request.
    "security.W008",
]
# An event's form has eleven fields for each occasion, and some events have hundreds of occasions.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

# Whether readers' requests come over TLS, which ends in the proxy, so BASE_URL determines it.
SERVED_OVER_TLS = urlsplit(BASE_URL).scheme == "https"
# Subdomains are not included: they may not be the festival's.
HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_SECONDS = HSTS_SECONDS if SERVED_OVER_TLS else 0
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SERVED_OVER_TLS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "programme.backoffice.errors.csrf_failure"
if SERVED_OVER_TLS:
    # Browsers refuse such a cookie from any other host, a subdomain of the festival's included.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"

# As much as the proxy lets through (docs/install.md), so that uploads are read even if the disk is full.
FILE_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024

# The API, and the files with which other websites embed the programme.
CORS_URLS_REGEX = r"^/(api/|embed/|oembed$|lista\.html$|en/list\.html$)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS"]
# The headers with which scripts make conditional requests.
CORS_ALLOW_HEADERS = [*default_headers, "cache-control", "if-modified-since", "if-none-match"]
# Headers of some responses are exposed only in these (PublicCorsMiddleware).
CORS_EXPOSE_HEADERS = ["ETag", "Link", "X-Total-Count", "Modified-Until"]

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "EXCEPTION_HANDLER": "festival.http.errors.handle_exception",
    "UNAUTHENTICATED_USER": None,
}
