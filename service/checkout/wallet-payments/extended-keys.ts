/**
 * Extended public keys as merchants' wallets export them, alone or in a descriptor:
 * https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki, bip-0380.mediawiki, bip-0389.mediawiki, and
 * https://github.com/satoshilabs/slips/blob/master/slip-0132.md. No error repeats any part of what was sent.
 */
import type { KeyChain } from '../../../src/api/secret-type.ts';
import { concat, hexOf } from '../../../src/base/bytes.ts';
import { base58check } from '../../../src/base/base58.ts';
import type { NetworkKind } from '../../../src/chains/network.ts';
import { CHAIN_NAMES } from '../../../src/chains/secret-type.ts';
import { hash160 } from '../../../src/chains/utxo/script.ts';
import { descriptorChecksum } from './descriptor-checksum.ts';

/** The key of an account, of which `0/0`, `0/1`, … are the receiving addresses. */
export interface AccountKey {
  /** 33 bytes. */
  publicKey: Uint8Array;
  /** 32 bytes. */
  chainCode: Uint8Array;
  /** Of the master key if the descriptor names it, else of the key itself: 8 hex digits. */
  fingerprint: string;
  /** It does not say for which kind of addresses it is: only the wallet's first address shows that it is for these. */
  isAmbiguous: boolean;
}

/** For which chain and kind of network a key must be. */
export interface KeyPurpose {
  secretType: KeyChain;
  kind: NetworkKind;
}

type Script = 'any' | 'p2wpkh' | 'p2sh-p2wpkh' | 'multisig';

interface Prefix {
  name: string;
  test: boolean;
  script: Script;
  /** Where the prefix is of one coin. */
  coin?: KeyChain;
}

/** By version bytes. There is none of Litecoin's native segwit addresses: its wallets export `zpub`. */
const PREFIXES: Readonly<Record<string, Prefix>> = {
  '0488b21e': { name: 'xpub', test: false, script: 'any' },
  '049d7cb2': { name: 'ypub', test: false, script: 'p2sh-p2wpkh' },
  '04b24746': { name: 'zpub', test: false, script: 'p2wpkh' },
  '0295b43f': { name: 'Ypub', test: false, script: 'multisig' },
  '02aa7ed3': { name: 'Zpub', test: false, script: 'multisig' },
  '043587cf': { name: 'tpub', test: true, script: 'any' },
  '044a5262': { name: 'upub', test: true, script: 'p2sh-p2wpkh' },
  '045f1cf6': { name: 'vpub', test: true, script: 'p2wpkh' },
  '024289ef': { name: 'Upub', test: true, script: 'multisig' },
  '02575483': { name: 'Vpub', test: true, script: 'multisig' },
  '019da462': { name: 'Ltub', test: false, script: 'any', coin: 'LITECOIN' },
  '01b26ef6': { name: 'Mtub', test: false, script: 'p2sh-p2wpkh', coin: 'LITECOIN' },
  '0436f6e1': { name: 'ttub', test: true, script: 'any', coin: 'LITECOIN' },
};

const PRIVATE_VERSIONS: ReadonlySet<string> = new Set([
  '0488ade4',
  '049d7878',
  '04b2430c',
  '0295b005',
  '02aa7a99',
  '04358394',
  '044a4e28',
  '045f18bc',
  '024285b5',
  '02575048',
  '019d9cfe',
  '01b26792',
  '0436ef7d',
]);

const WANTED = 'a descriptor `wpkh([…]xpub…/0/*)#…`, or the extended public key of a native segwit account';

const NESTED =
  'is for addresses that begin with 3, M or 2, which are the same on several chains: make a native segwit account in your wallet';

/** What other descriptors are, by their function. */
const OTHER_DESCRIPTORS: Readonly<Record<string, string>> = {
  pkh: 'is for legacy addresses: make a native segwit account (wpkh) in your wallet',
  sh: NESTED,
  wsh: 'is for scripts such as multisig, which is not supported: it must be wpkh(…)',
  multi: 'is multisig, which is not supported: it must be wpkh(…)',
  sortedmulti: 'is multisig, which is not supported: it must be wpkh(…)',
  tr: 'is for taproot addresses, which are not supported: make a native segwit account (wpkh) in your wallet',
  pk: 'has no addresses: it must be wpkh(…)',
  combo: 'is for several kinds of addresses: it must be wpkh(…)',
};

/** Throws an error whose message follows the field's name. */
export function readAccountKey(text: string, purpose: KeyPurpose): AccountKey {
  requireNoSecret(text);
  return text.includes('(') ? readDescriptor(text, purpose) : readExtendedKey(text, purpose);
}

/** What spends coins must not get here, let alone be kept: whoever sent it should move the coins. */
function requireNoSecret(text: string): void {
  const keys = text.match(/[1-9A-HJ-NP-Za-km-z]{51,}/g) ?? [];
  if (/(?<![0-9a-z])[a-z](?:prv|tpv)/i.test(text) || keys.some(isPrivate))
    throw new Error(
      'must not have a private key, which can spend your coins: no service may have it. Consider it known to others. Send the public key',
    );
  if (text.trim().split(/\s+/).length >= 12)
    throw new Error(
      'must not be a recovery phrase, which can spend your coins: no service may have it. Consider it known to others',
    );
}

function isPrivate(text: string): boolean {
  const bytes = decode(text);
  if (!bytes) return false;
  const isWif = [33, 34].includes(bytes.length) && bytes[0]! >= 0x80;
  return isWif || PRIVATE_VERSIONS.has(hex(bytes.subarray(0, 4))) || (bytes.length === 78 && bytes[45] === 0);
}

function decode(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text);
  } catch {
    return undefined;
  }
}

interface ExtendedKey {
  prefix: Prefix;
  depth: number;
  /** Its place under its parent; from 2³¹ on hardened. */
  child: number;
  publicKey: Uint8Array;
  chainCode: Uint8Array;
}

function readExtendedKey(text: string, purpose: KeyPurpose): AccountKey {
  const { prefix, depth, publicKey, chainCode } = readKey(text, purpose);
  if (depth !== 3)
    throw new Error(
      `must be the key of an account, at depth 3 (m/84'/0'/0'), not at depth ${depth}; other paths take a descriptor`,
    );
  return {
    publicKey,
    chainCode,
    fingerprint: hex(hash160(publicKey).subarray(0, 4)),
    isAmbiguous: prefix.script === 'any',
  };
}

/** Whatever its depth. */
function readKey(text: string, { secretType, kind }: KeyPurpose): ExtendedKey {
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) throw new Error(`must be ${WANTED}`);
  const bytes = decode(text);
  if (!bytes) throw new Error('has a wrong checksum: a character is mistyped or missing');
  const prefix = bytes.length === 78 ? PREFIXES[hex(bytes.subarray(0, 4))] : undefined;
  if (!prefix) throw new Error(`must be ${WANTED}`);
  const { name, script, test, coin } = prefix;
  if (script === 'multisig') throw new Error(`is multisig (${name}), which is not supported`);
  if (coin && coin !== secretType)
    throw new Error(`is of ${CHAIN_NAMES[coin]} (${name}), not of ${CHAIN_NAMES[secretType]}`);
  if (test !== (kind !== 'mainnet'))
    throw new Error(
      `is of ${test ? 'a test network' : 'the main network'} (${name}), which the network is not`,
    );
  if (script === 'p2sh-p2wpkh') throw new Error(`(${name}) ${NESTED}`);
  return {
    prefix,
    depth: bytes[4]!,
    child: Number(`0x${hex(bytes.subarray(9, 13))}`),
    chainCode: bytes.slice(13, 45),
    publicKey: bytes.slice(45),
  };
}

const DESCRIPTOR =
  /^wpkh\((?:\[(?<origin>[0-9a-f]{8})(?<steps>(?:\/\d{1,10}['h]?)*)\])?(?<key>[1-9A-HJ-NP-Za-km-z]+)(?<path>\/[^()[\]]*)?\)$/i;

function readDescriptor(text: string, purpose: KeyPurpose): AccountKey {
  const [body = '', checksum] = text.split('#');
  requireChecksum(body, checksum);
  const [, name = ''] = /^(\w*)\(/.exec(body) ?? [];
  if (name !== 'wpkh') throw new Error(OTHER_DESCRIPTORS[name] ?? `must be ${WANTED}`);
  const { origin, steps, key, path } = DESCRIPTOR.exec(body)?.groups ?? {};
  if (key === undefined) throw new Error(`must be ${WANTED}`);
  requireReceivingPath(path);
  const extended = readKey(key, purpose);
  if (origin !== undefined) requireOrigin(steps!.split('/').slice(1), extended, purpose);
  const { publicKey, chainCode } = extended;
  return {
    publicKey,
    chainCode,
    fingerprint: origin?.toLowerCase() ?? hex(hash160(publicKey).subarray(0, 4)),
    isAmbiguous: false,
  };
}

function requireChecksum(body: string, checksum: string | undefined): void {
  if (checksum === undefined)
    throw new Error('must end with # and its checksum, as wallets export it: no mistyped path is taken then');
  if (descriptorChecksum(body) !== checksum)
    throw new Error('has a wrong checksum after #: a character is mistyped or missing');
}

function requireReceivingPath(path: string | undefined): void {
  if (path === '/0/*' || path === '/<0;1>/*') return;
  if (/\*['h]$/.test(path ?? ''))
    throw new Error(
      'has hardened addresses (*h), which no public key leads to: its path must end in /0/* or /<0;1>/*',
    );
  if (path === '/1/*')
    throw new Error(
      'is for change addresses (/1/*), not for receiving addresses: its path must end in /0/* or /<0;1>/*',
    );
  throw new Error('must have the path /0/* or /<0;1>/* after the key');
}

/** The path in brackets leads from the master key to this one. */
function requireOrigin(
  steps: readonly string[],
  { depth, child }: ExtendedKey,
  { secretType, kind }: KeyPurpose,
): void {
  const last = steps.at(-1);
  if (steps.length !== depth || (last !== undefined && numberOf(last) !== child))
    throw new Error('has a path in brackets that does not lead to its key');
  const coin = steps.length >= 2 && [44, 49, 84, 86].map(hardened).includes(numberOf(steps[0]!));
  if (!coin || kind !== 'mainnet') return;
  const other = secretType === 'BITCOIN' ? 'LITECOIN' : 'BITCOIN';
  if (numberOf(steps[1]!) === hardened(COIN_TYPES[other]))
    throw new Error(
      `is of ${CHAIN_NAMES[other]}, as its path in brackets says, not of ${CHAIN_NAMES[secretType]}`,
    );
}

/** https://github.com/satoshilabs/slips/blob/master/slip-0044.md */
const COIN_TYPES: Record<KeyChain, number> = { BITCOIN: 0, LITECOIN: 2 };

const hardened = (index: number): number => index + 2 ** 31;

function numberOf(step: string): number {
  return /['h]$/i.test(step) ? hardened(Number(step.slice(0, -1))) : Number(step);
}

const hex = (bytes: Uint8Array): string => hexOf(bytes).slice(2);

const FORM = 1;

/** The form in which a key is stored, encrypted: a byte with its version, chain code, public key. */
export function packKey({ chainCode, publicKey }: Pick<AccountKey, 'chainCode' | 'publicKey'>): Uint8Array {
  return concat(Uint8Array.of(FORM), chainCode, publicKey);
}

export function unpackKey(bytes: Uint8Array): Pick<AccountKey, 'chainCode' | 'publicKey'> {
  if (bytes[0] !== FORM || bytes.length !== 66)
    throw new Error('A receiving key is stored in a form that this version does not know.');
  return { chainCode: bytes.slice(1, 33), publicKey: bytes.slice(33) };
}
