/** THORChain in `networks.json`: whom to ask, and what may be swapped. */
import * as z from 'zod/mini';
import type { Issue } from '../../../base/errors.ts';
import { isLoopback } from '../../../base/loopback.ts';
import type { Networks } from '../../../chains/network.ts';
import { Address } from '../../entry-fields.ts';
import { readAsset, THOR_CHAINS } from './assets.ts';

export const KIND = 'thorchain';

const Text = z.string().check(z.regex(/^\S(?:.{0,62}\S)?$/, 'must be 1 to 64 characters'));

export const entry = z.object({
  kind: z.literal(KIND),
  /** Shown to users and used in requests: `THORChain`. */
  name: z
    .string()
    .check(z.regex(/^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/, 'must be words of letters and digits')),
  /** THORNodes, each of another operator and at another domain. What two of them do not answer alike does not count. */
  nodes: z
    .array(
      z.object({
        /** What `/thorchain/…` follows. */
        url: z.string().check(z.refine(isNodeUrl, 'must be an https URL without query')),
        /** Who runs it. */
        operator: Text,
      }),
    )
    .check(z.minLength(2), z.maxLength(8)),
  /** The only contracts that deposits go to, with the Keccak-256 hash of their code. */
  routers: z
    .array(
      z.object({
        /** The network's id. */
        network: z.string(),
        address: Address,
        codeHash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits in lower case')),
      }),
    )
    .check(z.maxLength(16)),
  /** What may be swapped for what, each for all others. */
  assets: z
    .array(
      z.object({
        /** The network's id. */
        network: z.string(),
        /** Of a token that the network lists; absent for its coin. */
        token: z.optional(z.string()),
        /** THORChain's name of it: `ETH.USDC-0XA0B8…`. */
        name: z.string(),
      }),
    )
    .check(z.minLength(2), z.maxLength(64)),
});
export type ThorchainEntry = z.infer<typeof entry>;

/** Plain http only on the operator's own machine: who sits between could answer for two nodes. */
function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe && !url.username && !url.password && !url.search && !url.hash;
}

/** Registries below a country's: `co.uk`. */
const REGISTRY = /^(?:ac|co|com|edu|go|gov|ne|net|or|org)$/;

/** The part of a host that is bought as one. Without the public list of suffixes it errs towards too short: then two hosts are one. */
function domainOf(url: string): string {
  const { hostname } = new URL(url);
  const labels = hostname.replace(/\.$/, '').split('.');
  const last = labels.at(-1)!;
  if (hostname.startsWith('[') || /^\d+$/.test(last)) return hostname;
  const isNested = last.length === 2 && REGISTRY.test(labels.at(-2) ?? '');
  return labels.slice(isNested ? -3 : -2).join('.');
}

/** What is wrong with an entry among the networks of its file, by field. */
export function problemsOf(
  { nodes, routers, assets }: ThorchainEntry,
  { networks }: Pick<Networks, 'networks'>,
): Issue[] {
  const issues: Issue[] = [];
  const wrong = (path: string, message: string): void => void issues.push({ path, message });

  for (const [i, { url, operator }] of nodes.entries())
    for (const [j, other] of nodes.slice(0, i).entries()) {
      if (domainOf(url) === domainOf(other.url))
        wrong(`nodes.${i}.url`, `has the domain of nodes.${j}: they count as one`);
      if (operator.toLowerCase() === other.operator.toLowerCase())
        wrong(`nodes.${i}.operator`, `is the one of nodes.${j}: they count as one`);
    }

  for (const [i, { network: id }] of routers.entries()) {
    const network = networks.find((each) => each.id === id);
    if (!THOR_CHAINS.some(({ hasRouter, secretType }) => hasRouter && secretType === network?.secretType))
      wrong(`routers.${i}.network`, 'must be the id of an Ethereum network in this file');
  }

  for (const [i, { network: id, token, name }] of assets.entries()) {
    const at = `assets.${i}`;
    const network = networks.find((each) => each.id === id);
    const chain = THOR_CHAINS.find(({ secretType }) => secretType === network?.secretType);
    if (!network || !chain) {
      wrong(`${at}.network`, `must be the id of a network in this file, of ${secretTypes()}`);
      continue;
    }
    const rival = assets.slice(0, i).find((other) => other.name.split('.')[0] === chain.name);
    if (rival && rival.network !== id)
      wrong(`${at}.network`, `must be ${rival.network}, as of other assets of ${chain.name}`);
    const kinds = networks.filter((each) => each.id === assets[0]!.network).map(({ kind }) => kind);
    if (!kinds.includes(network.kind))
      wrong(`${at}.network`, `must be a ${kinds[0]} network, as that of the first asset`);
    if (chain.hasRouter && !routers.some((router) => router.network === id))
      wrong(`${at}.network`, 'needs an entry in routers');
    if (assets.findIndex((other) => other.name === name) !== i) wrong(`${at}.name`, 'is there twice');
    if (token === undefined) {
      if (name !== chain.coin) wrong(`${at}.name`, `must be ${chain.coin}, or token be set`);
      continue;
    }
    const isListed = network.tokens.some(({ address }) => isSame(address, token));
    if (!isListed) wrong(`${at}.token`, `must be the address of a token that ${id} lists`);
    const parts = readAsset(name);
    if (name !== name.toUpperCase() || parts?.chain !== chain.name || parts.contract !== token.toUpperCase())
      wrong(`${at}.name`, `must be ${chain.name}.SYMBOL-${token.toUpperCase()}`);
  }
  return issues;
}

/** Tron's addresses differ by case, those of Ethereum do not. */
function isSame(a: string, b: string): boolean {
  return a === b || (a.startsWith('0x') && a.toLowerCase() === b.toLowerCase());
}

function secretTypes(): string {
  return THOR_CHAINS.map(({ secretType }) => secretType).join(', ');
}
