/**
 * VeWorld, as its extension puts it into a page: `window.vechain`, as VeChain's dApp kit uses it. For tests, with keys that are
 * in the page; nothing of Carabiner's is in it, so that it does what VeChain's own tools expect and not what our adapter does.
 */
import { Address, Certificate, HexUInt, Transaction } from '@vechain/sdk-core';

export interface DemoVeworldOptions {
  keys: readonly Uint8Array[];
  /** HTTP API of a node of each known network, by the genesis block's id. */
  nodes: Readonly<Record<string, string>>;
  /** Version 1 has no `send`, and is asked for an account with a certificate. */
  version?: 1 | 2;
  /** Its user's decision. */
  approves?: (method: string, params: readonly unknown[]) => boolean | Promise<boolean>;
  /** Of the page. */
  host?: string;
}

interface Clause {
  to: string | null;
  value: string | number;
  data?: string;
}

export function demoVeworld(options: DemoVeworldOptions) {
  const { keys, nodes, version = 2, approves = () => true, host = 'shop.example' } = options;
  const accounts = keys.map((key) => ({ key, address: Address.ofPrivateKey(key).toString() }));
  /** Which account is chosen. */
  let current = 0;
  let connected = false;

  async function approved(method: string, params: readonly unknown[]): Promise<void> {
    if (!(await approves(method, params))) throw new Error('User rejected request');
  }

  function accountOf(signer: string | null | undefined) {
    if (!signer) return accounts[current]!;
    const found = accounts.find(({ address }) => address.toLowerCase() === signer.toLowerCase());
    if (found) return found;
    throw new Error('The requested account does not exist in this wallet');
  }

  function nodeOf(genesisId: string): string {
    if (nodes[genesisId]) return nodes[genesisId];
    throw new Error('Network does not match');
  }

  async function ask(url: string, body?: object): Promise<{ id: string }> {
    const answer = await fetch(
      url,
      body && { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY },
    );
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  const newConnexSigner = (genesisId: string) => ({
    async signTx(clauses: Clause[], { signer, gas, dependsOn }: Record<string, unknown> = {}) {
      const node = nodeOf(genesisId);
      const { key, address } = accountOf(signer as string);
      await approved('signTx', [clauses]);
      const { id } = await ask(`${node}/blocks/best`);
      const unsigned = Transaction.of({
        chainTag: Number.parseInt(genesisId.slice(-2), 16),
        blockRef: id.slice(0, 18),
        expiration: 32,
        clauses: clauses.map(({ to, value, data = '0x' }) => ({ to, value, data })),
        gasPriceCoef: 0,
        gas: (gas as number) ?? 200_000,
        dependsOn: (dependsOn as string) ?? null,
        nonce: `0x${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`,
      });
      const { encoded } = unsigned.sign(key);
      const sent = await ask(`${node}/transactions`, { raw: HexUInt.of(encoded).toString() });
      return { txid: sent.id, signer: address.toLowerCase() };
    },
    async signCert(
      message: { purpose: string; payload: { type: string; content: string } },
      { signer }: { signer?: string } = {},
    ) {
      nodeOf(genesisId);
      const { key, address } = accountOf(signer);
      await approved('signCert', [message]);
      const timestamp = Math.floor(Date.now() / 1000);
      const { signature } = Certificate.of({
        ...message,
        domain: host,
        timestamp,
        signer: address.toLowerCase(),
      }).sign(key);
      return { annex: { domain: host, timestamp, signer: address.toLowerCase() }, signature: signature! };
    },
  });

  const METHODS: Record<string, (genesisId: string, params: { value?: unknown }) => unknown> = {
    thor_methods: () => Object.keys(METHODS),
    async thor_connect(genesisId, { value }) {
      nodeOf(genesisId);
      if (value !== null) throw new Error('The demo wallet connects without a message');
      await approved('thor_connect', []);
      connected = true;
      return { signer: accounts[current]!.address };
    },
    thor_wallet: () => (connected ? accounts[current]!.address : null),
  };

  const provider = {
    isVeWorld: true,
    newConnexSigner,
    ...(version > 1 && {
      async send({ method, genesisId, params = {} }: { method: string; genesisId: string; params?: object }) {
        if (Object.hasOwn(METHODS, method)) return METHODS[method]!(genesisId, params);
        throw new Error(`Connected App method not supported: ${method}`);
      },
    }),
  };

  return {
    provider,
    addresses: accounts.map(({ address }) => address),
    /** Its user chooses another account. */
    show(index: number): void {
      current = index;
    },
  };
}

const JSON_BODY = { 'Content-Type': 'application/json' };
