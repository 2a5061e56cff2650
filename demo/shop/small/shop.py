"""Sells a mug for Bitcoin, USDT on Tron and more: docs/checkout.md says how to start it."""

from os import environ

from flask import Flask, redirect, request
from requests import post
from standardwebhooks import Webhook

SERVICE, ORIGIN = environ["SERVICE"], environ["ORIGIN"]
CLIENT = (environ["CLIENT_ID"], environ["CLIENT_SECRET"])
TOKEN = f"{SERVICE}/auth/realms/main/protocol/openid-connect/token"
MUG = {"product_data": {"name": "Mug"}, "unit_amount": 2500, "currency": "USD"}
paid = set()  # Sessions of orders to send: in a database of yours.
app = Flask(__name__)


@app.post("/")
def buy():
    token = post(TOKEN, {"grant_type": "client_credentials"}, auth=CLIENT).json()["access_token"]
    login = {"Authorization": f"Bearer {token}"}
    order = {"line_items": [{"price_data": MUG}], "cancel_url": ORIGIN}
    order["success_url"] = ORIGIN + "/?{CHECKOUT_SESSION_ID}"
    session = post(f"{SERVICE}/checkout/sessions", json=order, headers=login).json()
    return redirect(session["url"], 303)


@app.post("/events")
def hear():
    event = Webhook(environ["SIGNING_SECRET"]).verify(request.data, dict(request.headers))
    session = event["data"].get("session", {}).get("id")
    if event["type"] == "payment.succeeded" and session not in paid:
        paid.add(session)
        print(f"Send order {session}", flush=True)
    return "", 204


@app.get("/")
def show():
    state = "paid" if request.query_string.decode() in paid else "unpaid"
    return f'Order: {state}. <form action="/" method="post"><button>Buy a mug</button></form>'
