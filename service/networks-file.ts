/** Reading a `networks.json`. */
import { readFileSync } from 'node:fs';
import { locales, prettifyError } from 'zod';
import { Networks } from '../src/chains/network.ts';

// The schemas are of zod/mini, which brings no messages.
const { localeError } = locales.en();

/** Throws an error that names the file and what is wrong with it. */
export function readNetworks(path: string): Networks {
  const { data, error } = Networks.safeParse(readJson(path), { error: localeError });
  if (error) throw new Error(`${path} does not say what networks there are:\n${prettifyError(error)}`);
  return data;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is not a file with JSON: ${(error as Error).message}`, { cause: error });
  }
}
