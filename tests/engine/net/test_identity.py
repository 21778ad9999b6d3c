"""Who a PC is: made once, the same after a restart, and nothing without its key."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from idlepool.engine.errors import StorageError
from idlepool.engine.net.identity import FILE, is_signed, load_identity, make_identity, node_of, public_key
from idlepool.engine.net.key_store import FileKeyStore
from idlepool.engine.trust_errors import KeyMissing


def test_an_identity_is_made_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = load_identity(home, FileKeyStore(home))
    again = load_identity(home, FileKeyStore(home))
    assert (again.node, again.certificate) == (first.node, first.certificate)
    assert first.node == node_of((home / FILE).read_bytes())
    assert is_signed(b"news", again.sign(b"news"), certificate=first.certificate)


def test_no_two_certificates_can_be_taken_for_each_other() -> None:
    """OpenSSL looks pinned certificates up by subject and key identifier."""
    one, other = (x509.load_der_x509_certificate(make_identity().certificate) for _ in range(2))
    assert one.subject != other.subject
    for certificate in (one, other):
        own = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
        issuer = certificate.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value.key_identifier
        assert own == issuer
    assert one.not_valid_before_utc.year == 1970
    assert one.not_valid_after_utc.year == 9999


def test_a_signature_is_of_one_pc_over_one_text() -> None:
    one, other = make_identity(), make_identity()
    signature = one.sign(b"news")
    assert is_signed(b"news", signature, certificate=one.certificate)
    assert not is_signed(b"New", signature, certificate=one.certificate)
    assert not is_signed(b"news", signature[:-1], certificate=one.certificate)
    assert not is_signed(b"news", signature, certificate=other.certificate)
    assert not is_signed(b"news", signature, certificate=b"no certificate")


def test_the_key_of_an_identity_is_not_shown_where_it_is_printed() -> None:
    identity = make_identity()
    assert "key" not in repr(identity)
    assert isinstance(public_key(identity.certificate).curve, ec.SECP256R1)


def test_a_damaged_certificate_is_told_apart_from_a_lost_key(tmp_path: Path) -> None:
    load_identity(tmp_path, FileKeyStore(tmp_path))
    (tmp_path / FILE).write_bytes(b"")
    with pytest.raises(KeyMissing, match=r"certificate\.der, which names it, is damaged"):
        load_identity(tmp_path, FileKeyStore(tmp_path))


@pytest.mark.parametrize("left", ["half a certificate", "a certificate without its key", "a key"])
def test_a_first_start_that_broke_off_begins_again(tmp_path: Path, left: str) -> None:
    broken = load_identity(tmp_path, FileKeyStore(tmp_path))
    if left == "half a certificate":
        (tmp_path / FILE).write_bytes(broken.certificate[:100])
    elif left == "a key":
        (tmp_path / FILE).unlink()
    else:
        (tmp_path / f"{broken.node}.key").unlink()
    begun = load_identity(tmp_path, FileKeyStore(tmp_path), unknown=True)
    assert begun.node != broken.node
    assert load_identity(tmp_path, FileKeyStore(tmp_path)).node == begun.node


def test_a_certificate_that_cannot_be_written_leaves_none(tmp_path: Path) -> None:
    """As where the disk is full: at the next start there is all of it or nothing."""
    (tmp_path / "certificate.new").mkdir()
    with pytest.raises(StorageError):
        load_identity(tmp_path, FileKeyStore(tmp_path))
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("damage", "said"), [("gone", "it is not there"), ("nonsense", "is no key"), ("another", "does not fit")]
)
def test_a_certificate_without_its_key_is_told_and_kept(tmp_path: Path, damage: str, said: str) -> None:
    identity = load_identity(tmp_path, FileKeyStore(tmp_path))
    key = tmp_path / f"{identity.node}.key"
    if damage == "gone":
        key.unlink()
    elif damage == "nonsense":
        key.write_bytes(b"nonsense")
    else:
        other = load_identity(tmp_path / "other", FileKeyStore(tmp_path / "other"))
        key.write_bytes((tmp_path / "other" / f"{other.node}.key").read_bytes())
    with pytest.raises(KeyMissing, match=said):
        load_identity(tmp_path, FileKeyStore(tmp_path))
    assert node_of((tmp_path / FILE).read_bytes()) == identity.node
