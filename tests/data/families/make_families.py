"""Make the tiny models of all families anew: random, seeded, exported by optimum-intel, packed as NAME.tar.xz here.

    python tests/data/families/make_families.py [--to FOLDER] [NAME ...]

Needs the `convert` extra. What the exporter refuses is listed in families.json by the version of transformers and with
its message; a run with another version adds to the list.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import tarfile
import tempfile
import textwrap
import zlib
from pathlib import Path

import nncf
import openvino
import torch
import transformers
from configurations import FAMILIES, Family
from optimum.exporters.openvino import export_from_model
from optimum.intel import OVConfig
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

log = logging.getLogger("families")

PACKED = ("openvino_model.xml", "openvino_model.bin", "config.json")
LEVELS = 4
"""Weights are whole multiples, up to this many, of a power of two: exact in every 16-bit format; they pack well."""


def make(family: Family, folder: Path) -> None:
    """Export the family's model to `folder`; raises whatever transformers or optimum refuse it with."""
    config = AutoConfig.for_model(family.kind, **family.base | family.values)
    torch.manual_seed(zlib.crc32(family.kind.encode()))
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    _simplify(model)
    storage = OVConfig(dtype="fp16" if family.weights == "fp16" else "fp32")
    export_from_model(model, output=folder, task="text-generation-with-past", stateful=True, ov_config=storage)
    if family.weights != "fp16":
        _compress(folder / "openvino_model.xml", family.weights)


def _simplify(model: PreTrainedModel) -> None:
    """Give every parameter few distinct values, of the size that keeps activations near 1."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            levels = torch.randint(-LEVELS, LEVELS + 1, parameter.shape).to(parameter.dtype)
            if parameter.ndim >= 2:
                fan_in = 4 if "embed" in name or "wte" in name else parameter.shape[-1]
                parameter.copy_(levels * 2.0 ** round(-1.4 - torch.log2(torch.tensor(fan_in)).item() / 2))
            else:
                parameter.copy_(parameter.round() + levels / 32)


def _compress(xml: Path, weights: str) -> None:
    """As published models are: symmetric, embedding and head included."""
    model = openvino.Core().read_model(xml)
    if weights == "int4":
        mode = nncf.CompressWeightsMode.INT4_SYM
        compressed = nncf.compress_weights(model, mode=mode, group_size=32, all_layers=True)
    else:
        compressed = nncf.compress_weights(model, mode=nncf.CompressWeightsMode.INT8_SYM)
    openvino.save_model(compressed, xml.with_suffix(".new.xml"))
    for suffix in (".xml", ".bin"):
        xml.with_suffix(f".new{suffix}").replace(xml.with_suffix(suffix))


def pack(folder: Path, archive: Path) -> None:
    """The same bytes for the same files, whoever packs them and when."""
    with tarfile.open(archive, "w:xz", preset=9) as packed:
        for name in PACKED:
            data = (folder / name).read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            packed.addfile(entry, io.BytesIO(data))


def main(names: list[str], to: Path) -> None:
    """Make the families of those names, or all."""
    listing = to / "families.json"
    known = json.loads(listing.read_text(encoding="utf-8")) if listing.exists() else {}
    for name in names or FAMILIES:
        found = known.setdefault(name, {"exported_with": None, "refused_by": {}})
        try:
            with tempfile.TemporaryDirectory() as folder:
                make(FAMILIES[name], Path(folder))
                pack(Path(folder), to / f"{name}.tar.xz")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what the listing is for
            found["refused_by"][transformers.__version__] = textwrap.shorten(str(error), 160, placeholder=" …")
            log.warning("%s: refused: %s", name, found["refused_by"][transformers.__version__])
        else:
            found["exported_with"] = transformers.__version__
            found["refused_by"].pop(transformers.__version__, None)
            log.info("%s: exported", name)
        listing.write_text(json.dumps(known, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("nncf").setLevel(logging.ERROR)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=Path(__file__).parent)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    main(arguments.names, arguments.to)
