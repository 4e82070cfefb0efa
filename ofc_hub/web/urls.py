from django.urls import URLPattern, URLResolver, path

from ofc_hub.web import views

app_name = "web"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("c/<slug:slug>/", views.club, name="club"),
    path("c/<slug:slug>/hands/", views.hands, name="hands"),
    path("c/<slug:slug>/hands/<int:hand_id>/", views.hand, name="hand"),
    path("c/<slug:slug>/players/<int:player_id>/", views.player, name="player"),
    path("c/<slug:slug>/players/<int:player_id>/points.json", views.points, name="points"),
]
