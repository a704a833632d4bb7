#!/bin/sh
# Run once by PostgreSQL's image: the role that the service signs in as. It owns nothing; `chasqui grant` lets it work.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
    --set=password="$(cat /run/secrets/service_password)" <<'SQL'
CREATE ROLE chasqui LOGIN PASSWORD :'password';
SQL
