"""A door with TLS in front of a test's server, which has none itself."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

# What a client sends first, when it wants TLS: a length of 8 and this code.
_WANTS_TLS = (8).to_bytes(4, "big") + (80877103).to_bytes(4, "big")


@dataclass(frozen=True, slots=True)
class Door:
    """Where the server is reached with TLS, and the certificate that tells it from others."""

    port: int
    root: Path


@contextmanager
def tls_door(behind: Path, folder: Path) -> Generator[Door]:
    """Listen on 127.0.0.1 and pass on to a socket, each connection in threads of its own."""
    root, key = _certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(root, key)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_serve, args=(listening, context, behind), daemon=True).start()
        yield Door(listening.getsockname()[1], root)
        # Wakes the thread that waits for the next client.
        listening.shutdown(socket.SHUT_RDWR)


def _certificate(folder: Path) -> tuple[Path, Path]:
    root, key = folder / "root.crt", folder / "root.key"
    made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", root, "-days", "2"]
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    if shutil.which("openssl") is None:
        pytest.skip("a certificate is made with the openssl command, which is not here")
    subprocess.run(["openssl", "req", "-x509", *made, *names], check=True, capture_output=True)
    return root, key


def _serve(listening: socket.socket, context: ssl.SSLContext, behind: Path) -> None:
    while True:
        try:
            client, _ = listening.accept()
        except OSError:
            return
        threading.Thread(target=_let_in, args=(client, context, behind), daemon=True).start()


def _let_in(client: socket.socket, context: ssl.SSLContext, behind: Path) -> None:
    with client, socket.socket(socket.AF_UNIX) as server:
        if client.recv(len(_WANTS_TLS)) != _WANTS_TLS:
            return
        client.sendall(b"S")
        try:
            inside = context.wrap_socket(client, server_side=True)
        except OSError:
            # The client does not trust the certificate.
            return
        server.connect(str(behind))
        with inside:
            back = threading.Thread(target=_pass_on, args=(server, inside), daemon=True)
            back.start()
            _pass_on(inside, server)
            back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    finally:
        _shut(target)


def _shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
