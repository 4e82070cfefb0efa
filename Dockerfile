FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    STATIC_MANIFEST=1 STATIC_ROOT=/app/static OFC_VAR_DIR=/app/var
WORKDIR /app

# pg_dump, pg_restore and psql, for backups.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*

COPY requirements.txt .
RUN pip install --requirement requirements.txt

COPY manage.py ./
COPY ofc_hub ofc_hub
COPY scoring scoring
COPY analytics analytics
COPY locale locale

RUN useradd --system --uid 10001 --no-create-home ofc \
    && python manage.py collectstatic --no-input \
    && mkdir -p var && chown -R ofc var
USER ofc
VOLUME /app/var
EXPOSE 8000

HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["gunicorn", "ofc_hub.wsgi", "--bind=0.0.0.0:8000", "--worker-class=gthread", "--threads=8", \
     "--workers=2", "--no-control-socket"]
