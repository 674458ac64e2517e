"""The program that dpcheck starts when a test serves a function: it passes bytes to the process of the test, and back."""

import socket
import sys
import threading


def pump(read, write):
    while True:
        chunk = read(1 << 16)
        if not chunk:
            return
        write(chunk)


def main(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:

        def send():
            pump(sys.stdin.buffer.raw.read, connection.sendall)
            connection.shutdown(socket.SHUT_WR)

        def show(chunk):
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()

        threading.Thread(target=send, daemon=True).start()
        pump(connection.recv, show)


if __name__ == "__main__":
    main(int(sys.argv[1]))
