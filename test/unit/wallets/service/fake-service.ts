/** The wallet service by its contract, in memory: what the frame may rely on, and ways to fail. */
import {
  type AddPasskey,
  type PasskeyAnswer,
  type PasskeyState,
  passkeyText,
} from '../../../../src/api/passkey.ts';
import type { HistoryEntry } from '../../../../src/api/history.ts';
import type { SentTransaction } from '../../../../src/api/transaction.ts';
import type { Account } from '../../../../src/api/account.ts';
import type { Wallet } from '../../../../src/api/wallet.ts';
import { PIN } from '../setup.ts';

export { PIN };
export const URL_OF_SERVICE = 'https://service.example';
export const CODE = 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG-HHHH';
export const NEXT_CODE = 'JJJJ-KKKK-MMMM-NNNN-PPPP-QQQQ-RRRR-SSSS';

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
  key: string | null;
  token: string;
  /** Thumbprint of the key that proved the call; undefined without a proof. */
  device: string | undefined;
  /** What a passkey has to be asked for this call; undefined without its answer. */
  challenge: string | undefined;
}

type Answer = { status: number; body: unknown; link?: string | undefined };

export function serviceWallet(id: string, more: Partial<Wallet> = {}): Wallet {
  return {
    id,
    address: `0x${id.charCodeAt(0).toString(16).padStart(40, '5')}`,
    walletType: 'THREEWAY_SHARED',
    secretType: 'ETHEREUM',
    createdAt: [2026, 1, 1, 0, 0, 0, 0],
    archived: false,
    alias: id,
    description: '',
    primary: false,
    hasCustomPin: false,
    status: 'ACTIVE',
    ...more,
  };
}

export class FakeService {
  wallets: Wallet[] = [];
  links = new Set<string>();
  /** Undefined until the first wallet sets it. */
  pin: string | undefined;
  code = CODE;
  wrong = 0;
  locked: { retryAfter?: number; hard?: true } | undefined;
  devices = new Set<string>();
  passkey: NonNullable<PasskeyState['passkey']> | undefined;
  /** Of the credential in the device. */
  credentialId = '';
  /** What the passkey gave when it was added. */
  secret: string | undefined;
  /** PINs of wallets with their own. */
  readonly ownPins = new Map<string, string>();
  /** The token is an application's own. */
  isApplication = false;
  emails: Record<string, string> = {};
  readonly calls: Call[] = [];
  /** Signed transactions, by `Idempotency-Key`. */
  readonly signed = new Map<string, { transactionHash: string; raw: string; draft: string }>();
  /** Tokens that it treats as expired. */
  readonly expired = new Set<string>();
  down = false;
  /** Wallets in one answer. */
  pageSize = 1000;
  /** What the service has signed for any wallet, newest first. */
  sent: SentTransaction[] = [];
  /** What came to its wallets. */
  received: HistoryEntry[] = [];
  /** By path: how many of the next answers get lost after the work was done. */
  loses: Record<string, number> = {};
  /** By path: an error in place of its work. */
  fails: Record<string, { status: number; code: string; details?: unknown }> = {};
  readonly #proofs = new Set<string>();

  /** Calls of `accessToken`, to check that the frame asks for it. */
  readonly tokens: boolean[] = [];
  token = 'token-1';
  accessToken = async (expired: boolean): Promise<string> => {
    this.tokens.push(expired);
    if (expired) this.token = `token-${this.tokens.length}`;
    return this.token;
  };

  to(path: string): Call[] {
    return this.calls.filter((call) => call.path === path);
  }

  readonly fetch = (async (input: RequestInfo | URL, init: RequestInit = {}) => {
    if (this.down) throw new TypeError('Failed to fetch');
    const { pathname, searchParams } = new URL(String(input));
    const headers = new Headers(init.headers);
    const token = headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    const sent = {
      method: init.method ?? 'GET',
      path: pathname,
      body: JSON.parse((init.body as string) ?? '{}') as Record<string, unknown>,
      key: headers.get('Idempotency-Key'),
    };
    const call: Call = {
      ...sent,
      challenge: await challengeOf(sent),
      token,
      device: await this.#deviceOf(
        headers.get('DPoP'),
        init.method ?? 'GET',
        String(input).split('?')[0]!,
        token,
      ),
    };
    this.calls.push(call);
    let answer: Answer;
    try {
      if (this.expired.has(token)) throw problem(401, 'token.expired');
      const failing = this.fails[pathname];
      if (failing) throw problem(failing.status, failing.code, failing.details);
      answer = this.#answer(call, searchParams);
    } catch (error) {
      if (error instanceof Error) throw error;
      answer = error as Answer;
    }
    if ((this.loses[pathname] ?? 0) > 0) {
      this.loses[pathname]!--;
      throw new TypeError('Failed to fetch');
    }
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { 'Content-Type': 'application/json', ...(answer.link && { Link: answer.link }) },
    });
  }) as typeof fetch;

  #answer(call: Call, query: URLSearchParams): Answer {
    const { method, path, body } = call;
    const id = /^\/api\/wallets\/([^/]+)/.exec(path)?.[1];
    switch (`${method} ${path.replace(/wallets\/[^/]+/, 'wallets/ID')}`) {
      case 'GET /api/wallets': {
        const from = Number(query.get('cursor') ?? 0);
        const to = from + this.pageSize;
        const link = to < this.wallets.length ? `<?cursor=${to}>; rel="next"` : undefined;
        return { ...ok(this.wallets.slice(from, to)), link };
      }
      case 'GET /api/links':
        this.#enrolled(call);
        return ok({ walletIds: query.get('origin') ? [...this.links] : [] });
      case 'PUT /api/links':
        this.#enrolled(call);
        this.links = new Set(body['walletIds'] as string[]);
        return ok({ walletIds: [...this.links] });
      case 'GET /api/account':
        if (this.isApplication) throw problem(403, 'token.scope');
        return ok({
          userId: 'user-1',
          hasMasterPin: this.pin !== undefined,
          pinChangedAt: null,
          wrongPins: this.wrong,
          retryAfter: this.locked?.retryAfter ?? null,
          hardLocked: !!this.locked?.hard,
          enrolled: call.device !== undefined && this.devices.has(call.device),
          passkeyRequired: this.passkey !== undefined,
        } satisfies Account);
      case 'GET /api/profile':
        return ok({
          userId: 'user-1',
          hasMasterPin: this.pin !== undefined,
          username: null,
          email: null,
          firstName: 'Lena',
          lastName: null,
        });
      case 'POST /api/wallets': {
        const first = this.pin === undefined;
        if (first) this.pin = body['pincode'] as string;
        else {
          this.#enrolled(call);
          this.#pin(call);
        }
        if (call.device) this.devices.add(call.device);
        const wallet = serviceWallet(`made-${this.wallets.length + 1}`, {
          alias: body['alias'] as string,
          network: body['network'] as string,
          address: `0x${'6'.repeat(39)}${this.wallets.length}`,
          primary: this.wallets.length === 0,
        });
        this.wallets.push(wallet);
        return { status: 201, body: { ...wallet, ...(first && { recoveryCode: this.code }) } };
      }
      case 'PATCH /api/wallets/ID': {
        this.#enrolled(call);
        const wallet = this.wallets.find((one) => one.id === id)!;
        Object.assign(wallet, body);
        return ok(wallet);
      }
      case 'POST /api/wallets/ID/export':
        this.#enrolled(call);
        this.#pin(call);
        return ok({ key: '0xkey' });
      case 'POST /api/wallets/ID/pincode': {
        this.#enrolled(call);
        const wallet = this.wallets.find((one) => one.id === id)!;
        if (wallet.hasCustomPin) throw problem(409, 'request.conflict');
        this.#pin(call);
        wallet.hasCustomPin = true;
        this.ownPins.set(wallet.id, body['next'] as string);
        return ok({ recoveryCode: NEXT_CODE });
      }
      case 'GET /api/passkey':
        return ok({ passkey: this.passkey ?? null });
      case 'POST /api/passkey':
        this.#enrolled(call);
        this.#pin(call);
        this.passkey = this.#newPasskey(call);
        return { status: 201, body: { passkey: this.passkey } };
      case 'POST /api/passkey/remove':
        this.#enrolled(call);
        if (body['passkey']) this.#answered(call);
        else this.#code(body);
        this.passkey = undefined;
        return ok({});
      case 'GET /api/devices':
        this.#enrolled(call);
        return ok(
          [...this.devices].map((thumbprint, i) => ({ thumbprint, createdAt: 1_767_225_600_000 + i })),
        );
      case 'POST /api/devices':
        this.#code(body);
        this.#pin(call);
        this.devices.add(call.device!);
        return { status: 201, body: { thumbprint: call.device, createdAt: 0 } };
      case 'POST /api/pincode':
        this.#enrolled(call);
        this.#pin(call);
        if (body['walletId']) this.ownPins.set(body['walletId'] as string, body['next'] as string);
        else this.pin = body['next'] as string;
        return ok({});
      case 'POST /api/pincode/recover':
        this.#code(body);
        this.pin = body['next'] as string;
        this.locked = undefined;
        this.wrong = 0;
        this.devices.add(call.device!);
        return ok({ recoveryCode: (this.code = NEXT_CODE) });
      case 'POST /api/pincode/recovery-code':
        this.#enrolled(call);
        this.#pin(call);
        return ok({ recoveryCode: (this.code = NEXT_CODE) });
      case 'POST /api/transactions/approved': {
        this.#enrolled(call);
        const before = this.signed.get(call.key!);
        if (before) {
          if (before.draft !== body['draft']) throw problem(409, 'request.conflict');
          return ok({ transactionHash: before.transactionHash, raw: before.raw });
        }
        this.#pin(call);
        const hash = `0x${String(this.signed.size + 1).padStart(64, 'e')}`;
        const sent = { transactionHash: hash, raw: `0x02${hash.slice(2)}` };
        this.signed.set(call.key!, { ...sent, draft: body['draft'] as string });
        return ok(sent);
      }
      case 'GET /api/wallets/ID/transactions':
        return ok(query.get('direction') === 'in' ? this.received : this.sent);
      case 'POST /api/signatures':
        this.#enrolled(call);
        this.#pin(call);
        return ok({ success: true, result: { r: '0x0a', s: '0x0b', v: '0x1c', signature: '0x0a0b1c' } });
      case 'POST /api/recipients': {
        this.#enrolled(call);
        const address = this.emails[body['email'] as string];
        if (!address) throw problem(404, 'recipient.unknown');
        return ok({ address });
      }
      default:
        if (method === 'DELETE' && path.startsWith('/api/devices/')) {
          this.#enrolled(call);
          if (!this.devices.delete(path.split('/').at(-1)!)) throw problem(400, 'request.invalid');
          return ok({});
        }
        throw problem(404, 'request.not-found');
    }
  }

  #enrolled({ device }: Call): void {
    if (this.isApplication) return;
    if (!device) throw problem(401, 'device.proof.invalid');
    if (!this.devices.has(device)) throw problem(403, 'device.unknown');
  }

  /** By the passkey of the account, if it has one, and the PIN, for which the passkey's secret stands. */
  #pin(call: Call): void {
    // Creating a wallet and adding a passkey take the PIN alone.
    if (this.passkey && call.path !== '/api/wallets') {
      if (!call.body['passkey']) throw problem(403, 'passkey.required');
      if (this.#answered(call) && call.body['pincode'] === undefined) return;
    }
    this.#pincode(call.body);
  }

  /** Whether the answer, which is to exactly this call, stands for the master PIN. */
  #answered({ body, challenge }: Call): boolean {
    const { credentialId, clientDataJSON, secret } = body['passkey'] as PasskeyAnswer;
    const client = read(clientDataJSON) as { type: string; challenge: string };
    if (credentialId !== this.passkey?.credentialId || client.challenge !== challenge)
      throw problem(403, 'passkey.invalid', { check: 'challenge' });
    if (secret === undefined) return false;
    if (secret !== this.secret) throw problem(403, 'pincode.wrong', { attemptsLeft: 4 });
    return true;
  }

  #newPasskey({ body, challenge }: Call): NonNullable<FakeService['passkey']> {
    const { passkey, salt } = body as AddPasskey;
    const client = read(passkey.clientDataJSON) as { type: string; challenge: string };
    if (client.type !== 'webauthn.create' || client.challenge !== challenge)
      throw problem(403, 'passkey.invalid', { check: 'challenge' });
    this.secret = passkey.secret;
    return { credentialId: this.credentialId, salt, transports: passkey.transports, createdAt: 0 };
  }

  /** `walletId`: the wallet that spends, or whose own PIN it is. */
  #pincode({ pincode, walletId }: Call['body']): void {
    if (this.locked) throw problem(423, 'pincode.locked', this.locked);
    if (pincode === (this.ownPins.get(walletId as string) ?? this.pin)) {
      this.wrong = 0;
      return;
    }
    if (++this.wrong < 5) throw problem(403, 'pincode.wrong', { attemptsLeft: 5 - this.wrong });
    throw problem(423, 'pincode.locked', (this.locked = { retryAfter: 900 }));
  }

  #code({ recoveryCode }: Call['body']): void {
    if (String(recoveryCode).toUpperCase().replaceAll(/\s/g, '') === this.code) return;
    throw problem(400, 'request.invalid', undefined, [{ path: 'recoveryCode', message: 'is not the code' }]);
  }

  /** RFC 9449, section 4.3, and a check against replayed proofs. */
  async #deviceOf(
    proof: string | null,
    method: string,
    url: string,
    token: string,
  ): Promise<string | undefined> {
    if (!proof) return undefined;
    const [header, claims, signature] = proof.split('.') as [string, string, string];
    const { typ, alg, jwk } = read(header) as { typ: string; alg: string; jwk: JsonWebKey };
    const { jti, htm, htu, iat, ath } = read(claims) as Record<string, unknown>;
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ]);
    const good = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      bytes(signature),
      new TextEncoder().encode(`${header}.${claims}`),
    );
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    const hashed = base64url(hash);
    const sound =
      good &&
      typ === 'dpop+jwt' &&
      alg === 'ES256' &&
      !('d' in jwk) &&
      htm === method &&
      htu === url &&
      ath === hashed &&
      Math.abs(Number(iat) - Date.now() / 1000) < 30 &&
      !this.#proofs.has(String(jti));
    this.#proofs.add(String(jti));
    if (!sound) throw new Error('The proof is not one.');
    const { crv, kty, x, y } = jwk;
    return base64url(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))),
    );
  }
}

/** Of the exact request, as docs/service.md has it. */
async function challengeOf({
  method,
  path,
  body: { passkey, ...body },
  key,
}: Pick<Call, 'method' | 'path' | 'body' | 'key'>): Promise<string | undefined> {
  if (!passkey) return undefined;
  const { nonce, at } = passkey as PasskeyAnswer;
  const [, id] = /^\/api\/wallets\/([^/]+)/.exec(path) ?? [];
  const route = id === undefined ? path : path.replace(id, '{id}');
  const params = id === undefined ? {} : { id };
  const text = passkeyText({ method, path: route, params, body, key: key ?? '', nonce, at });
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

function read(part: string): unknown {
  return JSON.parse(new TextDecoder().decode(bytes(part)));
}

function base64url(of: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(of)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function problem(status: number, code: string, details?: unknown, issues?: unknown): Answer {
  return {
    status,
    body: {
      type: `https://service.example/docs#${code}`,
      title: 'Problem',
      status,
      detail: `${code}.`,
      instance: 'urn:request:1',
      code,
      ...(details ? { details } : {}),
      ...(issues ? { issues } : {}),
    },
  };
}
