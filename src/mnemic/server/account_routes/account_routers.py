"""All routes of a whole account."""

from fastapi import APIRouter

from mnemic.server.account_routes.browse_routes import browse_routes
from mnemic.server.account_routes.explain_route import explain_routes
from mnemic.server.account_routes.feed_routes import Feed
from mnemic.server.account_routes.key_routes import key_routes
from mnemic.server.account_routes.listing_routes import listing_routes
from mnemic.server.account_routes.payload_routes import payload_routes
from mnemic.server.audit_route import audit_routes


def account_routers(own_account: str, feed: Feed) -> tuple[APIRouter, ...]:
    """Return the routes; an admin of the server's own account looks after the whole store."""
    return (
        audit_routes(own_account),
        browse_routes(own_account),
        feed.routes(),
        explain_routes(),
        listing_routes(),
        payload_routes(),
        key_routes(own_account),
    )
