"""What the styles and the numbering of a DOCX file say of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from graphrag.reading.names import definition_part, is_quote_style
from graphrag.reading.numerals import whole_number
from graphrag.reading.zips import Element, Package

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|rubrik|kop)\s*(\d)", re.IGNORECASE
)
_CODE = re.compile(r"code|source|preformatted|listing|verbatim", re.IGNORECASE)
_MONO = re.compile(r"courier|consolas|mono|menlo|lucida console|inconsolata", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|verzeichnis|tm|tdc|sommario) ?\d|table of figures", re.IGNORECASE)
_MAX_CHAIN = 20
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style with what it inherits. ``level`` is 0 for no heading, ``definition``
    tells a ``term`` from its ``definition``."""

    name: str = ""
    level: int = 0
    list_id: str = ""
    list_level: int = 0
    is_title: bool = False
    is_code: bool = False
    is_quote: bool = False
    definition: str = ""
    is_contents: bool = False


@dataclass(slots=True)
class Numbering:
    """The lists of a file: formats by list, then by level, and how far each has counted."""

    formats: Mapping[str, Mapping[int, tuple[str, str, int]]]
    groups: Mapping[str, str]
    counts: dict[tuple[str, int], int] = field(default_factory=dict)

    def next_label(self, list_id: str, level: int) -> str:
        """The label of a list's next item: ``-``, or a number such as ``1.`` or ``4.2.1``; a
        blank for a further paragraph of the item before, empty where there is none."""
        formats = self.formats.get(list_id, {})
        kind, pattern, start = formats.get(level, ("bullet", "", 1))
        group = self.groups.get(list_id, list_id)
        key = (group, level)
        self.counts[key] = self.counts.get(key, start - 1) + 1
        for deeper in range(level + 1, 10):
            self.counts.pop((group, deeper), None)
        if kind in ("bullet", "none", ""):
            return ("-" if pattern.strip() or not pattern else " ") if kind == "bullet" else ""

        def number(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            form, _, first = formats.get(at, ("decimal", "", 1))
            return counted(self.counts.get((group, at), first), form)

        return re.sub(r"%(\d)", number, pattern).strip() or f"{self.counts[key]}."


def attribute(element: Element | None, name: str = "val") -> str:
    """An element's attribute in Word's namespace, or nothing."""
    return (element.get(f"{W}{name}") or "") if element is not None else ""


def is_on(element: Element | None) -> bool:
    """Whether a switch such as ``w:b`` is there and not off."""
    return element is not None and attribute(element) not in ("0", "false", "off", "none")


def is_mono(properties: Element | None) -> bool:
    """Whether run properties ask for a fixed-width font."""
    fonts = properties.find(f"{W}rFonts") if properties is not None else None
    return bool(_MONO.search(attribute(fonts, "ascii")))


def read_styles(package: Package) -> dict[str, Style]:
    """Style id to style."""
    root = package.xml("word/styles.xml")
    elements = {
        attribute(element, "styleId"): element
        for element in (root.iter(f"{W}style") if root is not None else ())
    }
    return {style_id: _style(style_id, elements) for style_id in elements}


def _style(style_id: str, elements: Mapping[str, Element]) -> Style:
    chain: list[Element] = []
    current = style_id
    while current in elements and len(chain) < _MAX_CHAIN:
        chain.append(elements[current])
        current = attribute(elements[current].find(f"{W}basedOn"))
    name = attribute(chain[0].find(f"{W}name"))
    level, list_id, list_level = 0, "", 0
    for element in chain:
        properties = element.find(f"{W}pPr")
        outline = attribute(properties.find(f"{W}outlineLvl") if properties is not None else None)
        if not level and (found_level := whole_number(outline, otherwise=9)) < 9:
            level = found_level + 1
        numbers = properties.find(f"{W}numPr") if properties is not None else None
        if not list_id and numbers is not None:
            list_id = attribute(numbers.find(f"{W}numId"))
            depth = attribute(numbers.find(f"{W}ilvl"))
            list_level = whole_number(depth, otherwise=0)
    if not level and (found := _HEADING.fullmatch(name)):
        level = int(found[1])
    return Style(
        name=name,
        level=level,
        list_id=list_id,
        list_level=list_level or (level - 1 if level and list_id else 0),
        is_title=name.lower() == "title",
        is_code=bool(_CODE.search(name)) or any(is_mono(e.find(f"{W}rPr")) for e in chain[:2]),
        is_quote=is_quote_style(name),
        definition=definition_part(name),
        is_contents=_CONTENTS.fullmatch(name) is not None,
    )


def read_numbering(package: Package) -> Numbering:
    """The lists of a file."""
    root = package.xml("word/numbering.xml")
    if root is None:
        return Numbering({}, {})
    kinds: dict[str, dict[int, tuple[str, str, int]]] = {}
    for abstract in root.iter(f"{W}abstractNum"):
        levels = kinds.setdefault(attribute(abstract, "abstractNumId"), {})
        for level in abstract.iter(f"{W}lvl"):
            depth, start = attribute(level, "ilvl"), attribute(level.find(f"{W}start"))
            levels[whole_number(depth, otherwise=0)] = (
                attribute(level.find(f"{W}numFmt")) or "decimal",
                attribute(level.find(f"{W}lvlText")),
                whole_number(start, otherwise=1),
            )
    formats: dict[str, Mapping[int, tuple[str, str, int]]] = {}
    groups: dict[str, str] = {}
    for number in root.iter(f"{W}num"):
        list_id = attribute(number, "numId")
        abstract_id = attribute(number.find(f"{W}abstractNumId"))
        # A list that starts anew has an override; others go on counting together.
        restarts = number.find(f"{W}lvlOverride/{W}startOverride") is not None
        groups[list_id] = list_id if restarts else f"abstract {abstract_id}"
        if abstract_id in kinds:
            formats[list_id] = kinds[abstract_id]
    return Numbering(formats, groups)


def counted(number: int, form: str) -> str:
    """A number as a format of Word shows it: ``lowerRoman``, ``upperLetter``, ..."""
    if form in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 % 4 + 1)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman"):
        roman = _roman(number)
        return roman.lower() if form == "lowerRoman" else roman
    return str(number)


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN:
        text += sign * (min(number, 3999) // value)
        number %= value
    return text
