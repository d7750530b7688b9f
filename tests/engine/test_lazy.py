"""Pages whose names load lazily."""

import moot
import moot.api


def test_a_page_lists_what_it_offers_before_anything_of_it_was_loaded() -> None:
    for page in (moot, moot.api):
        assert set(page.__all__) <= set(dir(page))
        assert "__name__" in dir(page)
