/** What Bitcoin wallets of all standards have in common: addresses, networks, and signatures of messages. */
import { BITCOIN } from '../chains/bitcoin/profile.ts';
import { readDestination } from '../chains/utxo/address.ts';
import type { Wallet } from '../api/wallet.ts';
import { fromBase64 } from '../base/base64.ts';
import type { MessageSignature } from '../chains/terms.ts';
import type { NativeRequest, UtxoSignRequest } from '../chains/utxo/payload.ts';
import { CARDS } from '../chains/secret-type.ts';
import { ConnectError, RequestInvalidError, UserRejectedError } from '../base/errors.ts';
import { notSupported, wrongAnswer } from './external-error.ts';
import { type NamedNetwork, networkOf, networksOf } from './networks.ts';
import type { Account, ExternalHost, ExternalWallet, Wish } from './types.ts';

type Kind = NamedNetwork['kind'];

export type BitcoinWallet = ExternalWallet<NativeRequest, UtxoSignRequest>;

/** First blocks of networks whose addresses look the same, by sats-connect's names for them. */
const GENESIS: Readonly<Record<string, string>> = {
  Mainnet: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  Testnet: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  Testnet4: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  Signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  Regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
};

/** The wallet's name for a network, if it has one. */
export function nameOfNetwork({ kind, genesis }: NamedNetwork): string | undefined {
  const [name] = Object.entries(GENESIS).find(([, first]) => first === genesis) ?? [];
  return name ?? { mainnet: 'Mainnet', testnet: undefined, local: 'Regtest' }[kind];
}

export interface Shown {
  address: string;
  /** Kinds of the networks on which the address has this form. */
  kinds: readonly Kind[];
}

/** Throws if one of them is not an address. */
export function readAddresses(given: unknown, name: string): Shown[] {
  try {
    const all = (given as unknown[]).map((each) => readDestination(BITCOIN, each));
    return all.map(({ address, kinds }) => ({ address, kinds }));
  } catch {
    throw wrongAnswer(name, 'a list of addresses');
  }
}

/** `said`: the network that the wallet reports, if any. */
export async function accountsOn(
  shown: readonly Shown[],
  said: string | undefined,
  { network }: Wish,
  host: ExternalHost,
  name: string,
): Promise<Account[]> {
  if (!shown.length) throw new UserRejectedError(`No account was linked in ${name}.`);
  const networks = await networksOf(host, 'BITCOIN');
  if (network !== undefined && !networks.some(({ id }) => id === network))
    throw new RequestInvalidError([{ path: 'network', message: 'is not a network of BITCOIN' }]);
  const on = networks.find(
    (each) => (network ?? each.id) === each.id && shown.some((account) => isOn(each, account, said)),
  );
  if (!on)
    throw new ConnectError(
      'chain.not-supported',
      `${name} is on ${said ? `Bitcoin ${said}` : 'another network'}. Switch it to ${
        networks.find(({ id }) => id === network)?.name ?? networks[0]?.name ?? 'a network of this wallet'
      }.`,
    );
  return shown
    .filter(({ kinds }) => kinds.includes(on.kind))
    .map(({ address }) => ({ address, secretType: 'BITCOIN', network: on.id }));
}

function isOn({ kind, genesis }: NamedNetwork, { kinds }: Shown, said: string | undefined): boolean {
  if (!kinds.includes(kind)) return false;
  return !said || !GENESIS[said] || !genesis || GENESIS[said] === genesis;
}

/** The linked wallet's network. Throws if the wallet no longer shares the account or is on another network. */
export async function networkFor(
  wallet: Wallet,
  shown: { addresses: readonly Shown[]; said?: string | undefined } | undefined,
  host: ExternalHost,
  name: string,
): Promise<NamedNetwork> {
  const linked = await networkOf(host, wallet, name);
  if (!shown) return linked;
  const mine = shown.addresses.find((each) => each.address === wallet.address);
  if (mine && isOn(linked, mine, shown.said)) return linked;
  const elsewhere = shown.addresses.some(({ kinds }) => !kinds.includes(linked.kind));
  if (mine || elsewhere)
    throw new ConnectError(
      'chain.not-supported',
      `${name} is on another network. Switch it to ${linked.name}.`,
    );
  throw new ConnectError(
    'wallet.forbidden',
    `${name} does not let this site use the account. Link it again.`,
  );
}

/** The shared addresses on the kinds of network that are linked: a wallet that has changed its network has not revoked anything. */
export async function linkable(shown: readonly Shown[], host: ExternalHost): Promise<string[]> {
  const linked = new Set(host.linked().map(({ network }) => network));
  const kinds = linked.size
    ? (await networksOf(host, 'BITCOIN')).filter(({ id }) => linked.has(id)).map(({ kind }) => kind)
    : undefined;
  return shown
    .filter((each) => !kinds || each.kinds.some((kind) => kinds.includes(kind)))
    .map(({ address }) => address);
}

/** Reports nothing while the wallet is on another network, or cannot be asked. */
export function follow(
  read: () => Promise<readonly Shown[] | undefined>,
  host: ExternalHost,
  changed: (addresses: string[]) => void,
): void {
  const tell = async (): Promise<void> => {
    const shown = await read();
    const addresses = shown && (await linkable(shown, host));
    if (addresses?.length || shown?.length === 0) changed(addresses ?? []);
  };
  tell().catch(() => {});
}

/** Only P2WPKH: for other addresses, a transaction that another wallet can sign takes more than is known of them here. */
export function canHandOver(address: string): boolean {
  return readDestination(BITCOIN, address).script.startsWith('0x0014');
}

/** Throws `request.invalid` for a recipient on another network, whose address may look the same to a person. */
export function checkRecipient({ to }: NativeRequest, { kind, name }: NamedNetwork): void {
  if (readDestination(BITCOIN, to).kinds.includes(kind)) return;
  throw new RequestInvalidError([{ path: 'to', message: `is an address of another network than ${name}` }]);
}

/** The number of inputs of a PSBT, which follows key, length and version in the first record, the unsigned transaction. */
export function inputsOf(psbt: Uint8Array): number {
  const length = psbt[7]! < 253 ? 1 : 3;
  return psbt[7 + length + 4]!;
}

export function hashOf(given: unknown, name: string): string {
  if (typeof given === 'string' && CARDS.BITCOIN.hash.test(given)) return given.toLowerCase();
  throw wrongAnswer(name, 'a transaction hash; check its activity before you try again');
}

/** By BIP-137 if it has its 65 bytes, else by BIP-322. Throws if that is not the requested format. */
export function signatureOf(given: unknown, { format }: UtxoSignRequest, name: string): MessageSignature {
  const bytes = bytesOf(given);
  if (!bytes?.length || bytes.length > 4096) throw wrongAnswer(name, 'a signature');
  const recoverable = bytes.length === 65 && bytes[0]! >= 27 && bytes[0]! <= 42;
  if (recoverable === (format === 'bip137')) return { signature: given as string };
  throw notSupported(
    name,
    recoverable ? 'BIP-322 signatures; request format: "bip137"' : 'BIP-137 signatures with this account',
  );
}

function bytesOf(given: unknown): Uint8Array | undefined {
  try {
    return typeof given === 'string' ? fromBase64(given) : undefined;
  } catch {
    return undefined;
  }
}
