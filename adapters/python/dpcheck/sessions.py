"""The protocol of sessions, spoken for a class: a service that answers questions, as dpcheck audit --interactive asks them."""

import inspect
import json
import os
import sys

from .serve import SeedWatch, plain, write_line


class Refused(Exception):
    """Raised by a session that does not answer, as when a budget is spent. Its message is the reason."""


class Sessions:
    """Answers the requests of dpcheck about sessions of a service.

    service(rows) starts the service. Where it has open(user), that opens a session; else all sessions are the service itself. A question
    {"kind": "count", "below": 3} is answered by session.count(below=3), or by session.ask(kind, below=3) where there is no such
    method. An exception is an answer, Refused a refusal. close() of sessions, and restart() and stop() of the service may be absent.
    """

    def __init__(self, service):
        self.service, self.started, self.open = service, None, {}

    @property
    def greeting(self):
        """What a program says first."""
        restart = callable(getattr(self.service, "restart", None))
        return {"dpcheck": 1, "sessions": True, "reset": True, "restart": restart}

    def answer(self, request):
        """The answer to a request, both records. Under --url the request is the body of a POST."""
        reply = {"id": request["id"]}
        if "session" in request:
            reply["session"] = request["session"]
        try:
            reply.update(self.replied(request))
        except Refused as refusal:
            reply["refused"] = str(refusal)
        except Exception as error:
            reply["error"] = "%s: %s" % (type(error).__name__, error)
        return reply

    def replied(self, request):
        session = request.get("session")
        if "open" in request:
            if self.started is None:
                self.started = self.service(request["open"])
            opener = getattr(self.started, "open", None)
            self.open[session] = self.started if opener is None else opener(request.get("user"))
            return {"ok": True}
        if "ask" in request:
            if session not in self.open:
                raise RuntimeError("the session is not open")
            question = dict(request["ask"])
            return {"answer": plain(asked(self.open[session], question.pop("kind"), question))}
        if "restart" in request:
            self.open.clear()
            self.started.restart()
        elif "reset" in request:
            self.end()
        elif "close" in request:
            closed = self.open.pop(session, None)
            if closed is not self.started:
                close(closed)
            if not self.open:
                self.end()
        return {"ok": True}

    def end(self):
        """Closes what is open, and ends the service."""
        ended, self.started = self.started, None
        sessions, self.open = list(self.open.values()), {}
        for session in sessions:
            if session is not ended:
                close(session)
        if ended is not None:
            getattr(ended, "stop", lambda: None)()


def close(session):
    """Closes a session that can be closed."""
    getattr(session, "close", lambda: None)()


def asked(session, kind, arguments):
    """The answer of a session to one question. Names with an underline are no kinds of questions."""
    method = None if kind.startswith("_") else getattr(session, kind, None)
    if inspect.ismethod(method) or inspect.isfunction(method):
        return method(**arguments)
    return session.ask(kind, **arguments)


def serve_sessions(service):
    """Answers dpcheck about sessions of service(rows), as Sessions says, until the input ends.

    Call it at the end of a program, and audit that: dpcheck audit --interactive --exec "python3 program.py" ... What the service prints
    goes to standard error.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sessions = Sessions(service)
    write_line(answers, sessions.greeting)
    with SeedWatch():
        for line in sys.stdin.buffer:
            write_line(answers, sessions.answer(json.loads(line)))
    sessions.end()
