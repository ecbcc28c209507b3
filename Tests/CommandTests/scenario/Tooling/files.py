#!/usr/bin/env python3
"""Starts `scenario serve` where few files may be open, and asks more at a time than it has connections.

    files.py COMMAND ACCOUNT LIMIT

Ends with 0 where everybody is answered, or as the command does where it does not start, with what it says."""

import resource
import socket
import subprocess
import sys

command, account, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
service = subprocess.Popen(
    [command, "serve", "--account", account], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
line = service.stdout.readline()
if not line:
    status = service.wait()
    print(service.stderr.read())
    sys.exit(status)
try:
    host = line.split()[-1].removeprefix("http://")
    request = f"GET /outage HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
    address = (host.split(":")[0], int(host.split(":")[1]))
    clients = [socket.create_connection(address, timeout=30) for _ in range(100)]
    for client in clients:
        client.sendall(request)
    for number, client in enumerate(clients):
        if not client.recv(100).startswith(b"HTTP/1.1 200 "):
            sys.exit(f"client {number} of 100 is not answered")
        client.close()
finally:
    service.terminate()
    if service.wait() != 0:
        sys.exit(f"it ends with {service.returncode}: {service.stderr.read()}")
print("everybody is answered")
