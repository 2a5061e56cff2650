/**
 * Files with words for the calls of contracts, which `networks.json` lists with their SHA-256. They are read once, at the start, and one that
 * is another file than was listed, or is not for its contract, stops the start.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { locales } from 'zod';
import { DescriptorEntry, readDescriptor } from '../../src/chains/descriptors/descriptor.ts';
import type { Network, Networks } from '../../src/chains/network.ts';

// The schema uses zod/mini, which has no messages.
const { localeError } = locales.en();

const LARGEST = 1_048_576;

export interface DescribedNetworks {
  /** Each `file` is where the frame's origin has it, beside its `networks.json`. */
  networks: Networks;
  /** Texts by such a `file`: `descriptors/<SHA-256>.json`. */
  descriptors: ReadonlyMap<string, string>;
}

/** `path`: of the `networks.json`. Throws an error that names the entry. */
export function withDescriptorFiles(networks: Networks, path: string): DescribedNetworks {
  const descriptors = new Map<string, string>();
  const described = networks.networks.map((network) => {
    if (!network.descriptors) return network;
    const entries = network.descriptors.map((json, i): DescriptorEntry => {
      try {
        const entry = readEntry(json, network);
        const file = `descriptors/${entry.sha256}.json`;
        descriptors.set(file, readText(entry, network, path));
        return { ...entry, file };
      } catch (error) {
        throw new Error(
          `${path}: descriptors[${i}] of the network “${network.id}” cannot be used:\n✖ ${(error as Error).message}`,
          { cause: error },
        );
      }
    });
    assertSingle(entries, network, path);
    return { ...network, descriptors: entries };
  });
  return { networks: { ...networks, networks: described }, descriptors };
}

function readEntry(json: unknown, { secretType, chainId }: Network): DescriptorEntry {
  if (secretType !== 'ETHEREUM' && secretType !== 'GOCHAIN')
    throw new Error(`There are no words for contracts on ${secretType}.`);
  if (chainId === undefined) throw new Error('The network needs its chainId.');
  const { data, error } = DescriptorEntry.safeParse(json, { error: localeError });
  if (error)
    throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n✖ '));
  if (/^\w+:\/\//.test(data.file))
    throw new Error(`${data.file} must be a file: nothing is read from the web.`);
  return data;
}

function readText(entry: DescriptorEntry, { chainId }: Network, path: string): string {
  const file = resolve(dirname(path), entry.file);
  if (statSync(file).size > LARGEST) throw new Error(`${file} is larger than ${LARGEST} bytes.`);
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== entry.sha256)
    throw new Error(
      `${file} is not the file that was listed: its SHA-256 is ${sha256}, and sha256 says ${entry.sha256}.`,
    );
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  try {
    readDescriptor(text, { chainId: chainId!, address: entry.address });
  } catch (error) {
    throw new Error(`${file} ${(error as Error).message}.`, { cause: error });
  }
  return text;
}

/** Several for one contract are for its different codes: before and after an upgrade, for example. */
function assertSingle(entries: readonly DescriptorEntry[], { id }: Network, path: string): void {
  const codes = entries.map(({ address, codeHash, implementation }) =>
    [address, codeHash, implementation?.address, implementation?.codeHash].join().toLowerCase(),
  );
  const twice = codes.findIndex((code, i) => codes.indexOf(code) !== i);
  if (twice >= 0)
    throw new Error(
      `${path}: descriptors[${twice}] of the network “${id}” is for the same code of ${entries[twice]!.address} as another one.`,
    );
}
