/** What contracts and tokens answer: calls that are run without a transaction. */
import { ConnectError } from '../../base/errors.ts';
import type { Node } from '../terms.ts';
import { revertReason } from '../contracts/calls.ts';
import { bytesOf } from '../../base/bytes.ts';
import { nonsense } from '../nodes/http.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Token } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import { RestError } from '../nodes/rest.ts';
import { balanceOf, DECIMALS, NAME, SYMBOL } from '../contracts/token-calls.ts';
import { cleanLabel, readLabel } from '../contracts/token-facts.ts';
import { addressOf, toEvm } from './address.ts';
import { isAssetId } from './fields.ts';

import { type Answer, ask, decodeWords, hexAddress, list, nothingOr, quantity, record } from './node.ts';

/** A contract's deployer, and what share of a call's energy its caller pays. */
export interface Deployer {
  address: string;
  /** Percent. */
  callerShare: bigint;
  /** Maximum units of energy that the deployer pays per call. */
  limit: bigint;
}

/** Undefined if the callers pay everything, or the node does not say. */
export async function readDeployer(
  node: Node,
  contract: string,
  caller: string,
): Promise<Deployer | undefined> {
  try {
    const answer = await ask(node, 'getcontract', { value: hexAddress(contract), visible: false });
    // Absent is 0: then the deployer pays all of it.
    const callerShare = quantity(answer['consume_user_resource_percent']);
    const origin = answer['origin_address'];
    if (callerShare >= 100n || typeof origin !== 'string' || !/^41[0-9a-f]{40}$/.test(origin))
      return undefined;
    const address = addressOf(bytesOf(`0x${origin}`));
    const limit = quantity(answer['origin_energy_limit']);
    return address === caller || limit === 0n ? undefined : { address, callerShare, limit };
  } catch {
    return undefined;
  }
}

export interface Trial {
  /** Undefined if the node runs no simulations. */
  energy?: bigint | undefined;
  /** The function's answer, `0x…`. */
  returned?: string | undefined;
  /** Why it fails, in the contract's or the node's words. */
  willFail?: string | undefined;
}

/** Runs a call without a transaction. */
export async function tryCall(
  node: Node,
  call: { from: string; to: string | null; data: string; value?: bigint },
): Promise<Trial> {
  let answer: Answer;
  try {
    answer = await ask(
      node,
      'triggerconstantcontract',
      {
        owner_address: hexAddress(call.from),
        ...(call.to === null ? {} : { contract_address: hexAddress(call.to) }),
        data: call.data.slice(2),
        ...(call.value ? { call_value: call.value } : {}),
      },
      (value) => {
        record(value['result']);
        return value;
      },
    );
  } catch (error) {
    if (error instanceof ConnectError && error.cause instanceof RestError)
      return { willFail: error.cause.message };
    throw error;
  }
  const result = record(answer['result'] ?? {});
  const words = decodeWords(result['message']);
  if (result['result'] !== true)
    return /does not support constant/.test(words) ? {} : { willFail: words || 'it cannot be called' };
  const output = answer['constant_result'];
  const first: unknown = Array.isArray(output) ? output[0] : undefined;
  const returned = typeof first === 'string' && /^([0-9a-f]{2})*$/.test(first) ? `0x${first}` : undefined;
  const energy = quantity(answer['energy_used']);
  const [outcome] = list(record(answer['transaction'] ?? {})['ret']);
  if (outcome?.['ret'] === 'FAILED')
    return { energy, willFail: (await revertReason(returned)) ?? (words || 'it reverts') };
  return { energy, returned };
}

/** `balanceOf(address)`; undefined where the contract answers none, or the node runs no simulations. */
export async function readTokenBalance(
  node: Node,
  token: string,
  owner: string,
): Promise<bigint | undefined> {
  return value((await askBalance(node, token, owner)).returned);
}

/** The same for what is shown as a balance: rejects if the node runs no simulations. */
export async function readShownBalance(
  node: Node,
  token: string,
  owner: string,
): Promise<bigint | undefined> {
  const { returned, willFail } = await askBalance(node, token, owner);
  if (returned === undefined && willFail === undefined) throw nonsense('a balance');
  return value(returned);
}

function askBalance(node: Node, token: string, owner: string): Promise<Trial> {
  return tryCall(node, { from: owner, to: token, data: balanceOf(toEvm(owner)) });
}

/** The one uint256 that a call answers. Undefined where it answers none. */
export async function readWord(node: Node, contract: string, data: string): Promise<bigint | undefined> {
  return value(await constant(node, contract, data));
}

export async function readSymbol(node: Node, token: string): Promise<string> {
  return readLabel(await constant(node, token, SYMBOL));
}

/** A token by the operator's list, else by what its issuer or contract says. Throws `request.invalid` at `path` where there is none. */
export async function tokenAt(address: string, node: Node, path = 'tokenAddress'): Promise<Token> {
  const listed = listedToken(node.network.tokens, address);
  if (listed) return listed;
  if (isAssetId(address)) {
    const asset = await ask(node, 'getassetissuebyid', { value: address, visible: false }, (answer) =>
      nothingOr(answer, answer['id'] === address, 'a TRC-10 token'),
    );
    if (asset['id'] === undefined) throw invalid(path, 'is not a TRC-10 token on this network');
    const precision = quantity(asset['precision']);
    if (precision > 6n) throw nonsense('a TRC-10 token');
    return {
      address,
      symbol: cleanLabel(decodeWords(asset['abbr'])),
      name: cleanLabel(decodeWords(asset['name'])),
      decimals: Number(precision),
      logo: '',
    };
  }
  const [decimals, symbol, name] = await Promise.all(
    [DECIMALS, SYMBOL, NAME].map((data) => constant(node, address, data)),
  );
  const places = value(decimals);
  if (places === undefined || places > 255n) throw invalid(path, 'is not a token contract on this network');
  return {
    address,
    symbol: await readLabel(symbol),
    name: await readLabel(name),
    decimals: Number(places),
    logo: '',
  };
}

async function constant(node: Node, token: string, data: string): Promise<string | undefined> {
  return (await tryCall(node, { from: token, to: token, data })).returned;
}

/** One uint256; undefined for other bytes. */
function value(returned: string | undefined): bigint | undefined {
  return returned && returned.length >= 66 ? BigInt(returned.slice(0, 66)) : undefined;
}
