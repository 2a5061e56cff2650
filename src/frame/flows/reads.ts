/** What a page may ask without the user. It gives addresses and hashes; from the vault it learns nothing but its own. */
import { activeNetwork, networkFor, type NetworkChoice } from '../../chains/networks.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { Pending, Results } from '../../channel/messages.ts';
import type { Action, ParamsOf } from '../../channel/schema.ts';
import { RequestInvalidError } from '../../errors.ts';
import type { JournalEntry } from '../../wallets/types.ts';
import { settle } from './delivery.ts';
import { isFirstParty } from '../place.ts';
import type { Reader } from './frame.ts';

type ReadAction = 'balance' | 'tokenBalances' | 'transactionStatus' | 'build' | 'unlink' | 'pending';

const READS: { [A in ReadAction]: (frame: Reader, params: ParamsOf<A>) => Promise<Results[A]> } = {
  async balance(frame, { secretType, address }) {
    const { chain, node } = await chainOf(frame, secretType);
    checkAddress(chain.isAddress(address), 'address');
    return chain.balance(address, node);
  },

  async tokenBalances(frame, { secretType, address, token }) {
    const { chain, node } = await chainOf(frame, secretType);
    checkAddress(chain.isAddress(address), 'address');
    if (token === undefined) return chain.tokenBalances(address, node.network.tokens, node);
    checkAddress(chain.isAddress(token), 'token');
    return chain.tokenBalances(address, [await chain.token(token, node)], node);
  },

  async transactionStatus(frame, { secretType, hash }) {
    const { chain, node } = await chainOf(frame, secretType);
    return chain.status(hash, node);
  },

  async build(frame, { body, address }) {
    const secretType = body['secretType'] as SecretType;
    const request = (await frame.payloads(secretType)).parse(body);
    const chain = await frame.chain(secretType);
    checkAddress(chain.isAddress(address), 'address');
    const network = networkFor(frame.networks, secretType, request['network'] as NetworkChoice | undefined);
    return chain.build(request, address, chain.node(network));
  },

  async unlink(frame, { walletId }) {
    // Where the vault is out of reach, the page's own record counts, and its next `init` brings it here.
    if (!isFirstParty(frame)) return null;
    const vault = await frame.vault();
    await vault.unlink(frame.link.origin, walletId);
    frame.link.sendWallets(await vault.linked(frame.link.origin));
    return null;
  },

  async pending(frame, { requestIds }) {
    if (!isFirstParty(frame)) return [];
    const vault = await frame.vault();
    const entries = await vault.journal.pending(frame.link.origin, requestIds);
    return Promise.all(entries.map(async (entry) => toPending(await settle(frame, vault, entry))));
  },
};

export function isRead(action: Action): action is ReadAction {
  return Object.hasOwn(READS, action);
}

export async function read(frame: Reader, request: HostRequest): Promise<void> {
  try {
    const answer = READS[request.action as ReadAction] as (
      frame: Reader,
      params: unknown,
    ) => Promise<unknown>;
    request.resolve(await answer(frame, request.params));
  } catch (error) {
    request.reject(error);
  }
}

/** The page has its answer: it is not offered again. */
export async function acknowledge(frame: Reader, requestId: string): Promise<void> {
  if (!isFirstParty(frame)) return;
  const vault = await frame.vault();
  await vault.journal.acknowledge(frame.link.origin, requestId);
}

async function chainOf(frame: Reader, secretType: SecretType) {
  const chain = await frame.chain(secretType);
  return { chain, node: chain.node(activeNetwork(frame.networks, secretType)) };
}

function checkAddress(valid: boolean, path: string): void {
  if (!valid) throw new RequestInvalidError([{ path, message: 'must be an address of this chain' }]);
}

function toPending({ requestId, action, state, result, error }: JournalEntry): Pending {
  switch (state) {
    case 'done':
      return { requestId, action, state, result };
    case 'signed':
      return { requestId, action, state: 'unsent' };
    case 'failed':
      return { requestId, action, state, error };
    case 'dismissed':
      return {
        requestId,
        action,
        state: 'failed',
        error: { code: 'user.rejected', message: 'The signed transaction was dismissed.' },
      };
  }
}
