"""The address of a client behind proxies."""

import pytest

from programme.api.client_address import find_network, get_client_address


@pytest.mark.parametrize(
    ("remote", "forwarded", "expected"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        # A client that connects directly writes what it likes.
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        # Only what the trusted proxy has added last is believed.
        ("127.0.0.1", "10.0.0.1, 192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "192.0.2.1, 127.0.0.1", "192.0.2.1"),
        ("::1", "2001:db8::1", "2001:db8::1"),
        ("::ffff:127.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "rubbish", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1, <script>", "127.0.0.1"),
        ("", "192.0.2.1", ""),
    ],
)
def test_only_trusted_proxies_are_believed(remote, forwarded, expected):
    meta = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": forwarded}
    assert get_client_address(meta) == expected


def test_networks_can_be_trusted(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    assert get_client_address({"REMOTE_ADDR": "10.1.2.3", "HTTP_X_FORWARDED_FOR": "192.0.2.1"}) == "192.0.2.1"


@pytest.mark.parametrize(
    ("address", "expected"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:abcd::1", "2001:db8:1:2::/64"), ("", "")],
)
def test_an_ipv6_network_is_taken_as_a_whole(address, expected):
    assert find_network(address) == expected
