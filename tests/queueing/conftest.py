from tests.stores.conftest import database, server

__all__ = ["database", "server"]
