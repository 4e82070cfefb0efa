import os

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")

if settings.SECRET_KEY_MISSING:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set: set it to a long random text. "
        "(OFC_EMBEDDED=1 makes one for a server of your own and keeps it in the folder OFC_VAR_DIR.)"
    )

application = get_wsgi_application()
