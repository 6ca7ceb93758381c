"""What the head of a page says of it: its title, its author, its date."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml import etree

from graphrag.reading.elements import Element, text_of
from graphrag.wording.days import iso_day

_META_KEYS = {
    "author": "author", "article:author": "author", "dc.creator": "author",
    "citation_author": "author", "date": "date", "dc.date": "date", "dcterms.date": "date",
    "article:published_time": "date", "citation_publication_date": "date",
    "publish-date": "date", "description": "description", "keywords": "keywords",
    "last-modified": "modified", "article:modified_time": "modified", "type": "type",
}  # fmt: skip


def elements(found: object) -> Iterable[Element]:
    """The elements among what a path of XPath finds."""
    return (e for e in found if isinstance(e, etree._Element)) if isinstance(found, list) else ()


def stated_title(root: Element) -> str:
    """The page's title as its head states it; empty where it does not."""
    for title in elements(root.xpath("//head/title | //title[not(ancestor::svg)]")):
        return text_of(title)
    return ""


def better_title(page_title: str, heading: str) -> str:
    """The heading where the page's title is that and the site's name."""
    folded = re.sub(r"\W+", "", page_title).casefold()
    inner = re.sub(r"\W+", "", heading).casefold()
    return heading if inner and inner in folded else page_title


def page_metadata(root: Element) -> dict[str, str | tuple[str, ...]]:
    """What the head of a page tells about it, or the line below the title that Confluence
    exports (``Created by ..., last modified on ...``)."""
    found: dict[str, str | tuple[str, ...]] = {}
    authors: dict[str, None] = {}
    for meta in elements(root.xpath("//meta")):
        name = (meta.get("name") or meta.get("property") or "").lower()
        key, value = _META_KEYS.get(name), " ".join((meta.get("content") or "").split())
        if key in ("date", "modified"):
            value = value.partition("T")[0]
        is_address = value.startswith(("http://", "https://"))
        if not key or not value or is_address:
            continue
        if key == "author":
            authors[value] = None
        else:
            found.setdefault(key, value)
    for line in elements(root.xpath("//div[@class='page-metadata']")):
        for author in elements(line.xpath(".//span[@class='author']")):
            authors.setdefault(text_of(author))
        if day := iso_day(text_of(line).rpartition(" on ")[2]):
            found.setdefault("date", day)
    if authors:
        found["author"] = tuple(authors) if len(authors) > 1 else next(iter(authors))
    return found
