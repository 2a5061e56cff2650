/** The demo's THORChain by itself, on chains that are lists: a test writes their blocks. */
import { Books, type Pool } from '../../demo/networks/thorchain/books.ts';
import { type Deposit, Engine, type Payment, type Side } from '../../demo/networks/thorchain/engine.ts';
import { type LocalThorNode, startThorNode } from '../../demo/networks/thorchain/nodes.ts';
import { systemClock } from '../../src/base/clock.ts';
import { ThorNodes } from '../../src/swaps/cross-chain/thorchain/nodes.ts';

export const ALICE = {
  BTC: 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu',
  LTC: 'ltc1qdlwy6k2u0jqyvj4y5sawm6mstlkxkgfxyu5rls',
  ETH: '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a',
};
export const ROUTER = `0x${'d3'.repeat(20)}`;

/** A chain whose blocks a test writes. */
export class ListedChain implements Side {
  tip = 100;
  readonly deposits: Deposit[] = [];
  readonly paid: Payment[] = [];
  readonly router?: string;

  constructor(
    readonly name: 'BTC' | 'LTC' | 'ETH',
    private readonly form: RegExp,
  ) {
    if (name === 'ETH') this.router = ROUTER;
  }
  addressOf(vault: number): string {
    return `vault-${vault}-of-${this.name}`;
  }
  readonly isAddress = (text: string): boolean => this.form.test(text);
  height(): Promise<number> {
    return Promise.resolve(this.tip);
  }
  scan(vaults: readonly number[]): Promise<Deposit[]> {
    return Promise.resolve(this.deposits.splice(0).filter(({ vault }) => vaults.includes(vault)));
  }
  pay(payment: Payment): Promise<{ hash: string; gas: bigint }> {
    this.paid.push(payment);
    const hash = `${this.paid.length}`.padStart(64, `${this.name.length}${this.name.charCodeAt(0)}`);
    return Promise.resolve({ hash, gas: 1n });
  }
}

export class ListedThorchain {
  readonly books: Books;
  readonly btc = new ListedChain('BTC', /^bc1q\w+$/);
  readonly ltc = new ListedChain('LTC', /^ltc1q\w+$/);
  readonly eth = new ListedChain('ETH', /^0x[0-9a-fA-F]{40}$/);
  readonly engine: Engine;
  #nodes: LocalThorNode[] = [];
  #deposits = 0;

  constructor(pools: readonly Pool[]) {
    this.books = new Books(pools, Date.now());
    this.engine = new Engine(this.books, [this.btc, this.ltc, this.eth]);
  }

  /** Sends to the active vault in the next block of its chain. Returns the hash. */
  deposit(chain: ListedChain, memo: string, more: Partial<Deposit> = {}): string {
    const hash = `${++this.#deposits}`.padStart(64, 'A');
    const asset = `${chain.name}.${chain.name}`;
    chain.tip++;
    chain.deposits.push({
      hash,
      from: ALICE[chain.name],
      vault: this.books.active.number,
      asset,
      amount: 10_000_000n,
      memo,
      block: chain.tip,
      ...more,
    });
    return hash;
  }

  /** Two nodes in front of it, until `close`. */
  async startNodes(): Promise<{ nodes: [LocalThorNode, LocalThorNode]; clients: ThorNodes }> {
    await this.close();
    const running = (): Promise<Engine> => Promise.resolve(this.engine);
    const nodes: [LocalThorNode, LocalThorNode] = [
      await startThorNode(running, { port: 0, host: 'localhost' }),
      await startThorNode(running, { port: 0, host: '127.0.0.1' }),
    ];
    this.#nodes = nodes;
    const entry = { nodes: nodes.map(({ url }, i) => ({ url, operator: `${i}` })) };
    return { nodes, clients: new ThorNodes(entry, { clock: systemClock }) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.splice(0).map((node) => node.close()));
  }
}

/** What a node answers at a path below `/thorchain/`. */
export async function answerAt(
  { url }: LocalThorNode,
  path: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/thorchain/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
