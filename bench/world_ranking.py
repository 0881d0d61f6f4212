"""What the ranking of the world costs as the world grows: 10,000, 100,000, 1,000,000 emperors.

WORLD_EMPERORS is the largest of the three, for a quick try.
"""

import json
import statistics
import time
from typing import Any

from bench.world import EMPERORS, populate, tidy_up, world_on_postgres

ROUNDS = 200


def main() -> None:
    sizes = (EMPERORS // 100, EMPERORS // 10, EMPERORS)
    # With fewer, there are not a hundred to be ranked.
    figures, there = [], 0
    with world_on_postgres():
        for size in sizes:
            populate(size - there)
            there = size
            tidy_up()
            figures.append(measure(size))
    smallest, largest = figures[0], figures[-1]
    print(f"  ratio of time, largest to smallest: {largest['seconds'] / smallest['seconds']:.2f}")
    print(f"  ratio of pages read: {largest['pages'] / smallest['pages']:.2f}")


def measure(size: int) -> dict[str, Any]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        top = read_page()
    assert len(top) == 100
    plan = plan_of(queries.captured_queries[0]["sql"])
    seconds = statistics.median(timed() for _ in range(ROUNDS))
    pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    print(
        f"  {size} emperors: {len(queries)} queries in {1000 * seconds:.2f} ms; the first by an "
        f"{scan_of(plan)}, {pages} pages",
        flush=True,
    )
    return {"seconds": seconds, "pages": pages}


def read_page() -> Any:
    """All that the page of the ranking asks the database for: the first hundred, the champion."""
    from emperors.selectors import champion, ranking

    ranks = ranking().ranks
    assert (reigning := champion()) is not None
    assert reigning.dynasty == ranks[0].dynasty
    return ranks


def timed() -> float:
    started = time.perf_counter()
    read_page()
    return time.perf_counter() - started


def plan_of(sql: str) -> dict[str, Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        told = cursor.fetchone()[0]
    plan: dict[str, Any] = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    return plan


def scan_of(plan: dict[str, Any]) -> str:
    """The innermost step: how the rows are found."""
    while plan.get("Plans"):
        plan = plan["Plans"][0]
    return f"{plan['Node Type']} of {plan.get('Index Name', plan.get('Relation Name'))}".lower()
