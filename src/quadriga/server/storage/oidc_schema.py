"""The table of the database about accounts at the host's identity provider."""

from __future__ import annotations

import sqlalchemy as sa

from quadriga.server.storage.schema import METADATA

OIDC_SUBJECTS = sa.Table(
    "oidc_subjects",
    METADATA,
    sa.Column("issuer", sa.String(255), primary_key=True),
    sa.Column("subject", sa.String(255), primary_key=True),  # who somebody is there
    sa.Column("person_id", sa.String(32), sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
)

OIDC_COPIED = (OIDC_SUBJECTS,)
"""The tables that a copy of a store has to have."""
