/**
 * A stand-in for Stripe's API: it accepts the SDK's requests, checks them as Stripe does (form, key, version, idempotency), and answers
 * with Stripe's published fixtures. Its customer pays, goes back, or lets the session expire.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import * as z from 'zod';
import { testCard } from '../../src/api/test-cards.ts';

const { resources } = JSON.parse(
  readFileSync(new URL('../vectors/stripe.vectors.json', import.meta.url), 'utf8'),
) as { resources: Record<'checkout.session' | 'payment_intent' | 'event' | 'login_link', StripeObject> };

export type StripeObject = Record<string, unknown>;
export type Failure = 402 | 409 | 429 | 500 | 'hang' | 'reset';

/** The API version of the SDK. */
const VERSION = '2026-10-28.endive';
const DAY = 86_400;

const Whole = z.string().regex(/^\d+$/).transform(Number);
const Metadata = z.record(z.string().max(40), z.string().max(500));
const Account = z.string().regex(/^acct_\w+$/);

/** `POST /v1/checkout/sessions`: Stripe refuses unknown parameters. */
const CreateForm = z.strictObject({
  mode: z.literal('payment'),
  allowed_payment_method_types: z.array(z.literal('card')),
  line_items: z
    .array(
      z.strictObject({
        price_data: z.strictObject({
          currency: z.string().regex(/^[a-z]{3}$/),
          unit_amount: Whole.refine((amount) => amount <= 99_999_999),
          product_data: z.strictObject({ name: z.string().min(1) }),
        }),
        quantity: Whole.refine((quantity) => quantity > 0),
      }),
    )
    .min(1)
    .max(100),
  success_url: z.url().max(5000),
  cancel_url: z.url().max(5000),
  client_reference_id: z.string().max(200),
  expires_at: Whole,
  metadata: Metadata,
  payment_intent_data: z.strictObject({
    metadata: Metadata,
    on_behalf_of: Account.exactOptional(),
    transfer_data: z.strictObject({ destination: Account }).exactOptional(),
  }),
});
type Created = z.output<typeof CreateForm>;
/** `Given`, if the SDK's type has all of its fields. */
type Named<Given, Known> = Given extends readonly (infer Item)[]
  ? Known extends readonly (infer KnownItem)[]
    ? Named<Item, KnownItem>[]
    : never
  : Given extends string | number | boolean
    ? Given
    : {
        [Name in keyof Given]: Name extends keyof Known
          ? Named<Given[Name], NonNullable<Known[Name]>>
          : never;
      };
/** `POST /v1/refunds` */
const RefundForm = z.strictObject({
  payment_intent: z.string().regex(/^pi_\w+$/),
  amount: Whole.refine((amount) => amount > 0),
  metadata: Metadata,
  reverse_transfer: z.literal('true').exactOptional(),
});

/** Compiles as long as the form fits the SDK's types. */
const asSdk = (
  form: Named<Created, Stripe.Checkout.SessionCreateParams>,
): Stripe.Checkout.SessionCreateParams => form;

const ERRORS: Record<402 | 409 | 429 | 500, StripeObject> = {
  402: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
  409: {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: 'There is currently another in-progress request using this key.',
  },
  429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' },
  500: { type: 'api_error', message: 'An unknown error occurred.' },
};

/** `a[b][0]=c` as an object; lists have the keys 0, 1, …. */
function formOf(text: string): unknown {
  const root: StripeObject = {};
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split(/[[\]]+/).filter(Boolean);
    let at = root;
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as StripeObject;
    at[names.at(-1)!] = value;
  }
  return listed(root);
}

function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, listed(each)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: StripeObject,
  ) {
    super();
  }
}

function invalidRequest(message: string, param?: string): Refused {
  return new Refused(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) });
}

function isFixtureShaped(object: StripeObject, name: keyof typeof resources): StripeObject {
  for (const key of Object.keys(object)) assert.ok(key in resources[name], `${name}.${key}`);
  return object;
}

export class StripeStandIn {
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  readonly requests: { method: string; path: string; form: unknown; key: string | undefined }[] = [];
  readonly sessions = new Map<string, StripeObject>();
  /** Oldest first. */
  readonly refunds: Stripe.Refund[] = [];
  /** What becomes of the next refunds. */
  refundStatus = 'succeeded';
  /** URL of the webhook receiver; set it once the service listens. */
  receiver = '';
  /** If set, collects events instead of sending them. */
  held: StripeObject[] | undefined;
  /** Requests that were left without an answer. */
  unanswered = 0;
  /** Every request fails, including those of the service's own sweep. */
  down = false;
  readonly #answers = new Map<string, { asked: string; status: number; body: StripeObject }>();
  readonly #failures: Failure[] = [];
  #lost = 0;
  #kept = 0;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });
  readonly #signer = new Stripe(this.secretKey);

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Makes the next requests fail, in this order. */
  fail(...failures: Failure[]): void {
    this.#failures.push(...failures);
  }

  /** Carries out the next requests, and breaks the connection in place of an answer. */
  loseAnswers(count: number): void {
    this.#lost = count;
  }

  /** Carries out the next requests, and never answers. */
  keepAnswers(count: number): void {
    this.#kept = count;
  }

  /** As a day later. */
  forgetKeys(): void {
    this.#answers.clear();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const failure = this.down ? 500 : this.#failures.shift();
    if (failure === 'hang') return void this.unanswered++;
    if (failure === 'reset') return void request.socket.destroy();
    const { status, body } = failure
      ? { status: failure, body: { error: ERRORS[failure] } }
      : this.#handle(request, text);
    if (this.#lost-- > 0) return void request.socket.destroy();
    if (this.#kept-- > 0) return void this.unanswered++;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Request-Id': 'req_stand_in',
      ...(status === 429 ? { 'Retry-After': '7' } : {}),
    });
    response.end(JSON.stringify(body));
  }

  #handle({ method, url, headers }: IncomingMessage, text: string): { status: number; body: StripeObject } {
    const path = url!;
    const key = headers['idempotency-key'] as string | undefined;
    const asked = `${method} ${path} ${text}`;
    try {
      if (headers.authorization !== `Bearer ${this.secretKey}`)
        throw new Refused(401, {
          type: 'invalid_request_error',
          message: 'Invalid API Key provided: sk_test_****',
        });
      if (headers['stripe-version'] !== VERSION) throw invalidRequest('Invalid Stripe API version');
      if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded')
        throw invalidRequest('Invalid content type');
      const form = formOf(text);
      this.requests.push({ method: method!, path, form, key });
      const earlier = key === undefined ? undefined : this.#answers.get(key);
      if (earlier && earlier.asked !== asked)
        throw new Refused(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters.',
        });
      const answer = earlier ?? { asked, status: 200, body: this.#carryOut(`${method} ${path}`, form) };
      if (key !== undefined) this.#answers.set(key, answer);
      return answer;
    } catch (error) {
      if (error instanceof Refused) return { status: error.status, body: { error: error.body } };
      throw error;
    }
  }

  #carryOut(call: string, form: unknown): StripeObject {
    if (call === 'POST /v1/checkout/sessions') return this.#create(form);
    if (call === 'POST /v1/refunds') return this.#refund(form);
    if (call.startsWith('GET /v1/refunds')) return this.#readRefunds(call);
    const [unknown] = Object.keys(form as object);
    if (unknown !== undefined) throw invalidRequest(`Received unknown parameter: ${unknown}`, unknown);
    const [, account] = /^POST \/v1\/accounts\/(acct_\w+)\/login_links$/.exec(call) ?? [];
    if (account)
      return { ...resources.login_link, url: `https://connect.stripe.com/express/${account}/once` };
    const [, id] =
      /^GET \/v1\/checkout\/sessions\/(\w+)$/.exec(call) ??
      /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(call) ??
      [];
    const session = id && this.sessions.get(id);
    if (!session)
      throw new Refused(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such: ${id}`,
      });
    if (call.startsWith('GET')) return session;
    if (session['status'] !== 'open')
      throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.');
    return this.#end(session);
  }

  #create(given: unknown): StripeObject {
    const { data: form, error } = CreateForm.safeParse(given);
    if (!form) {
      const { path, message } = error.issues[0]!;
      throw invalidRequest(message, path.map((part, index) => (index ? `[${String(part)}]` : part)).join(''));
    }
    asSdk(form);
    const now = Math.floor(Date.now() / 1000);
    if (form.expires_at < now + 1800 || form.expires_at > now + DAY)
      throw invalidRequest(
        'The `expires_at` timestamp must be 30 minutes to 24 hours from now.',
        'expires_at',
      );
    const total = form.line_items.reduce((sum, item) => sum + item.price_data.unit_amount * item.quantity, 0);
    if (total > 0 && total < 50)
      throw invalidRequest('The total amount due must add up to at least 50.', 'line_items');
    const id = `cs_test_${randomBytes(24).toString('hex')}`;
    const session = isFixtureShaped(
      {
        ...structuredClone(resources['checkout.session']),
        id,
        amount_subtotal: total,
        amount_total: total,
        cancel_url: form.cancel_url,
        client_reference_id: form.client_reference_id,
        created: now,
        currency: form.line_items[0]!.price_data.currency,
        customer_details: null,
        expires_at: form.expires_at,
        metadata: form.metadata,
        payment_intent: null,
        payment_status: 'unpaid',
        status: 'open',
        success_url: form.success_url,
        url: `${this.url}/c/pay/${id}`,
      },
      'checkout.session',
    );
    this.sessions.set(id, session);
    return session;
  }

  #refund(given: unknown): StripeObject {
    const { data: form, error } = RefundForm.safeParse(given);
    if (!form) throw invalidRequest(error.issues[0]!.message, error.issues[0]!.path.join('.'));
    const { payment_intent, amount, metadata } = form;
    const session = [...this.sessions.values()].find((each) => each['payment_intent'] === payment_intent);
    if (!session) throw invalidRequest(`No such payment_intent: '${payment_intent}'`, 'payment_intent');
    const before = this.refunds
      .filter((each) => each.payment_intent === payment_intent && each.status !== 'failed')
      .reduce((sum, each) => sum + each.amount, 0);
    if (before + amount > Number(session['amount_total']))
      throw invalidRequest('Refund amount is greater than unrefunded amount on charge', 'amount');
    const refund: Stripe.Refund = {
      id: `re_${randomBytes(12).toString('hex')}`,
      object: 'refund',
      amount,
      balance_transaction: null,
      charge: 'ch_1Stand',
      created: Math.floor(Date.now() / 1000),
      currency: String(session['currency']),
      customer: null,
      customer_account: null,
      metadata,
      payment_intent,
      payment_method: null,
      reason: null,
      receipt_number: null,
      source_transfer_reversal: null,
      status: this.refundStatus,
      transfer_reversal: null,
    };
    this.refunds.push(refund);
    return { ...refund };
  }

  #readRefunds(call: string): StripeObject {
    const url = new URL(call.slice('GET '.length), this.url);
    const [, id] = /^\/v1\/refunds\/(\w+)$/.exec(url.pathname) ?? [];
    const found = this.refunds.filter((each) =>
      id ? each.id === id : each.payment_intent === url.searchParams.get('payment_intent'),
    );
    if (!id) return { object: 'list', url: '/v1/refunds', has_more: false, data: found.toReversed() };
    if (!found[0]) throw invalidRequest(`No such refund: '${id}'`, 'id');
    return { ...found[0] };
  }

  /** Stripe's news about a refund. */
  async settleRefund(id: string, status: string, failure_reason?: string): Promise<void> {
    const refund = this.refunds.find((each) => each.id === id)!;
    Object.assign(refund, { status, ...(failure_reason && { failure_reason }) });
    await this.#emit(status === 'failed' ? 'refund.failed' : 'refund.updated', { ...refund });
  }

  #end(session: StripeObject): StripeObject {
    Object.assign(session, { status: 'expired', url: null });
    void this.#emit('checkout.session.expired', session);
    return session;
  }

  #event(type: string, object: StripeObject): StripeObject {
    return isFixtureShaped(
      {
        ...resources.event,
        id: `evt_${randomBytes(12).toString('hex')}`,
        api_version: VERSION,
        created: Math.floor(Date.now() / 1000),
        data: { object: structuredClone(object) },
        type,
      },
      'event',
    );
  }

  async #emit(type: string, object: StripeObject): Promise<void> {
    const event = this.#event(type, object);
    if (this.held) this.held.push(event);
    else assert.equal((await this.send(event)).status, 200);
  }

  /** Posts an event to the service, signed. */
  send(event: StripeObject, secret = this.webhookSecret, changed?: string): Promise<Response> {
    const payload = JSON.stringify(event, null, 2);
    const signature = this.#signer.webhooks.generateTestHeaderString({ payload, secret });
    return fetch(`${this.receiver}/stripe-webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
      body: changed ?? payload,
    });
  }

  #at(pageUrl: string): StripeObject {
    return this.sessions.get(pageUrl.split('/').at(-1)!)!;
  }

  /** The customer pays on Stripe's page. Returns where the page redirects, undefined if it does not. `later`: a delayed payment method. */
  async pay(pageUrl: string, number: string, { later = false } = {}): Promise<string | undefined> {
    const session = this.#at(pageUrl);
    assert.equal(session['status'], 'open', 'the session is no longer open');
    const { decline } = testCard(number)!;
    const intent = isFixtureShaped(
      {
        ...structuredClone(resources.payment_intent),
        id: `pi_${randomBytes(12).toString('hex')}`,
        metadata: session['metadata'],
        last_payment_error: decline
          ? {
              type: 'card_error',
              code: 'card_declined',
              decline_code: decline,
              message: 'Your card was declined.',
            }
          : null,
      },
      'payment_intent',
    );
    if (decline) {
      await this.#emit('payment_intent.payment_failed', intent);
      return undefined;
    }
    Object.assign(session, {
      status: 'complete',
      payment_status: later ? 'unpaid' : session['amount_total'] === 0 ? 'no_payment_required' : 'paid',
      payment_intent: session['amount_total'] === 0 ? null : intent['id'],
      url: null,
      customer_details: {
        ...(resources['checkout.session']['customer_details'] as object),
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        address: { city: null, country: 'GB', line1: null, line2: null, postal_code: 'N1', state: null },
      },
    });
    await this.#emit('checkout.session.completed', session);
    return session['success_url'] as string;
  }

  /** Settles a delayed payment. */
  async arrive(pageUrl: string, paid: boolean): Promise<void> {
    const session = this.#at(pageUrl);
    if (paid) session['payment_status'] = 'paid';
    await this.#emit(`checkout.session.async_payment_${paid ? 'succeeded' : 'failed'}`, session);
  }

  /** Stripe expires the session. */
  async timeOut(pageUrl: string): Promise<void> {
    const session = this.#at(pageUrl);
    Object.assign(session, { status: 'expired', url: null });
    await this.#emit('checkout.session.expired', session);
  }

  cancelUrl(pageUrl: string): string {
    return this.#at(pageUrl)['cancel_url'] as string;
  }
}
