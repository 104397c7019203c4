"""A receiver that prints its port, and then the kind of each request that the library verifies."""

import http.server
import os
import ssl

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

WEBHOOK = Webhook(os.environ["SECRET"])


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            said, status = WEBHOOK.verify(body, dict(self.headers))["type"], 204
        except WebhookVerificationError:
            said, status = "refused", 400
        print(said, flush=True)
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.environ["CERTIFICATE"], os.environ["KEY"])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
