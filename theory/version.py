"""The version of the installed distribution."""

from importlib import metadata


def version() -> str:
    """Version of gradstep, or "uninstalled" when run from a bare checkout."""
    try:
        return metadata.version("gradstep")
    except metadata.PackageNotFoundError:
        return "uninstalled"
