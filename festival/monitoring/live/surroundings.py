"""Checks what the service stands on: its certificate, network time, the newest backup, and the disk."""

import socket
import ssl
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings

from festival.backup.storage import find_latest
from festival.monitoring.health import check_disk
from festival.monitoring.live.findings import Finding, green, red, yellow
from festival.monitoring.live.serving import judge_clock

CERTIFICATE_YELLOW, CERTIFICATE_RED = timedelta(days=14), timedelta(days=3)
BACKUP_RED = timedelta(days=2)
# In MB.
GIGABYTE = 1000
# Seconds between 1900, where network time begins, and 1970; its port.
NTP_EPOCH, NTP_PORT = 2_208_988_800, 123


def check_certificate(base_url: str, now: datetime, timeout: float) -> Iterator[Finding]:
    """Verify chain, name and remaining time of the certificate; nothing for an http BASE_URL."""
    url = urlsplit(base_url)
    if url.scheme != "https" or not url.hostname:
        return
    context = ssl.create_default_context()
    try:
        with (
            socket.create_connection((url.hostname, url.port or 443), timeout) as plain,
            context.wrap_socket(plain, server_hostname=url.hostname) as encrypted,
        ):
            certificate = encrypted.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        yield red("certificate", "certificate", reason=error.verify_message or str(error))
    except (OSError, ValueError) as error:
        yield red("certificate", "no_certificate", reason=str(error).strip().partition("\n")[0])
    else:
        ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
        left = ends - now
        judge = red if left < CERTIFICATE_RED else yellow if left < CERTIFICATE_YELLOW else green
        yield judge("certificate", "certificate_ends", days=max(0, left.days), date=f"{ends:%Y-%m-%d}")


def check_network_time(server: str, now: datetime, timeout: float) -> Iterator[Finding]:
    """Compare this machine's clock with a server of network time (RFC 5905), if one is named."""
    if not server:
        return
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(timeout)
            client.sendto(b"\x1b" + 47 * b"\0", (server, NTP_PORT))
            packet, _address = client.recvfrom(512)
        seconds, fraction = struct.unpack("!II", packet[40:48])
    except (OSError, struct.error) as error:
        yield yellow("clock", "no_network_time", server=server, reason=str(error))
        return
    skew = abs(seconds + fraction / 2**32 - NTP_EPOCH - now.timestamp())
    yield judge_clock("network", skew)


def check_backup(now: datetime) -> Iterator[Finding]:
    try:
        latest = find_latest()
    except OSError as error:
        yield red("backup", "no_backups", folder=str(settings.BACKUP_DIR), reason=str(error))
        return
    if latest is None:
        yield red("backup", "no_backup", folder=str(settings.BACKUP_DIR))
        return
    age = now - latest[1]
    judge = red if age > BACKUP_RED else green
    hours = int(age / timedelta(hours=1))
    yield judge("backup", "backup_age" if hours else "backup_new", hours=hours, name=latest[0].name)


def check_storage() -> Iterator[Finding]:
    outcome = check_disk()
    megabytes = int(outcome.figures["free_bytes"]) // 1_000_000
    if outcome.problem:
        yield red("disk", "disk", megabytes=megabytes)
    elif megabytes < GIGABYTE:
        yield green("disk", "disk", megabytes=megabytes)
    else:
        yield green("disk", "disk_ok", gigabytes=megabytes // GIGABYTE)
