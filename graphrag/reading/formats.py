"""Which reader takes which file, by the end of its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graphrag.reading.names import names

CORPUS = "jsonl"


@dataclass(frozen=True, slots=True)
class Format:
    """A format's name, and the module and function that read it."""

    name: str
    module: str = ""
    function: str = ""


_READERS = {
    "markdown": ("markdown", "read_markdown", "md markdown mdown mkd mdx qmd"),
    "html": ("html", "read_html", "html htm xhtml xht shtml"),
    "text": ("text", "read_text", "txt text log"),
    "rst": ("rst", "read_rst", "rst rest"),
    "pptx": ("pptx", "read_pptx", "pptx pptm ppsx"),
    "xlsx": ("xlsx", "read_xlsx", "xlsx xlsm"),
    "odt": ("odf", "read_odt", "odt odp ott"),
    "ods": ("odf", "read_ods", "ods"),
    "epub": ("epub", "read_epub", "epub"),
    "notebook": ("notebook", "read_notebook", "ipynb"),
    "csv": ("tabular", "read_csv", "csv tsv tab"),
    "mail": ("mail", "read_mail", "eml"),
    "mbox": ("mail", "read_mbox", "mbox"),
    "msg": ("msg", "read_msg", "msg"),
    "asciidoc": ("asciidoc", "read_asciidoc", "adoc asciidoc asc"),
    "latex": ("latex", "read_latex", "tex latex ltx"),
    "xml": (
        "xml_books",
        "read_xml",
        "xml nxml cnxml jats dbk docbook tei fb2 rss atom",
    ),
    "code": (
        "source_code",
        "read_source",
        "py pyi js mjs cjs jsx ts tsx java c h cpp hpp cc cxx hh go rs rb php swift kt scala cs sh "
        "bash zsh ps1 bat pl pm lua r jl m f90 hs ex exs erl clj sql tf proto graphql cypher css "
        "json yaml yml toml ini cfg conf properties vue svelte dart nim zig",
    ),
    "docx": ("docx", "read_docx", "docx docm dotx"),
    "pdf": ("pdf", "read_pdf", "pdf"),
    CORPUS: ("", "", "jsonl ndjson"),
}
_BY_SUFFIX: Mapping[str, Format] = MappingProxyType(
    {
        f".{suffix}": Format(name, module, function)
        for name, (module, function, suffixes) in _READERS.items()
        for suffix in suffixes.split()
    }
)
_TEXT = _BY_SUFFIX[".txt"]
_MEDIA = names(
    ".png .jpg .jpeg .gif .bmp .tif .tiff .webp .ico .svg .svgz .psd .heic .avif .mp3 .mp4 .m4a "
    ".wav .ogg .flac .avi .mov .mkv .webm .zip .tar .tgz .bz2 .xz .7z .rar .jar .war .exe .dll "
    ".so .dylib .a .o .obj .lib .bin .dat .iso .img .dmg .deb .rpm .apk .whl .egg .pyc .pyo "
    ".class .wasm .db .sqlite .sqlite3 .parquet .feather .npy .npz .pkl .pickle .pt .pth .onnx "
    ".h5 .hdf5 .ttf .otf .woff .woff2 .eot .inv .mo .swp .lock .map .faiss .kuzu"
)
_CONVERTIBLE: Mapping[str, str] = MappingProxyType(
    {
        ".doc": "an old Word file; save it as .docx to read it",
        ".xls": "an old Excel file; save it as .xlsx to read it",
        ".ppt": "an old PowerPoint file; save it as .pptx to read it",
        ".rtf": "an RTF file; save it as .docx to read it",
        ".pages": "a Pages file; export it as .docx to read it",
        ".numbers": "a Numbers file; export it as .xlsx to read it",
        ".key": "a Keynote file; export it as .pptx to read it",
        ".mobi": "a Kindle book; convert it to .epub to read it",
        ".azw3": "a Kindle book; convert it to .epub to read it",
        ".djvu": "a DjVu file; convert it to .pdf to read it",
        ".ps": "a PostScript file; convert it to .pdf to read it",
    }
)


def formats() -> dict[str, str]:
    """Suffix (lower-case, with its dot) to format name, of all that is read."""
    return {suffix: found.name for suffix, found in _BY_SUFFIX.items()}


def format_of(name: str) -> Format | None:
    """The format of a file by its name, or None where the name does not tell.

    ``.rst.txt`` is reStructuredText, ``.txt.gz`` is text packed by gzip.
    """
    parts = name.lower().removesuffix(".gz").split(".")
    if len(parts) > 2 and parts[-1] == "txt" and (inner := _BY_SUFFIX.get(f".{parts[-2]}")):
        return inner
    return _BY_SUFFIX.get(f".{parts[-1]}") if len(parts) > 1 else None


def text_format() -> Format:
    """The format of files whose name tells nothing and whose content is text."""
    return _TEXT


def reason_against(name: str) -> str:
    """Why a file of that name is not read, or nothing: pictures, archives, old formats."""
    suffix = f".{name.lower().rpartition('.')[2]}" if "." in name else ""
    if suffix in _MEDIA:
        return f"a {suffix} file, which has no text to read"
    return _CONVERTIBLE.get(suffix, "")
