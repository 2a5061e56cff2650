/** Reads `networks.json`. */
import { readFileSync } from 'node:fs';
import { locales, prettifyError, type ZodError } from 'zod';
import * as z from 'zod/mini';
import { type Network, Networks } from '../../src/chains/network.ts';
import { CARDS } from '../../src/chains/secret-type.ts';
import type { Issue } from '../../src/base/errors.ts';
import { readFiat } from '../../src/prices/entry.ts';
import { readCrossChain } from '../../src/swaps/cross-chain/entry.ts';
import { readEntries, withAddresses } from '../../src/swaps/entry.ts';
import { isAddress } from '../../src/chains/tron/address.ts';
import { wrongPrices } from '../prices/prices.ts';
import { toldApart } from './alike-names.ts';
import { type DescribedNetworks, withDescriptorFiles } from './descriptor-files.ts';
import { wrongOrigins } from './embed.ts';
import { withPresets } from './presets.ts';
import { withListFiles } from './token-lists.ts';

// The schemas use zod/mini, which has no messages.
const { localeError } = locales.en();

/** With what no browser needs to check: it gets the file from here. */
export const NetworksFile = z
  .extend(Networks, { redirects: z.optional(z.array(z.string())) })
  .check(({ value, issues }) => {
    for (const [index, { coin }] of value.networks.entries()) {
      const wrong = (field: string, message: string): void =>
        void issues.push({
          code: 'custom',
          path: ['networks', index, 'coin', field],
          message,
          input: coin,
        });
      if (coin && !/^[^\s\p{C}]{1,20}$/u.test(coin.symbol)) wrong('symbol', 'must have 1 to 20 characters');
      if ((coin?.decimals ?? 18) !== 18) wrong('decimals', 'must be 18, as of every coin of an EVM');
    }
  });

/**
 * Includes the networks of presets, and the tokens of token lists that are files. Throws an error that names the file and what is wrong with
 * it.
 */
export function readNetworks(path: string): Networks {
  return readNetworksFile(path).networks;
}

/** The same, with the files that the frame's origin serves beside it. */
export function readNetworksFile(path: string): DescribedNetworks {
  const written = readJson(path);
  const content = expanded(written, path);
  const { data, error } = NetworksFile.safeParse(content, { error: localeError });
  if (error)
    throw new Error(
      `${path} is not valid:\n${prettifyError(content === written ? error : withIds(error, content))}`,
    );
  const wrongHosts = wrongOrigins('embed', data.embed ?? []);
  if (wrongHosts)
    throw new Error(`${path} has an invalid list of pages that may embed the wallet:\n${wrongHosts}`);
  const wrongSites = wrongOrigins('redirects', data.redirects ?? []);
  if (wrongSites)
    throw new Error(`${path} has an invalid list of pages that may ask by redirect:\n${wrongSites}`);
  const wrongFiat = whyNot(data.fiat);
  if (wrongFiat) throw new Error(`${path} has an invalid source of prices:\n✖ ${wrongFiat}`);
  for (const network of data.networks) {
    const wrong = wrongExchanges(network);
    if (wrong) throw new Error(`${path} has invalid exchanges on ${network.id}:\n${wrong}`);
    for (const field of ['coin', 'minTip'] as const)
      if (network[field] !== undefined && CARDS[network.secretType].contracts !== 'evm')
        throw new Error(
          `${path} is not valid:\n✖ ${field} of ${network.id}: is only for ETHEREUM and GOCHAIN`,
        );
  }
  const described = withDescriptorFiles(
    withListFiles({ ...data, networks: toldApart(data.networks) }, path),
    path,
  );
  const wrongCrossChain = linesOf(readCrossChain(described.networks).issues);
  if (wrongCrossChain) throw new Error(`${path} has invalid exchanges between chains:\n${wrongCrossChain}`);
  for (const network of described.networks.networks) {
    const wrong = linesOf(wrongPrices(network));
    if (wrong) throw new Error(`${path} has invalid prices on ${network.id}:\n${wrong}`);
  }
  return described;
}

function expanded(content: unknown, path: string): unknown {
  try {
    return withPresets(content);
  } catch (error) {
    throw new Error(`${path} is not valid:\n✖ ${(error as Error).message}`, { cause: error });
  }
}

/** With the ids of networks instead of their places, which presets shift. */
function withIds({ issues }: Pick<ZodError, 'issues'>, content: unknown): Pick<ZodError, 'issues'> {
  const { networks = [] } = content as { networks?: { id?: unknown }[] };
  return {
    issues: issues.map((issue) => {
      const [list, place, ...rest] = issue.path;
      const id = list === 'networks' && typeof place === 'number' ? networks[place]?.id : undefined;
      return typeof id === 'string' ? { ...issue, path: [list!, id, ...rest] } : issue;
    }),
  };
}

function linesOf(issues: readonly Issue[]): string | undefined {
  return issues.map(({ path, message }) => `✖ ${path} ${message}`).join('\n') || undefined;
}

/** Browsers check it only with the first price. Undefined when it is valid. */
function whyNot(fiat: unknown): string | undefined {
  if (fiat === undefined) return undefined;
  try {
    readFiat(fiat);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Browsers check exchanges only with the first swap. Undefined when they are valid. */
function wrongExchanges(network: Network): string | undefined {
  const { secretType, exchanges = [] } = network;
  if (exchanges.length > 0 && !CARDS[secretType].contracts) return `There are no exchanges on ${secretType}.`;
  const { entries, issues } = readEntries(network);
  if (secretType === 'TRON')
    for (const [i, entry] of entries.entries())
      withAddresses(entry, (address, path) => {
        if (!isAddress(address))
          issues.push({ path: `exchanges.${i}.${path}`, message: 'has a wrong checksum' });
        return address;
      });
  return linesOf(issues);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
}
