import re
from dataclasses import fields

from config.environment import BASE_DIR, Environment

PAGE = BASE_DIR / "docs" / "operations.md"


def test_the_operators_page_lists_exactly_the_variables_that_the_site_reads() -> None:
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE.read_text(), re.MULTILINE))
    assert listed == {field.name.upper() for field in fields(Environment)}
