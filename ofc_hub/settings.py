"""Every setting of the project. What differs between machines is in the environment (README, "Settings")."""

import contextlib
import os
import secrets
import sys
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

from ofc_hub.core.logs import configure as configure_logs

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

TESTING = env.bool("OFC_TESTING", default="pytest" in sys.modules)
EMBEDDED = env.bool("OFC_EMBEDDED", default=False)
DEBUG = env.bool("DEBUG", default=False)
VAR_DIR = Path(env.str("OFC_VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)


def _local_secret_key(file: Path) -> str:
    """The key of an installation without an operator: made once, readable by its user only."""
    if not file.exists():
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(64))
        # Of two processes that start together one makes the name; both then read the same whole key.
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
        draft.unlink()
    return file.read_text().strip()


def _secret_key() -> str:
    if key := env.str("SECRET_KEY", default=""):
        return key
    if SECRET_KEY_MISSING:
        return secrets.token_urlsafe(64)
    return _local_secret_key(VAR_DIR / "secret_key")


# Commands and workers sign nothing that others read and may do without a key; `ofc_hub.wsgi` refuses.
SECRET_KEY_MISSING = not (env.str("SECRET_KEY", default="") or EMBEDDED or DEBUG or TESTING)
SECRET_KEY = _secret_key()
# Signs the heads of the log; kept apart from the database, or it proves nothing.
SIGNING_KEY = env.str("OFC_SIGNING_KEY", default="")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_structlog",
    "rest_framework",
    "ofc_hub.core",
    "ofc_hub.clubs",
    "ofc_hub.hands",
    "ofc_hub.imports",
    "ofc_hub.live",
    "ofc_hub.api",
    "ofc_hub.web",
    "ofc_hub.ops",
    "scoring",
    "analytics",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
if TESTING:
    # It raises on N+1 queries, and does nothing at all unless its app is installed.
    INSTALLED_APPS.append("zeal")
    MIDDLEWARE.append("zeal.middleware.zeal_middleware")

ROOT_URLCONF = "ofc_hub.urls"
WSGI_APPLICATION = "ofc_hub.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- Database ------------------------------------------------------------------------------------------
# A SQLite transaction that reads before it writes cannot wait for its turn unless it began IMMEDIATE; FULL,
# because NORMAL may lose an acknowledged commit at a power cut.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON",
}


def _database(variable: str, default: str) -> dict[str, Any]:
    database: dict[str, Any] = env.db_url_config(env.str(variable, default="") or default)
    database["ATOMIC_REQUESTS"] = False
    if database["ENGINE"].endswith("sqlite3"):
        database["ENGINE"] = "ofc_hub.core.sqlite3"
        # A relative path means the same file whatever folder a command is started in.
        database["NAME"] = str(BASE_DIR / database["NAME"])
        database["OPTIONS"] = {**SQLITE_OPTIONS, **database.get("OPTIONS", {})}
    else:
        database["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
        database["CONN_HEALTH_CHECKS"] = True
    return database


DATABASES = {"default": _database("DATABASE_URL", f"sqlite:///{VAR_DIR / 'ofc.sqlite3'}")}
if env.str("OWNER_DATABASE_URL", default=""):
    # The same database by the login that owns its tables: for `migrate` and whatever else rewrites tables.
    DATABASES["owner"] = _database("OWNER_DATABASE_URL", "") | {"TEST": {"MIRROR": "default"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Tasks ------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://localhost")
# Two installations on one broker need a queue each.
CELERY_TASK_DEFAULT_QUEUE = env.str("OFC_QUEUE", default="ofc_hub")
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 3600
CELERY_TASK_SOFT_TIME_LIMIT = 3500
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
if CELERY_BROKER_URL.startswith("filesystem"):
    # On this transport a pool of processes shares a lock: one that is killed (out of memory) takes it along,
    # and its worker waits for ever. Without a pool the worker dies as a whole and can be started again.
    CELERY_WORKER_POOL = "solo"


def broker_options(url: str, folder: Path) -> dict[str, Any]:
    """Redis must not deliver a task again while it may still run (time limit 3600 s); files need a folder."""
    if url.startswith("filesystem"):
        folder.mkdir(parents=True, exist_ok=True)
        return {
            "data_folder_in": str(folder),
            "data_folder_out": str(folder),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.25,
        }
    return {"visibility_timeout": 7200} if url.startswith("redis") else {}


CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(
    CELERY_BROKER_URL, Path(env.str("OFC_BROKER_DIR", default=str(VAR_DIR / "broker")))
)

# --- The embedded server (`manage.py run`) ----------------------------------------------------------
BIND = env.str("OFC_BIND", default="127.0.0.1")
PORT = env.int("OFC_PORT", default=8000)
SAMPLES = env.bool("OFC_SAMPLES", default=False)

# --- Pages ------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# Each in its own words. The compiled catalogues are in the repository: running needs no gettext.
LANGUAGES = [
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("da", "Dansk"),
    ("id", "Bahasa Indonesia"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
# Manifest names need `collectstatic` first and answer 500 without it: they are for the image only.
STATIC_MANIFEST = env.bool("STATIC_MANIFEST", default=False)
STATIC_ROOT = env.str("STATIC_ROOT", default=str(VAR_DIR / "static")) if STATIC_MANIFEST else None
WHITENOISE_USE_FINDERS = not STATIC_MANIFEST
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_MANIFEST
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
if TESTING:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# --- Security ------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
HTTPS = env.bool("OFC_HTTPS", default=False)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
# Only a proxy that always sets this header may be trusted with it.
if env.bool("OFC_BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
}

# --- Logging ------------------------------------------------------------------------------------------
LOG_LEVEL = env.str("LOG_LEVEL", default="WARNING" if TESTING else "INFO")
LOG_JSON = env.bool("LOG_JSON", default=not sys.stderr.isatty())
LOGGING = configure_logs(LOG_LEVEL, LOG_JSON)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
