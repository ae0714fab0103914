# A player that waits for a game manager:
#
#     docker build -t ggp-agent .
#     docker run --rm -p 9147:9147 ggp-agent
#
# With other extras, packages of a certain version (see docs/cluster/compose.yaml), and Debian's packages
# (see docs/operations/compose.yaml):
#
#     docker build --build-arg EXTRAS=cluster,postgresql --build-arg PACKAGES=ray==2.60.0 .
#     docker build --build-arg EXTRAS=postgresql --build-arg SYSTEM=postgresql-client .
#
FROM python:3.12-slim AS builder

ARG EXTRAS=manager
ARG PACKAGES=
WORKDIR /src
COPY . .
# The dependencies become wheels too, so that the last stage needs no package index.
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[${EXTRAS}]" ${PACKAGES}


FROM python:3.12-slim

ARG EXTRAS=manager
ARG SYSTEM=

RUN [ -z "${SYSTEM}" ] \
    || (apt-get update && apt-get install --yes --no-install-recommends ${SYSTEM} \
        && rm -rf /var/lib/apt/lists/*)
RUN --mount=type=bind,from=builder,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links=/wheels "ggp-agent[${EXTRAS}]" \
    && useradd --create-home --uid 10001 --shell /usr/sbin/nologin player

# Log lines leave at once, also when standard output is a pipe.
ENV PYTHONUNBUFFERED=1

USER player
WORKDIR /home/player

# The machine code of reasoner and searches, so that no container has to compile it for a minute. It
# is made for the processor that builds the image; on one of another kind the first start compiles
# anew, while slower searches play.
# `-v ggp-cache:/home/player/.cache/ggp-agent` keeps that, and the games compiled since.
RUN ["ggp", "warm"]

# Where a manager may be backed up to; a volume that is mounted there belongs to its user.
RUN ["mkdir", "backups"]

EXPOSE 9147

# Sends INFO, as a game manager would, and fails unless the answer is understood.
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s --retries=3 \
    CMD ["ggp", "ping", "http://127.0.0.1:9147"]

# Inside a container only 0.0.0.0 can be reached from the outside. A port given to `serve` would
# escape EXPOSE and HEALTHCHECK: publish another with `-p PORT:9147` instead.
ENTRYPOINT ["ggp"]
CMD ["serve", "--host", "0.0.0.0"]
