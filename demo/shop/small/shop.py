# A whole shop that takes USDT on Tron, Bitcoin, and what else is in WALLETS and KEYS, by docs/checkout.md alone.
import base64, json, os, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

login = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"
basic = f"Basic {base64.b64encode(login.encode()).decode()}"
sessions, unsent = {}, {}  # The session's id by the order's number, in a database of yours; those to send, there too.

def send(method, path, login, body, kind="application/json"):
    headers = {"Authorization": login, **({"Content-Type": kind} if body else {})}
    with urlopen(Request(os.environ["SERVICE"] + path, body, headers, method=method)) as answer:
        return json.load(answer)

def call(method, path, body=None):
    form = (b"grant_type=client_credentials", "application/x-www-form-urlencoded")
    token = send("POST", "/auth/realms/main/protocol/openid-connect/token", basic, *form)["access_token"]
    return send(method, path, f"Bearer {token}", json.dumps(body).encode() if body else None)

class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        if self.path == "/events":
            event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            return self.show(event["data"].get("session", {}).get("client_reference_id"))
        number, price = str(uuid.uuid4()), {"product_data": {"name": "Mug"}, "unit_amount": 2500, "currency": "USD"}
        urls = {"success_url": f"{origin}/?number={number}", "cancel_url": origin}
        order = {"mode": "payment", "line_items": [{"price_data": price, "quantity": 1}], "client_reference_id": number}
        session = call("POST", "/checkout/sessions", {**order, **urls})
        sessions[number] = unsent[number] = session["id"]
        self.answer(303, "", {"Location": session["url"], "X-Order": number})

    def do_GET(self):
        self.show(parse_qs(urlsplit(self.path).query).get("number", [""])[0])

    def show(self, number):  # Anybody can send a number, so what the service says counts.
        session = sessions.get(number)
        state = call("GET", f"/checkout/sessions/{session}")["payment_status"] if session else "none"
        if state == "paid" and unsent.pop(number, None):
            print(f"Send order {number}", flush=True)
        page = f'Order: {state}. <form action="/" method="post"><button>Buy a mug for $25</button></form>'
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
for key in json.loads(os.environ["KEYS"]):
    send("PUT", "/api/client/receiving-key", basic, json.dumps(key).encode())
print(origin, flush=True)
server.serve_forever()
