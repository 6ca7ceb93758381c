"""Text of a picture by Tesseract, a program that people may have installed."""

from __future__ import annotations

import shutil
import subprocess

from graphrag.errors import ReadingError

_SECONDS_PER_PAGE = 120


def has_tesseract() -> bool:
    """Whether the ``tesseract`` command is on the path."""
    return shutil.which("tesseract") is not None


def recognise(pixels: bytes, width: int, height: int, stride: int) -> str:
    """The text of a grey picture, one byte a pixel, rows ``stride`` bytes apart.

    Raises ReadingError where Tesseract fails or takes more than two minutes.
    """
    rows = b"".join(pixels[y * stride : y * stride + width] for y in range(height))
    picture = b"P5 %d %d 255\n" % (width, height) + rows
    try:
        done = subprocess.run(
            ["tesseract", "stdin", "stdout", "--dpi", "200"],
            input=picture,
            capture_output=True,
            timeout=_SECONDS_PER_PAGE,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise ReadingError(f"Tesseract took more than {_SECONDS_PER_PAGE} s on a page") from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise ReadingError(f"Tesseract failed on a page: {error}") from error
    return done.stdout.decode("utf-8", "replace").replace("\f", "\n\n")
