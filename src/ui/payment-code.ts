/** Parses a scanned code: an address, or a payment URI (BIP-321, ERC-681 or another chain's equivalent). */
import { decimalText, formatAmount } from '../base/amount.ts';
import { chainOfAddress, isLookedUp } from '../chains/requests/foreign-address.ts';
import { loadAddresses } from '../chains/modules.ts';
import type { Network } from '../chains/network.ts';
import { CARDS, CHAIN_NAMES, SECRET_TYPES, type SecretType } from '../chains/secret-type.ts';
import { msg, str } from '../base/localize.ts';
import { listOf } from './text.ts';

export interface Payment {
  to: string;
  /** An amount of the coin, in decimal notation. */
  value?: string | undefined;
  /** A token's address, and `raw` smallest units of it. */
  token?: string | undefined;
  raw?: bigint | undefined;
  /** Id of the network that the code names, if the wallet is on several. */
  network?: string | undefined;
}

/** Why a code cannot be used here, as text for the user. */
export interface NoPayment {
  why: string;
}

/** The network of a wallet, to recognize codes for another one. */
export type Place = Pick<Network, 'secretType' | 'name'> & { chainId?: number | undefined };

/** Longer codes are not payments; a QR code can hold 4296 characters. */
const LONGEST = 1000;

export async function readCode(scanned: string, place: Place): Promise<Payment | NoPayment> {
  const text = scanned.trim();
  const nothing: NoPayment = { why: msg('This code holds no address.') };
  if (text.length > LONGEST) return nothing;
  const [, scheme, rest = ''] = /^([a-z]+):(?:\/\/)?(.*)$/i.exec(text) ?? [];
  if (scheme === undefined) return isLookedUp(text) ? { to: text } : addressOf(text, place);
  const name = scheme.toLowerCase();
  const chain = SECRET_TYPES.find((one) => one.toLowerCase() === name || CARDS[one].otherScheme === name);
  if (!chain) return nothing;
  // GoChain has no scheme of its own: it uses Ethereum's, with its own chain id.
  const isOwn = chain === place.secretType || (chain === 'ETHEREUM' && place.secretType === 'GOCHAIN');
  if (!isOwn) return elsewhere(CHAIN_NAMES[chain], place);
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(rest)!;
  const params = new URLSearchParams(query);
  return chain === 'ETHEREUM' ? ethereum(path, params, place) : plain(path, params, place);
}

/** For a page's own form, which sends only the coin. `readNetworks`: those that the wallet is on; called for a code that names one. */
export async function readPayment(
  text: string,
  secretType: SecretType,
  readNetworks: () => Promise<readonly NamedNetwork[]>,
): Promise<Payment | NoPayment> {
  const place: Place = { secretType, name: CHAIN_NAMES[secretType] };
  const chainId = chainIdIn(text);
  if (chainId !== undefined) {
    let networks: readonly NamedNetwork[];
    try {
      networks = await readNetworks();
    } catch {
      // Not known is no mismatch.
      return { why: msg('The wallet does not answer. Try again in a moment.') };
    }
    const network = networks.find((each) => each.chainId === chainId);
    const payment = await readPlain(text, {
      ...place,
      chainId: network?.chainId,
      name: namesOf(networks, place),
    });
    return 'why' in payment || networks.length < 2 ? payment : { ...payment, network: network?.id };
  }
  return readPlain(text, place);
}

interface NamedNetwork {
  id: string;
  name: string;
  chainId?: number | undefined;
}

/** `Ethereum, Base`. */
function namesOf(networks: readonly NamedNetwork[], { name }: Place): string {
  return listOf(networks.map((each) => each.name)) || name;
}

async function readPlain(text: string, place: Place): Promise<Payment | NoPayment> {
  const payment = await readCode(text, place);
  return 'token' in payment && payment.token !== undefined
    ? { why: msg('This code asks for more than a payment.') }
    : payment;
}

/** The chain id that an ERC-681 code names. */
export function chainIdIn(code: string): number | undefined {
  const [, chainId] = /^\s*ethereum:[^?]*(?:@|%40)(\d+)/i.exec(code) ?? [];
  return chainId === undefined ? undefined : Number(chainId);
}

function elsewhere(what: string, { name }: Place): NoPayment {
  return { why: msg(str`This code is for ${what}. This wallet is on ${name}.`) };
}

async function addressOf(text: string, place: Place): Promise<Payment | NoPayment> {
  const { readAddress } = await loadAddresses(place.secretType);
  try {
    return { to: readAddress(text) };
  } catch {
    const chain = chainOfAddress(text);
    return chain && chain !== place.secretType
      ? elsewhere(CHAIN_NAMES[chain], place)
      : { why: msg(str`This code holds no ${CHAIN_NAMES[place.secretType]} address.`) };
  }
}

/** Parameters that a code may have once, by BIP-321: with two, programs would read different payments. */
const SINGLE = ['amount', 'label', 'message', 'pop'];

/** https://github.com/bitcoin/bips/blob/master/bip-0321.mediawiki. Names of parameters are in any case. */
async function plain(path: string, asked: URLSearchParams, place: Place): Promise<Payment | NoPayment> {
  const parameters = [...asked].map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = (name: string): string[] => parameters.flatMap(([one, value]) => (one === name ? [value] : []));
  for (const [name] of parameters) if (name.startsWith('req-')) return tooMuch();
  if (SINGLE.some((name) => all(name).length > 1)) return tooMuch();
  // Without an address before them, `bc=bc1…`, and `tb=tb1…` on a test network.
  const [address = decode(path)] = path
    ? []
    : parameters.flatMap(([name, value]) => (value.toLowerCase().startsWith(`${name}1`) ? [value] : []));
  const payment = await addressOf(address, place);
  const [amount] = all('amount');
  if ('why' in payment || amount === undefined) return payment;
  try {
    return { ...payment, value: decimalText(amount) };
  } catch {
    return { why: msg('The amount in this code cannot be right.') };
  }
}

/** https://eips.ethereum.org/EIPS/eip-681 */
async function ethereum(path: string, asked: URLSearchParams, place: Place): Promise<Payment | NoPayment> {
  const [, target = '', chainId, call] =
    /^(?:pay-)?([^@/]+)(?:@(\d+))?(?:\/(\w+))?$/.exec(decode(path)) ?? [];
  if (chainId === undefined && place.secretType !== 'ETHEREUM') return elsewhere(CHAIN_NAMES.ETHEREUM, place);
  if (chainId !== undefined && Number(chainId) !== place.chainId)
    return elsewhere(msg(str`the network with chain ID ${chainId}`), place);
  if (call !== undefined && call !== 'transfer') return tooMuch();
  if (new Set(asked.keys()).size < [...asked].length) return tooMuch();
  const first = isLookedUp(target) ? { to: target } : await addressOf(target, place);
  if ('why' in first) return first;
  const amount = asked.get(call ? 'uint256' : 'value');
  const raw = amount === null ? undefined : wholeNumber(amount);
  if (amount !== null && raw === undefined) return { why: msg('The amount in this code cannot be right.') };
  if (!call)
    return {
      ...first,
      ...(raw !== undefined && { value: formatAmount(raw, CARDS[place.secretType].coin.decimals) }),
    };
  const to = await addressOf(asked.get('address') ?? '', place);
  return 'why' in to ? to : { ...to, token: first.to, raw };
}

/** A number in ERC-681 notation: `2.014e18`. */
function wholeNumber(text: string): bigint | undefined {
  const [, whole, fraction = '', power = '0'] = /^(\d+)(?:\.(\d+))?(?:e(\d{1,2}))?$/i.exec(text) ?? [];
  if (whole === undefined || fraction.length > Number(power)) return undefined;
  return BigInt(whole + fraction.padEnd(Number(power), '0'));
}

function tooMuch(): NoPayment {
  return { why: msg('This code asks for more than a payment.') };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
