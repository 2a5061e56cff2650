# A whole shop that takes USDT on Tron, and what else is in WALLETS, by docs/checkout.md alone. One that grows registers webhooks, too.
import json, os, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

sessions = {}  # The session's id by the order's number, in a database of yours.

def send(method, path, headers, body):
    with urlopen(Request(os.environ["SERVICE"] + path, body, headers, method=method)) as answer:
        return json.load(answer)

def call(method, path, body=None):
    client = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
    login = urlencode({"grant_type": "client_credentials", **client}).encode()
    token = send("POST", "/auth/realms/main/protocol/openid-connect/token", {}, login)["access_token"]
    headers = {"Authorization": f"Bearer {token}", **({"Content-Type": "application/json"} if body else {})}
    return send(method, path, headers, json.dumps(body).encode() if body else None)

class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        number, price = str(uuid.uuid4()), {"product_data": {"name": "Mug"}, "unit_amount": 2500, "currency": "USD"}
        urls = {"success_url": f"{origin}/?number={number}", "cancel_url": origin}
        order = {"mode": "payment", "line_items": [{"price_data": price, "quantity": 1}], "client_reference_id": number}
        session = call("POST", "/checkout/sessions", {**order, **urls})
        sessions[number] = session["id"]
        self.answer(303, "", {"Location": session["url"], "X-Order": number})

    def do_GET(self):
        session = sessions.get(parse_qs(urlsplit(self.path).query).get("number", [""])[0])
        state = call("GET", f"/checkout/sessions/{session}")["payment_status"] if session else "none"
        page = f'Your order: {state}. <form method="post"><button>Buy a mug for $25</button></form>'
        self.answer(200, page, {"Content-Type": "text/html"})

    def answer(self, status, page, headers):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": len(page)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(page.encode())

server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Shop)
origin = f"http://127.0.0.1:{server.server_port}"
call("PUT", "/account/settings/receiving-wallets", {"wallets": json.loads(os.environ["WALLETS"])})
print(origin, flush=True)
server.serve_forever()
