/** What a name resolves to, from the networks' own registries. Loaded when a name is typed. */
import { loadAddresses } from '../modules.ts';
import type { Node } from '../terms.ts';
import type { Network, Networks } from '../network.ts';
import { usableNetworks } from '../nodes/networks.ts';
import { CHAIN_NAMES, type SecretType } from '../secret-type.ts';
import { NameProblem } from './name-problem.ts';

export { NameProblem } from './name-problem.ts';

export interface ResolvedName {
  /** Normalised: what was really looked up. */
  name: string;
  address: string;
  /** The network whose register has it. */
  network: string;
}

export interface Directory {
  networks: Networks;
  /** A client of one of them. */
  node(network: Network): Promise<Node>;
}

/** Coin types of SLIP-44, by which ENS names have addresses on other chains (ENSIP-9). Aeternity has its own names. */
const COIN_TYPES: Partial<Record<SecretType, number>> = {
  BITCOIN: 0,
  LITECOIN: 2,
  ETHEREUM: 60,
  TRON: 195,
  VECHAIN: 818,
  GOCHAIN: 6060,
};

/** Ethereum, Sepolia, Holesky, Hoodi: each has its own registry, under Ether's coin type. */
const OWN_REGISTER = [1, 11_155_111, 17_000, 560_048];

/** Layer-2 networks: https://docs.ens.domains/ensip/11 */
const EVM_COIN_TYPE = 0x8000_0000;

/** The address of a name on the network of a wallet. Throws `NameProblem`, and what its node throws. */
export async function lookUp(text: string, home: Network, directory: Directory): Promise<ResolvedName> {
  const { secretType } = home;
  const typed = text.trim();
  const ending = /\.(chain|vet)$/i.exec(typed)?.[1]?.toLowerCase();
  const owner = ending === 'chain' ? 'AETERNITY' : ending === 'vet' ? 'VECHAIN' : undefined;
  if (owner && owner !== secretType) throw new NameProblem('other-chain', CHAIN_NAMES[owner]);
  if (owner === 'AETERNITY') {
    const { aensAddress } = await import('./registers.ts');
    const address = await aensAddress(await directory.node(home), typed);
    return resolvedName(typed.toLowerCase(), address, home, home);
  }
  const name = await normalized(typed);
  if (owner === 'VECHAIN') {
    const { vetAddress } = await import('./registers.ts');
    return resolvedName(name, await vetAddress(await directory.node(home), name), home, home);
  }
  const { register, coinType } = registerOf(home, directory.networks);
  const { ensRecord } = await import('./registers.ts');
  const record = await ensRecord(await directory.node(register), name, coinType);
  const { addressOfRecord } = await import('./records.ts');
  return resolvedName(name, await addressOfRecord(record.toLowerCase(), home), register, home);
}

/** The registry's answer, as an address of the wallet's chain. */
async function resolvedName(
  name: string,
  given: string | undefined,
  { name: network }: Network,
  { secretType }: Network,
): Promise<ResolvedName> {
  const { readAddress } = await loadAddresses(secretType);
  try {
    return { name, address: readAddress(given), network };
  } catch {
    throw new NameProblem('unknown');
  }
}

/** The Ethereum network that has the names of a network, and the coin type that stands for that one. */
function registerOf(home: Network, networks: Networks): { register: Network; coinType: number } {
  const { secretType, chainId = 0, kind } = home;
  const coinType = COIN_TYPES[secretType];
  if (coinType === undefined) throw new NameProblem('no-registry', home.name);
  const isLayer = secretType === 'ETHEREUM' && kind !== 'local' && !OWN_REGISTER.includes(chainId);
  if (secretType === 'ETHEREUM' && !isLayer) return { register: home, coinType };
  const register = usableNetworks(networks, 'ETHEREUM').find((network) =>
    isLayer ? network.chainId === 1 : network.kind === kind && (kind !== 'mainnet' || network.chainId === 1),
  );
  if (!register) throw new NameProblem('no-registry', home.name);
  return { register, coinType: isLayer ? EVM_COIN_TYPE + chainId : coinType };
}

/** Labels that ENSIP-15 leaves as they are, once in lower case. https://docs.ens.domains/ensip/15 */
const PLAIN = /^(?!..--)[a-z0-9-]+$/;

/** The form that is hashed, by ENSIP-15: names must not differ only by case. The tables for other scripts are loaded for names that need them. */
export async function normalized(text: string): Promise<string> {
  const ascii = /^[\x21-\x7e]+$/.test(text) ? text.toLowerCase() : undefined;
  if (ascii?.split('.').every((label) => PLAIN.test(label))) return ascii;
  const { ens_normalize } = await import('@adraffy/ens-normalize');
  let name: string;
  try {
    name = ens_normalize(text);
  } catch {
    throw new NameProblem('form');
  }
  if (name.split('.').some((label) => !label)) throw new NameProblem('form');
  return name;
}
