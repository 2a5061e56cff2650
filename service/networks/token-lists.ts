/**
 * Token lists in the standard format (https://tokenlists.org): the tokens of a network's chain id are added to those that `networks.json`
 * lists itself, which come first and win. A file is read once, and an invalid entry in it stops the start. A list on the web is read at the
 * start and again from time to time; invalid entries are left out, and while it cannot be read its tokens stay as they were.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { imageAddress, IPFS_GATEWAY } from '../../src/chains/evm/token-metadata.ts';
import { loadAddresses } from '../../src/chains/modules.ts';
import type { Network, Networks, Token } from '../../src/chains/network.ts';
import { chainsThat } from '../../src/chains/secret-type.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { readText } from '../outbound/read-text.ts';

const LIMITS = { bytes: 8_388_608, milliseconds: 15_000, redirects: 3 };
const REFRESH_MS = 3_600_000;

/** By chain, for chains with tokens. */
const ADDRESSES = new Map(
  await Promise.all(
    chainsThat(({ tokens }) => tokens).map(async (chain) => [chain, await loadAddresses(chain)] as const),
  ),
);

/** https://github.com/Uniswap/token-lists/blob/main/src/tokenlist.schema.json, as far as it is used here. */
const TokenList = z.looseObject({
  name: z.string().max(60),
  version: z.looseObject({ major: z.int().min(0), minor: z.int().min(0), patch: z.int().min(0) }),
  tokens: z.array(z.unknown()).max(10_000),
});

const ListedToken = z.looseObject({
  chainId: z.int().min(1),
  address: z.string(),
  symbol: z
    .string()
    .max(20)
    .regex(/^[^\s\p{C}]*$/u, 'must not have spaces or control characters'),
  name: z
    .string()
    .max(60)
    .regex(/^[^\p{C}]*$/u, 'must not have control characters'),
  decimals: z.int().min(0).max(255),
  logoURI: z.string().max(4_096).optional(),
});

export interface ReadTokens {
  tokens: Token[];
  /** What is wrong with the other entries: `tokens[3].decimals: …`. */
  problems: string[];
}

/** A list's tokens on the network. Throws an error when it is not a token list. */
export function tokensOf(text: string, { secretType, chainId }: Network, gateway: string): ReadTokens {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const list = TokenList.safeParse(json);
  if (list.error) throw new Error(`it is not a token list: ${wordsOf(list.error).join('; ')}`);
  const { readAddress } = ADDRESSES.get(secretType)!;
  const problems: string[] = [];
  const tokens: Token[] = [];
  for (const [i, item] of list.data.tokens.entries()) {
    const { data, error } = ListedToken.safeParse(item);
    if (error) {
      problems.push(...wordsOf(error, `tokens[${i}]`));
      continue;
    }
    const { address, symbol, name, decimals, logoURI } = data;
    // A list may cover many chains, with addresses of any form.
    if (data.chainId !== chainId) continue;
    try {
      tokens.push({
        address: readAddress(address),
        symbol,
        name,
        decimals,
        logo: imageAddress(logoURI, gateway),
      });
    } catch {
      problems.push(`tokens[${i}].address: is not an address of ${secretType}`);
    }
  }
  return { tokens, problems };
}

function wordsOf({ issues }: z.ZodError, within = ''): string[] {
  return issues.map(
    ({ path, message }) => `${[within, ...path.map(String)].filter(Boolean).join('.')}: ${message}`,
  );
}

/** Each token once, by its address without regard to case. */
function mergedTokens(...lists: readonly (readonly Token[])[]): Token[] {
  const byAddress = new Map<string, Token>();
  for (const token of lists.flat()) {
    const key = token.address.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, token);
  }
  return [...byAddress.values()];
}

const isOnWeb = (list: string): boolean => /^https?:/i.test(list);

/** Adds the tokens of lists that are files to their networks, and leaves lists on the web in `tokenLists`. Throws an error for an invalid list. */
export function withListFiles(networks: Networks, path: string): Networks {
  const gateway = networks.ipfsGateway ?? IPFS_GATEWAY;
  return {
    ...networks,
    networks: networks.networks.map((network) => {
      const { tokenLists, ...rest } = network;
      if (!tokenLists) return network;
      checkNetwork(network, path);
      const files = tokenLists
        .filter((list) => !isOnWeb(list))
        .map((list) => readListFile(resolve(dirname(path), list), network, gateway));
      const onWeb = tokenLists.filter(isOnWeb);
      return {
        ...rest,
        tokens: mergedTokens(rest.tokens, ...files),
        ...(onWeb.length && { tokenLists: onWeb }),
      };
    }),
  };
}

function checkNetwork({ id, secretType, chainId, tokenLists }: Network, path: string): void {
  const refuse = (why: string) => new Error(`${path}: tokenLists of the network “${id}” ${why}`);
  if (!ADDRESSES.has(secretType)) throw refuse(`cannot be used: ${secretType} has no tokens here`);
  if (chainId === undefined) throw refuse('need its chainId, by which lists assign tokens to chains');
  for (const list of tokenLists!) {
    if (!isOnWeb(list)) continue;
    const url = URL.canParse(list) ? new URL(list) : undefined;
    const isSafe =
      url?.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
    if (!isSafe) throw refuse(`must be files or https URLs: ${list}`);
  }
}

function readListFile(file: string, network: Network, gateway: string): Token[] {
  try {
    const { tokens, problems } = tokensOf(readFileSync(file, 'utf8'), network, gateway);
    if (problems.length) throw new Error(problems.slice(0, 20).join('\n  '));
    return tokens;
  } catch (error) {
    throw new Error(`The token list ${file} cannot be used:\n  ${(error as Error).message}`, {
      cause: error,
    });
  }
}

export interface TokenListsOptions {
  warn: (message: string) => void;
  /** Called when a later read changed something. */
  changed?: (networks: Networks) => void;
  /** Milliseconds between two reads. */
  every?: number;
}

/** The networks with the tokens of their lists on the web, kept up to date until `stop`. */
export class TokenLists {
  /** The text that was read last, by URL. */
  readonly #texts = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #networks: Networks;

  private constructor(
    readonly source: Networks,
    readonly outbound: Outbound,
    readonly options: TokenListsOptions,
  ) {
    this.#networks = source;
  }

  /** Waits for the first read, whether it succeeds or not. */
  static async open(networks: Networks, outbound: Outbound, options: TokenListsOptions): Promise<TokenLists> {
    const lists = new TokenLists(networks, outbound, options);
    if (lists.#urls().length === 0) return lists;
    await lists.#renew();
    lists.#timer = setInterval(() => void lists.refresh(), options.every ?? REFRESH_MS).unref();
    return lists;
  }

  /** A new object after each change. */
  get networks(): Networks {
    return this.#networks;
  }

  async refresh(): Promise<void> {
    if (await this.#renew()) this.options.changed?.(this.#networks);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether anything changed. */
  async #renew(): Promise<boolean> {
    const changed = await Promise.all(this.#urls().map((url) => this.#read(url)));
    if (!changed.includes(true)) return false;
    const gateway = this.source.ipfsGateway ?? IPFS_GATEWAY;
    this.#networks = {
      ...this.source,
      networks: this.source.networks.map(({ tokenLists = [], ...network }) => ({
        ...network,
        tokens: mergedTokens(network.tokens, ...tokenLists.map((url) => this.#tokens(url, network, gateway))),
      })),
    };
    return true;
  }

  #urls(): string[] {
    return [...new Set(this.source.networks.flatMap(({ tokenLists = [] }) => tokenLists))];
  }

  /** Whether the list changed. */
  async #read(url: string): Promise<boolean> {
    try {
      const text = await readText(this.outbound, url, LIMITS);
      const users = this.source.networks.filter(({ tokenLists = [] }) => tokenLists.includes(url));
      const before = this.#texts.get(url);
      if (text === before) return false;
      for (const network of users)
        for (const problem of tokensOf(text, network, IPFS_GATEWAY).problems.slice(0, 20))
          this.options.warn(`token list ${url}: ${problem}; the entry is left out`);
      this.#texts.set(url, text);
      return true;
    } catch (error) {
      const kept = this.#texts.has(url) ? 'its tokens stay as they were' : 'its tokens are missing';
      this.options.warn(`token list ${url} cannot be used, and ${kept}: ${(error as Error).message}`);
      return false;
    }
  }

  #tokens(url: string, network: Network, gateway: string): Token[] {
    const text = this.#texts.get(url);
    return text === undefined ? [] : tokensOf(text, network, gateway).tokens;
  }
}
