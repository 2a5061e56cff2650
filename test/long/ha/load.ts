/** Payments, new wallets and wrong PINs under load, and a ledger of what the service acknowledged. */
import { randomBytes } from 'node:crypto';
import { getAddress, type JsonRpcProvider } from 'ethers';
import { OTHER_PIN, PIN } from '../../service/custody-setup.ts';
import { bearer, TOKEN_PATH } from '../../service/harness.ts';
import { payment } from '../../service/processes-setup.ts';
import { DEADLINE_MS, pause } from '../../waiting.ts';

export interface Payment {
  key: string;
  wallet: string;
  to: string;
  value: bigint;
  /** Once it was acknowledged. */
  hash?: string;
}

interface Sample {
  at: number;
  /** 0: no answer. */
  status: number;
}

interface Answer {
  status: number;
  body: { transactionHash?: string; id?: string; address?: string; code?: string; detail?: string };
}

/** Wrong PINs for one wallet. */
export interface Guesses {
  wallet: string;
  acknowledged: number;
  /** Nobody knows whether they were counted. */
  unknown: number;
}

export interface Customer {
  id: string;
  secret: string;
  /** One for each payment at a time. */
  wallets: readonly string[];
  /** For wrong PINs. */
  guessed: readonly string[];
}

/** Between two payments of a wallet. */
const PAUSE_MS = 250;
/** Wrong PINs that do not lock. */
const FREE = 4;

export class Load {
  readonly payments: Payment[] = [];
  readonly created: { id: string; address: string }[] = [];
  readonly guesses: Guesses[] = [];
  readonly samples: Sample[] = [];
  /** Answers that no careful client expects. */
  readonly unexpected: string[] = [];
  readonly #url: string;
  readonly #customer: Customer;
  #token: Record<string, string> = {};
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();
  #guessing: Promise<void> = Promise.resolve();

  constructor(url: string, customer: Customer) {
    this.#url = url;
    this.#customer = customer;
  }

  async start(): Promise<void> {
    this.#token = await tokenAt(this.#url, this.#customer);
    this.#running = Promise.all([
      ...this.#customer.wallets.map((wallet) => this.#pay(wallet)),
      this.#create(),
    ]);
  }

  /** Resolves once everything that began was acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    await this.#guessing;
  }

  /** From now on, one at a time: with the next of the wallets that are kept for it. */
  guess(): void {
    const wallet = this.#customer.guessed[this.guesses.length];
    if (wallet === undefined) throw new Error('No wallet is left for wrong PINs.');
    const guesses: Guesses = { wallet, acknowledged: 0, unknown: 0 };
    this.guesses.push(guesses);
    this.#guessing = this.#guessing.then(() => this.#guess(guesses));
  }

  async #guess(guesses: Guesses): Promise<void> {
    const body = { ...payment({ id: guesses.wallet }, addressOf(randomBytes(20)), 1), pincode: OTHER_PIN };
    while (guesses.acknowledged + guesses.unknown < FREE) {
      const { status, body: answer } = await this.#post('/api/transactions/execute', body, undefined);
      if (answer.code === 'pincode.wrong') guesses.acknowledged++;
      else if (answer.code === 'pincode.locked') this.unexpected.push('a PIN was locked too early');
      else if (status === 0 || status >= 500) guesses.unknown++;
      await pause(1000);
    }
  }

  async #pay(wallet: string): Promise<void> {
    while (!this.#isOver) {
      const [to, value] = [addressOf(randomBytes(20)), 1000n + BigInt(this.payments.length)];
      const one: Payment = { key: `pay-${this.payments.length}`, wallet, to, value };
      this.payments.push(one);
      const { body } = await this.#insist('/api/transactions/execute', bodyOf(one), one.key);
      if (body.transactionHash !== undefined) one.hash = body.transactionHash;
      await pause(PAUSE_MS);
    }
  }

  async #create(): Promise<void> {
    const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
    while (!this.#isOver) {
      const identifier = `till-${this.created.length}`;
      const { body } = await this.#insist('/api/wallets', { ...order, identifier });
      if (body.id !== undefined) this.created.push({ id: body.id, address: body.address! });
      await pause(2000);
    }
  }

  /** Repeats the request until it is answered, as a careful client does. */
  async #insist(path: string, body: object, key?: string): Promise<Answer> {
    for (;;) {
      const answer = await this.#post(path, body, key);
      this.samples.push({ at: Date.now(), status: answer.status });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const isLater =
        answer.status === 0 || answer.status >= 500 || answer.status === 409 || answer.status === 429;
      if (!isLater || answer.status === 500)
        this.unexpected.push(
          `${path}: ${answer.status} ${answer.body.code ?? ''} ${answer.body.detail ?? ''}`,
        );
      if (!isLater) return answer;
      await pause(200);
    }
  }

  async #post(path: string, body: object, key: string | undefined): Promise<Answer> {
    try {
      const response = await fetch(this.#url + path, {
        method: 'POST',
        headers: {
          ...this.#token,
          'Content-Type': 'application/json',
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    } catch {
      return { status: 0, body: {} };
    }
  }

  /** What callers saw from one moment to another. */
  seen(from: number, until: number): { answers: string; longestGap: number; lastFailure: number } {
    const within = this.samples.filter(({ at }) => at >= from && at <= until);
    const counts = new Map<number, number>();
    for (const { status } of within) counts.set(status, (counts.get(status) ?? 0) + 1);
    let [last, longestGap] = [from, 0];
    for (const { at } of within.filter(({ status }) => status < 300 && status > 0)) {
      longestGap = Math.max(longestGap, at - last);
      last = at;
    }
    const failures = within.filter(({ status }) => status === 0 || status >= 500);
    return {
      answers: [...counts]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status || 'none'}`)
        .join(', '),
      longestGap,
      lastFailure: failures.length ? failures.at(-1)!.at - from : 0,
    };
  }

  /** Acknowledged payments that the chain does not have, and payments that it has more than once. */
  async onChain(
    provider: JsonRpcProvider,
    payments = this.payments,
  ): Promise<{ lost: string[]; twice: string[] }> {
    const [lost, twice]: [string[], string[]] = [[], []];
    const balances = await Promise.all(payments.map(({ to }) => provider.getBalance(to)));
    for (const [i, { key, value, hash }] of payments.entries()) {
      if (hash !== undefined && balances[i]! < value) lost.push(key);
      if (balances[i]! > value) twice.push(key);
    }
    return { lost, twice };
  }

  /** What a service at `url` has no longer as it was acknowledged. */
  async forgotten(url: string): Promise<string[]> {
    const token = await tokenAt(url, this.#customer);
    const lost: string[] = [];
    const queue: (() => Promise<void>)[] = [
      ...this.payments
        .filter(({ hash }) => hash !== undefined)
        .map((one) => async () => {
          const response = await unlimited(() =>
            fetch(`${url}/api/transactions/execute`, {
              method: 'POST',
              headers: { ...token, 'Content-Type': 'application/json', 'Idempotency-Key': one.key },
              body: JSON.stringify(bodyOf(one)),
            }),
          );
          const { transactionHash } = (await response.json()) as Answer['body'];
          if (transactionHash !== one.hash) lost.push(one.key);
        }),
      ...this.created.map(({ id, address }) => async () => {
        const response = await unlimited(() => fetch(`${url}/api/wallets/${id}`, { headers: token }));
        if (((await response.json()) as Answer['body']).address !== address) lost.push(`wallet ${id}`);
      }),
    ];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await next();
    };
    await Promise.all(Array.from({ length: 8 }, work));
    return lost;
  }
}

/** Asks again in the next minute where this one has no requests left. */
async function unlimited(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (response.status !== 429) return response;
    await pause(Number(response.headers.get('retry-after')) * 1000);
  }
}

function bodyOf({ wallet, to, value }: Payment): object {
  return { ...payment({ id: wallet }, to, value), pincode: PIN };
}

function addressOf(bytes: Buffer): string {
  return getAddress(`0x${bytes.toString('hex')}`);
}

export async function tokenAt(
  url: string,
  { id, secret }: { id: string; secret: string },
): Promise<Record<string, string>> {
  const response = await fetch(url + TOKEN_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  return bearer(((await response.json()) as { access_token: string }).access_token);
}
