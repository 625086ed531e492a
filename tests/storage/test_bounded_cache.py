from ltw_core.storage.bounded_cache import BoundedCache


def test_it_keeps_what_was_used_last_as_far_as_it_fits():
    cache = BoundedCache(100)
    cache.put("a", 1, 60)
    cache.put("b", 2, 30)
    assert cache.get("a") == 1  # and is now the one that was used last
    cache.put("c", 3, 40)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    cache.put("d", 4, 1000)  # too large for it: kept alone
    assert (cache.get("a"), cache.get("d")) == (None, 4)
