"""The authority's X.509: makes it, and signs what the server shows with it. Touches no file.

The one file that loads `cryptography`, which is an extra: import it where it is known to be there.
Keys and certificates come and go as PEM.
"""

import datetime
import ipaddress
import os
from collections.abc import Sequence

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_AUTHORITY_DAYS = 3650
"""Ten years: a person makes a phone trust it, and should have to do so once."""


def new_authority(home: Sequence[str], now: datetime.datetime) -> tuple[bytes, bytes]:
    """Make an authority that may sign `.local` names, `localhost` and these networks alone.

    Args:
        home: the networks, like `192.168.0.0/16`.
        now: the time.

    Returns:
        Its key and its certificate, in PEM.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"domino-rig of this home {os.urandom(2).hex()}")
    permitted: list[x509.GeneralName] = [x509.DNSName("local"), x509.DNSName("localhost")]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in home]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=_AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=False,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=True,
                crl_sign=True,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _pem_of(key), _pem_of(certificate)


def sign(
    authority: tuple[bytes, bytes],
    names: Sequence[str],
    now: datetime.datetime,
    until: datetime.datetime,
) -> bytes:
    """Make a key and sign a certificate for it.

    Args:
        authority: the key and the certificate that sign, in PEM.
        names: the host names and addresses that it has to hold.
        now: the time; it counts from the day before, as clocks differ.
        until: when its time runs out.

    Returns:
        The new key and its certificate, in one PEM.

    Raises:
        ValueError: the authority cannot be read.
    """
    issuer_key = form.load_pem_private_key(authority[0], None)
    assert isinstance(issuer_key, ec.EllipticCurvePrivateKey)
    issuer = x509.load_pem_x509_certificate(authority[1])
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(_name("domino-rig"))
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(until)
        .add_extension(
            x509.SubjectAlternativeName([_general(name) for name in names]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
        .sign(issuer_key, hashes.SHA256())
    )
    return _pem_of(key) + _pem_of(certificate)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _pem_of(thing: x509.Certificate | ec.EllipticCurvePrivateKey) -> bytes:
    if isinstance(thing, x509.Certificate):
        return thing.public_bytes(form.Encoding.PEM)
    return thing.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
