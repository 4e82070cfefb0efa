from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from ofc_hub.core.health import health

urlpatterns = [
    path("health", health, name="health"),
    path("login/", LoginView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("", include("ofc_hub.web.urls")),
]
