"""The HTTP library that `huggingface_hub` talks with: httpx2 since its version 2, httpx before.

transformers 5.0, which the extra `convert` needs, keeps it at version 1; what is used here is the same in both.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING or int(version("huggingface_hub").split(".")[0]) >= 2:
    import httpx2 as http
else:
    import httpx as http

__all__ = ["http"]
