"""The `.local` name: announced where it is free, and said where it cannot be had."""

import sys
from types import ModuleType

import pytest

from tests.support.clients import FlaskWay
from tests.support.fake_session import FakeSession
from web.factory import create_app
from web.live.parts import parts
from web.server.mdns import Announced, NoName


class Taken(Exception):
    pass


class Network:
    """What zeroconf would say and do; no packet leaves."""

    def __init__(self):
        self.names = set()
        self.registered = []
        self.closed = 0
        self.trouble = None

    def module(self):
        network = self

        class Zeroconf:
            def __init__(self, interfaces):
                if network.trouble is not None:
                    raise network.trouble
                network.interfaces = interfaces

            def register_service(self, info):
                if info.server in network.names:
                    raise Taken
                network.registered.append(info)

            def close(self):
                network.closed += 1

        class ServiceInfo:
            def __init__(self, kind, name, port, *, addresses, server, properties):
                self.name, self.port, self.addresses, self.server = name, port, addresses, server

        module = ModuleType("zeroconf")
        module.Zeroconf, module.ServiceInfo = Zeroconf, ServiceInfo
        module.NonUniqueNameException, module.Error = Taken, Exception
        return module


@pytest.fixture
def network(monkeypatch):
    network = Network()
    monkeypatch.setattr("web.server.mdns.importlib.util.find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "zeroconf", network.module())
    return network


def test_a_free_name_leads_to_this_machines_addresses(network):
    with Announced(lambda: ["192.168.1.20", "10.0.0.5"], 8000) as announced:
        assert announced.name == "domino.local"
        assert network.interfaces == ["192.168.1.20", "10.0.0.5"]
    (info,) = network.registered
    assert (info.server, info.name) == ("domino.local.", "domino._http._tcp.local.")
    assert (info.port, info.addresses) == (8000, [b"\xc0\xa8\x01\x14", b"\x0a\x00\x00\x05"])
    assert network.closed == 1


def test_a_name_of_another_machine_gets_a_number(network):
    network.names = {"domino.local.", "domino-2.local."}
    with Announced(lambda: ["192.168.1.20"], 8000) as announced:
        assert announced.name == "domino-3.local"


def test_at_a_new_address_the_name_is_announced_anew(network):
    at, told = ["192.168.1.20"], []
    with Announced(lambda: at, 8000, told.append) as announced:
        announced.look()
        assert len(network.registered) == 1
        at[:] = ["10.0.0.5"]
        network.names = {"domino.local."}
        announced.look()
        assert (network.interfaces, network.closed) == (["10.0.0.5"], 1)
    assert network.registered[1].addresses == [b"\x0a\x00\x00\x05"]
    assert told == ["domino.local", "domino-2.local"]
    assert network.closed == 2


def test_while_the_network_is_on_its_way_it_is_tried_again(network):
    at = ["192.168.1.20"]
    with Announced(lambda: at, 8000) as announced:
        at[:] = ["10.0.0.5"]
        network.trouble = OSError("no such device")
        announced.look()
        assert len(network.registered) == 1
        network.trouble = None
        announced.look()
        assert network.registered[1].addresses == [b"\x0a\x00\x00\x05"]


def test_when_all_names_are_taken_it_is_said(network):
    network.names = {"domino.local.", *(f"domino-{n}.local." for n in range(2, 10))}
    with pytest.raises(NoName, match=r"9 machines have names like domino\.local"):
        Announced(lambda: ["192.168.1.20"], 8000)
    assert network.closed == 1


def test_a_network_without_multicast_is_said(network):
    network.trouble = OSError("no multicast")
    with pytest.raises(NoName, match=r"no multicast.*leave --mdns out"):
        Announced(lambda: ["192.168.1.20"], 8000)


def test_without_the_extra_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr("web.server.mdns.importlib.util.find_spec", lambda name: None)
    with pytest.raises(NoName, match=r"the extra mdns.*leave --mdns out"):
        Announced(lambda: ["192.168.1.20"], 8000)


def test_the_table_answers_to_its_name_and_tells_it_beside_the_code():
    app = create_app(FakeSession(), code="PINE")
    way = FlaskWay(app)
    assert way.get("/", headers={"Host": "domino-7.local:8000"}).status == 400
    net = way.get("/api/state", cookie=way.join()).json["net"]
    assert net["local"] is None
    parts(app).net.announce("domino-7.local")
    assert way.get("/", headers={"Host": "domino-7.local:8000"}).status == 200
    net = way.get("/api/state", cookie=way.join()).json["net"]
    assert net["local"] == "http://domino-7.local:8000"
