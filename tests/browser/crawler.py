"""Visits every page that links lead to, as somebody with a browser would."""

from collections.abc import Callable, Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from playwright.sync_api import Error, Page

MOST_PAGES = 250
LINKS = "elements => elements.map(element => element.getAttribute('href'))"


def crawl(
    page: Page, *, start: list[str], follow: Callable[[str], bool], origin: str
) -> Iterator[str]:
    """Open each page in `page` and yield its path; broken links raise AssertionError.

    Pages of the same address that differ in the query only are one page here.
    """
    waiting = list(dict.fromkeys(start))
    came_from = dict.fromkeys(waiting, "the start")
    visited = 0
    while waiting:
        path = waiting.pop(0)
        visited += 1
        assert visited <= MOST_PAGES, "the links never end"
        if not opened(page, path, came_from[path]):
            continue
        yield path
        for link in links_on(page, origin):
            if link not in came_from and follow(link):
                came_from[link] = path
                waiting.append(link)


def opened(page: Page, path: str, source: str) -> bool:
    """Open a page; False for what is no page (a file to download, a picture)."""
    try:
        answer = page.goto(path)
    except Error as error:
        if "Download is starting" not in error.message:
            raise
        assert page.request.get(path).ok, f"{path}, linked from {source}, can't be downloaded"
        return False
    assert answer is not None
    assert answer.status < 400, f"{path}, linked from {source}, answers {answer.status}"
    return answer.headers.get("content-type", "").startswith("text/html")


def links_on(page: Page, origin: str) -> list[str]:
    """The paths within the site that this page links to."""
    hrefs: list[str] = page.eval_on_selector_all("a[href]", LINKS)
    whole = (urldefrag(urljoin(page.url, href)).url for href in hrefs)
    return [urlsplit(url).path for url in whole if url.startswith(origin)]
