/** Reads from nodes and the wallet service. The page passes addresses and hashes; the vault is neither needed nor loaded. */
import { formatAmount } from '../../base/amount.ts';
import type { TransactionState } from '../../chains/terms.ts';
import { networkFor } from '../../chains/nodes/network-choice.ts';
import { activeNetwork, networkOf, type NetworkChoice, usableNetworks } from '../../chains/nodes/networks.ts';
import type { Network } from '../../chains/network.ts';
import { withOpenFields } from '../../chains/requests/open-fields.ts';
import type { Home, SecretType } from '../../chains/secret-type.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { Results } from '../../channel/messages.ts';
import { readParams, type ReadParams } from '../../channel/read-schema.ts';
import type { Action } from '../../base/actions.ts';
import { ConnectError, RequestInvalidError } from '../../base/errors.ts';
import type { NodeReader } from '../frame.ts';

type ReadAction =
  | 'balance'
  | 'tokenBalances'
  | 'maxSpendable'
  | 'transactionStatus'
  | 'transactionUrl'
  | 'prices'
  | 'build'
  | 'profile'
  | 'nonFungibles'
  | 'swapPairs'
  | 'swapRates'
  | 'createSwap'
  | 'swapOutcome'
  | 'rpc';

const READS: { [A in ReadAction]: (frame: NodeReader, params: ReadParams<A>) => Promise<Results[A]> } = {
  async balance(frame, { address, ...home }) {
    const { chain, node } = await chainOf(frame, home);
    checkAddress(chain.isAddress(address), 'address');
    return chain.balance(address, node);
  },

  async tokenBalances(frame, { address, token, ...home }) {
    const { chain, node } = await chainOf(frame, home);
    checkAddress(chain.isAddress(address), 'address');
    if (token === undefined) return chain.tokenBalances(address, node.network.tokens, node);
    checkAddress(chain.isAddress(token), 'token');
    // Any token: for an unlisted one, its contract's own description is the only source.
    return chain.tokenBalances(address, [await describe(chain.token(token, node))], node);
  },

  async maxSpendable(frame, { address, to, data, ...home }) {
    const { chain, node } = await chainOf(frame, home);
    checkAddress(chain.isAddress(address), 'address');
    checkAddress(to === undefined || chain.isAddress(to), 'to');
    if (!chain.maxSpendable)
      throw new ConnectError(
        'chain.not-supported',
        `The maximum sendable amount is not available for ${home.secretType}.`,
      );
    const bytes = data === undefined ? undefined : await dataOf(frame, home.secretType, address, data);
    return formatAmount(await chain.maxSpendable(address, to, node, bytes), chain.coin.decimals);
  },

  async nonFungibles(frame, { address, contracts, ...home }) {
    const { chain, node } = await chainOf(frame, home);
    checkAddress(chain.isAddress(address), 'address');
    const { listNonFungibles } = await import('./non-fungibles.ts');
    return listNonFungibles(frame, chain, node, address, contracts);
  },

  async transactionStatus(frame, { secretType, hash, network, inBlock }) {
    const chain = await frame.chain(secretType);
    const stateAt = async (network: Network): Promise<TransactionState> => {
      const node = chain.node(network);
      return inBlock ? (await chain.receipt(hash, node)).state : chain.status(hash, node);
    };
    if (network !== undefined) return stateAt(networkOf(frame.networks, { secretType, network }));
    let state = await stateAt(activeNetwork(frame.networks, secretType));
    // A hash does not reveal its network, and only one of them knows it.
    for (const other of usableNetworks(frame.networks, secretType).slice(1))
      if (state === 'unknown') state = await stateAt(other);
    return state;
  },

  async transactionUrl({ networks }, { hash, ...home }) {
    const { explorer } = networkOf(networks, home);
    return explorer === undefined ? null : explorer + encodeURIComponent(hash);
  },

  async prices(frame, params) {
    return (await import('./prices.ts')).assetPrices(frame, params);
  },

  async build(frame, { body, address, network: own }) {
    const secretType = body['secretType'] as SecretType;
    const payloads = await frame.payloads(secretType);
    const request = payloads.parse(body);
    const chain = await frame.chain(secretType);
    checkAddress(chain.isAddress(address), 'address');
    const network = networkFor(
      frame.networks,
      { secretType, network: own },
      request['network'] as NetworkChoice | undefined,
      frame.link.origin,
    );
    return withOpenFields(await chain.build(request, address, chain.node(network)), payloads);
  },

  swapPairs: async (frame, params) => (await swaps()).pairs(frame, params),
  swapRates: async (frame, params) => (await swaps()).rates(frame, params),
  createSwap: async (frame, params) => (await swaps()).create(frame, params),
  swapOutcome: async (frame, params) => (await swaps()).outcome(frame, params),

  rpc: async (frame, params) => (await import('./rpc.ts')).rpc(frame, params),

  async profile({ link, networks }) {
    return (await import('./profile.ts')).profile(link, networks);
  },
};

export function isRead(action: Action): action is ReadAction {
  return Object.hasOwn(READS, action);
}

export async function read(frame: NodeReader, request: HostRequest): Promise<void> {
  try {
    request.resolve(await answer(frame, request.action as ReadAction, request.params));
  } catch (error) {
    request.reject(error);
  }
}

function answer<A extends ReadAction>(frame: NodeReader, action: A, params: unknown): Promise<Results[A]> {
  return READS[action](frame, readParams(action, params));
}

const swaps = () => import('./swaps.ts');

async function chainOf(frame: NodeReader, home: Home) {
  const chain = await frame.chain(home.secretType);
  return { chain, node: chain.node(networkOf(frame.networks, home)) };
}

/** The data of a transfer as the chain's own schema reads it. Throws `request.invalid` at `data`. */
async function dataOf(frame: NodeReader, secretType: SecretType, to: string, data: string): Promise<string> {
  const payloads = await frame.payloads(secretType);
  const transfer = payloads.parseTransfer({ walletId: 'any', secretType, to, value: '1', data });
  return (transfer as { data?: string }).data ?? '0x';
}

/** The chain's error names the field of its payloads; here the field is `token`. */
async function describe<T>(token: Promise<T>): Promise<T> {
  try {
    return await token;
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== 'request.invalid') throw error;
    throw new RequestInvalidError([{ path: 'token', message: 'is not a token contract on this network' }]);
  }
}

function checkAddress(valid: boolean, path: string): void {
  if (!valid) throw new RequestInvalidError([{ path, message: 'must be an address of this chain' }]);
}
