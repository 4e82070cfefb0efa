#!/bin/bash
# Makes the two roles of an installation (README, "Two database roles"): one owns the database and migrates,
# the other is the application's. The image of PostgreSQL runs this once, when its volume is empty; elsewhere
# run it by hand as a superuser, with the usual PGHOST and PGPORT and the variables below.
set -eu
: "${POSTGRES_DB:?}" "${OFC_OWNER_PASSWORD:?}" "${OFC_APP_PASSWORD:?}"

# Passwords come from the environment and not from arguments, which every user of the machine can see.
psql --set ON_ERROR_STOP=1 --no-psqlrc --quiet --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" \
    --set database="$POSTGRES_DB" --set owner="${OFC_OWNER_ROLE:-ofc_owner}" --set app="${OFC_APP_ROLE:-ofc_app}" <<'SQL'
\getenv owner_password OFC_OWNER_PASSWORD
\getenv app_password OFC_APP_PASSWORD
CREATE ROLE :"owner" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'owner_password';
CREATE ROLE :"app" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'app_password';
ALTER DATABASE :"database" OWNER TO :"owner";
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE :"database" TO :"app";
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT CREATE, USAGE ON SCHEMA public TO :"owner";
SQL
