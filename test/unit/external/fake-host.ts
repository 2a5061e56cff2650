/** What adapters are given, without a wallet page. */
import type { Wallet } from '../../../src/api/wallet.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import type { NamedNetwork } from '../../../src/external/networks.ts';
import { TestClock } from '../clock.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import type { Account, ExternalHost } from '../../../src/external/types.ts';

type Answers = Record<string, (...params: any[]) => unknown>;

export function fakeHost(networks: readonly Partial<NamedNetwork>[], answers: Answers = {}) {
  const calls: unknown[][] = [];
  let linked: Wallet[] = [];
  const host: ExternalHost = {
    clock: new TestClock(),
    async rpc({ method, params }) {
      if (method === 'carabiner_networks') return { result: { networks } };
      calls.push([method, ...params]);
      return { result: await answers[method]!(...params) };
    },
    linked: () => linked,
  };
  return {
    host,
    calls,
    /** As the page keeps it. */
    link(accounts: readonly Account[]): Wallet[] {
      linked = accounts.map((account, index) => ({ ...account, id: `external-${index}` }) as Wallet);
      return linked;
    },
  };
}

/** The code and the message of a failure. */
export async function said(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (answer) => `no failure: ${JSON.stringify(answer)}`,
    ({ code, shortMessage }: ConnectError) => `${code}: ${shortMessage}`,
  );
}

export const wish = (secretType: SecretType, network?: string) => ({ secretTypes: [secretType], network });
