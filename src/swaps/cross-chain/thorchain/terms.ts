/** The order that a transaction carries to THORChain, read from what is signed alone, whoever built it. */
import { bytesOf } from '../../../base/bytes.ts';
import { BITCOIN } from '../../../chains/bitcoin/profile.ts';
import type { Amount } from '../../../chains/coin.ts';
import { type AbiValue, decodeExactly } from '../../../chains/contracts/abi.ts';
import { NOBODY } from '../../../chains/contracts/calls.ts';
import { checksum } from '../../../chains/contracts/evm-address.ts';
import { tokenAmount } from '../../../chains/contracts/listed-token.ts';
import type { EvmDraft } from '../../../chains/evm/draft.ts';
import { LITECOIN } from '../../../chains/litecoin/profile.ts';
import type { Network } from '../../../chains/network.ts';
import { coinOf } from '../../../chains/secret-type.ts';
import type { Draft } from '../../../chains/terms.ts';
import { fromEvm } from '../../../chains/tron/address.ts';
import type { TronDraft } from '../../../chains/tron/draft.ts';
import { decodeAddress } from '../../../chains/utxo/address.ts';
import type { UtxoDraft } from '../../../chains/utxo/draft.ts';
import type { ThorchainEntry } from './entry.ts';
import { type MemoSwap, readMemo, type UnreadableMemo } from './memo.ts';

/** What a memo says, as plain data: `chainOf(asset)` has its chain. */
export type ReadMemo = Omit<MemoSwap, 'chain'> | UnreadableMemo;

/** Plain data, as the activity keeps it. */
export interface OrderTerms {
  /** As `networks.json` calls it; undefined if it lists none for the network, so that nothing of the order can be checked. */
  exchange: string | undefined;
  /** Id of the network that it is sent on. */
  network: string;
  input: Amount;
  /** Whom the coins go to. A script, or nothing, where that is no address. */
  vault: string;
  /** The contract that takes them there: of Ethereum, where they must not go to the vault itself. */
  router?: string | undefined;
  /** The whole memo. */
  text: string;
  memo: ReadMemo;
  /** Of a deposit through the router, in seconds since 1970. */
  expiry?: bigint | undefined;
}

/** What goes to whom, with the bytes beside it. */
interface Carrier extends Pick<OrderTerms, 'input' | 'vault' | 'router' | 'expiry'> {
  data: Uint8Array;
  /** A deposit is an order, whatever its memo says. */
  isDeposit?: true;
}

/** Undefined for a transaction that carries no order. `entries`: those of `networks.json`. */
export function readOrder(
  draft: Pick<Draft, 'secretType' | 'network'>,
  entries: readonly ThorchainEntry[],
): OrderTerms | undefined {
  const carrier = carrierOf(draft);
  return carrier && termsOf(carrier, draft.network, entries);
}

/** The same of a call on Ethereum, of which there is no draft. */
export function readCallOrder(
  call: Pick<EvmDraft, 'to' | 'value' | 'data'>,
  network: Network,
  entries: readonly ThorchainEntry[],
): OrderTerms | undefined {
  const carrier = carriedByCall(call, network);
  return carrier && termsOf(carrier, network, entries);
}

/** The exchange that a network's coins are sent to. */
export function entryOn(
  network: Pick<Network, 'id'>,
  entries: readonly ThorchainEntry[],
): ThorchainEntry | undefined {
  return entries.find(({ assets }) => assets.some((asset) => asset.network === network.id));
}

function termsOf(
  { data, isDeposit, ...carrier }: Carrier,
  network: Network,
  entries: readonly ThorchainEntry[],
): OrderTerms | undefined {
  // What is not UTF-8 becomes characters that no memo has.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(data);
  const memo = memoIn(text) ?? (isDeposit && { unreadable: 'order' as const });
  if (!memo) return undefined;
  return { exchange: entryOn(network, entries)?.name, network: network.id, ...carrier, text, memo };
}

/** What a node may take for a swap after it has dropped what surrounds it is one, and unreadable. */
function memoIn(text: string): ReadMemo | undefined {
  const memo = readMemo(text);
  if (!memo) return readMemo(text.replace(/^[\p{C}\p{Z}]+/u, '')) && { unreadable: 'text' };
  if ('unreadable' in memo) return memo;
  const { chain: _, ...order } = memo;
  return order;
}

function carrierOf(draft: Pick<Draft, 'secretType' | 'network'>): Carrier | undefined {
  switch (draft.secretType) {
    case 'BITCOIN':
    case 'LITECOIN':
      return carriedByOutputs(draft as UtxoDraft);
    case 'TRON':
      return carriedOnTron(draft as TronDraft);
    case 'ETHEREUM':
      return carriedByCall(draft as EvmDraft, draft.network);
    default:
      return undefined;
  }
}

/** The vault is the first that gets coins, and all that carry data are read as one, as THORChain does. */
function carriedByOutputs({ secretType, network, from, to, outputs }: UtxoDraft): Carrier | undefined {
  const pushed = outputs.flatMap(({ script }) => pushedBy(script));
  if (!pushed.length) return undefined;
  const profile = secretType === 'BITCOIN' ? BITCOIN : LITECOIN;
  const own = decodeAddress(profile, from)?.script;
  const { value = 0n, script = '' } =
    outputs.find((output) => output.value > 0n && output.script !== own) ?? {};
  return {
    input: { raw: value, ...coinOf(network) },
    // Only scripts are signed.
    vault: decodeAddress(profile, to)?.script === script ? to : script,
    data: Uint8Array.from(pushed),
  };
}

const OP_RETURN = 0x6a;
const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA4 = 0x4e;

/** All bytes that a script pushes which only carries data, however it pushes them. */
function pushedBy(script: string): number[] {
  const bytes = bytesOf(script);
  if (bytes[0] !== OP_RETURN) return [];
  const pushed: number[] = [];
  for (let at = 1; at < bytes.length; ) {
    const code = bytes[at++]!;
    if (code > OP_PUSHDATA4) continue;
    let size = code;
    if (code >= OP_PUSHDATA1) {
      const width = 1 << (code - OP_PUSHDATA1);
      size = bytes.subarray(at, at + width).reduceRight((sum, byte) => sum * 256 + byte, 0);
      at += width;
    }
    pushed.push(...bytes.subarray(at, at + size));
    at += size;
  }
  return pushed;
}

function carriedOnTron({ contract, memo, network }: TronDraft): Carrier | undefined {
  const data = bytesOf(memo);
  if (!data.length) return undefined;
  if (contract.kind === 'coin')
    return { input: { raw: contract.amount, ...coinOf(network) }, vault: contract.to, data };
  if (contract.kind === 'asset')
    return { input: tokenAmount(contract.amount, contract.token, network), vault: contract.to, data };
  const [to, amount] = valuesOf(contract.data, TRANSFER, ['address', 'uint256']) ?? [];
  // Of another call THORChain notices nothing, whatever it moves.
  return {
    input: tokenAmount((amount as bigint | undefined) ?? 0n, contract.to, network),
    vault: to === undefined ? contract.to : fromEvm(to as string),
    data,
  };
}

const TRANSFER = '0xa9059cbb';
/** `depositWithExpiry` and `deposit`, which has no deadline. */
const DEPOSIT_WITH_EXPIRY = '0x44bc937b';
const DEPOSIT = '0x1fece7b4';
const DEPOSIT_TYPES = ['address', 'address', 'uint256', 'string'];

function carriedByCall(
  { to, value, data }: Pick<EvmDraft, 'to' | 'value' | 'data'>,
  network: Network,
): Carrier | undefined {
  if (to === null || data === '0x') return undefined;
  const coins: Amount = { raw: value, ...coinOf(network) };
  const selector = data.slice(0, 10).toLowerCase();
  // Coins that go to a vault itself, with a memo in the data.
  if (selector !== DEPOSIT_WITH_EXPIRY && selector !== DEPOSIT)
    return { input: coins, vault: to, data: bytesOf(data) };
  const types = selector === DEPOSIT ? DEPOSIT_TYPES : [...DEPOSIT_TYPES, 'uint256'];
  const values = valuesOf(data, selector, types);
  if (!values) return { input: coins, vault: '', router: to, data: new Uint8Array(), isDeposit: true };
  const [vault, asset, amount, memo, expiry] = values as [string, string, bigint, string, bigint?];
  return {
    // Of coins, the router takes what is sent with the call.
    input: asset === NOBODY ? coins : tokenAmount(amount, checksum(asset), network),
    vault,
    router: to,
    data: new TextEncoder().encode(memo),
    expiry,
    isDeposit: true,
  };
}

/** Undefined for another function, and for values that a contract could read in another way. */
function valuesOf(data: string, selector: string, types: readonly string[]): AbiValue[] | undefined {
  if (!data.toLowerCase().startsWith(selector)) return undefined;
  try {
    return decodeExactly(types, `0x${data.slice(10)}`);
  } catch {
    return undefined;
  }
}
