"""Who wrote a book of XML, and when: JATS, DocBook, TEI and CNXML."""

from __future__ import annotations

from graphrag.domain import MetadataValue
from graphrag.reading.elements import Element, local_name, text_of
from graphrag.reading.names import names

REFERENCES = ("ref", "citation", "mixed-citation", "element-citation", "ref-list")
"""Elements that tell of other books."""

_NAME_PARTS = names("given-names firstname first-name surname last-name personname fullname")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def is_within(element: Element, *names_above: str) -> bool:
    """Whether an element stands in one of those names."""
    return any(local_name(above) in names_above for above in element.iterancestors())


def book_metadata(root: Element) -> dict[str, MetadataValue]:
    """Authors, date and keywords, as far as they are stated."""
    authors: list[str] = []
    keywords: list[str] = []
    date = ""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        match local_name(element):
            case "contrib" if (
                element.get("contrib-type") or "author"
            ) == "author" and not is_within(element, "contrib", "author"):
                authors.append(_person(element))
            case "author" if not is_within(element, *REFERENCES, "author", "contrib"):
                authors.append(_person(element))
            case "role" if element.get("type") == "author":
                authors.extend(_persons(root, text_of(element).split()))
            case "kwd" | "keyword":
                keywords.append(text_of(element))
            case "pub-date" if not date:
                date = _day(element)
            case "pubdate" | "revised" | "created" if not date:
                date = text_of(element).partition("T")[0]
            case _:
                pass
    found: dict[str, MetadataValue] = {}
    if unique := tuple(dict.fromkeys(author for author in authors if author)):
        found["author"] = unique if len(unique) > 1 else unique[0]
    if keywords:
        found["keywords"] = tuple(dict.fromkeys(keywords))
    return {**found, "date": date} if date else found


def _day(element: Element) -> str:
    """A date of parts in ISO form, as far as it goes without a gap."""
    parts = {local_name(c): text_of(c) for c in element if isinstance(c.tag, str)}
    month = parts.get("month", "")
    if month[:3].lower() in _MONTHS:
        month = str(_MONTHS.index(month[:3].lower()) + 1)
    values: list[str] = []
    for value in (parts.get("year", ""), month, parts.get("day", "")):
        if not (value.isascii() and value.isdigit()):
            break
        values.append(value.zfill(2))
    return "-".join(values)


def _person(element: Element) -> str:
    parts = {
        name: text_of(e)
        for e in element.iter()
        if isinstance(e.tag, str) and (name := local_name(e)) in _NAME_PARTS
    }
    first = parts.get("given-names") or parts.get("firstname") or parts.get("first-name") or ""
    last = parts.get("surname") or parts.get("last-name") or ""
    whole = parts.get("personname") or parts.get("fullname")
    return f"{first} {last}".strip() or whole or text_of(element)[:100]


def _persons(root: Element, ids: list[str]) -> list[str]:
    """The people that CNXML's roles name by their ids."""
    people = {person.get("userid"): person for person in root.iter("{*}person")}
    return [_person(people[id_]) for id_ in ids if id_ in people]
