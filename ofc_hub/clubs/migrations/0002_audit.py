import django.db.models.deletion
from django.db import migrations, models

from ofc_hub.core.append_only import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("clubs", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="AuditLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("actor", models.CharField(max_length=100)),
                ("action", models.CharField(max_length=24)),
                ("details", models.JSONField(default=dict)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit",
                        to="clubs.club",
                    ),
                ),
            ],
        ),
        AppendOnly("clubs_auditline"),
    ]
