/** The operator's words for a call, from the file that `networks.json` lists. Loaded with the first call of a contract that has one. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Clock, inTime } from '../../base/clock.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import { type DescriptorEntry, entriesFor } from '../../chains/descriptors/descriptor.ts';
import { wordsOf } from '../../chains/descriptors/words.ts';
import type { Network } from '../../chains/network.ts';

/** Milliseconds. The approval waits for them no longer. */
const PATIENCE = 5_000;

/** Texts by their SHA-256. */
const files = new Map<string, Promise<string>>();

/** The summary as it is, where the file cannot be read, is not the one that was listed, or does not describe the call. */
export async function withWords(clock: Clock, network: Network, summary: Summary): Promise<Summary> {
  const { call, to, from, chainId, amount } = summary;
  if (!call || to === null || chainId === undefined || chainId !== network.chainId) return summary;
  const entry = entriesFor(network, to).find((one) => one.sha256 === call.descriptor);
  if (!entry) return summary;
  try {
    const text = await textOf(clock, entry);
    const value = amount.token === undefined ? amount.raw : 0n;
    const words = wordsOf(text, { network, chainId, address: to, from, value, data: call.data });
    return words ? { ...summary, call: { ...call, words } } : summary;
  } catch {
    return summary;
  }
}

function textOf(clock: Clock, entry: DescriptorEntry): Promise<string> {
  let text = files.get(entry.sha256);
  if (!text) {
    files.set(entry.sha256, (text = inTime(clock, PATIENCE, (signal) => load(entry, signal))));
    // The next draft asks again.
    text.catch(() => files.delete(entry.sha256));
  }
  return text;
}

/** Beside `networks.json`, in the parent of the page's folder: no path leads to another origin. Only what the operator listed is used. */
async function load({ file, sha256: listed }: DescriptorEntry, signal: AbortSignal): Promise<string> {
  const url = new URL(`../${file}`, location.href);
  const response = await fetch(url, {
    credentials: 'omit',
    redirect: 'error',
    signal,
  });
  if (!response.ok) throw new Error(`${url.href} answered HTTP ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const hash = bytesToHex(sha256(bytes));
  if (hash !== listed) throw new Error(`${url.href} has the SHA-256 ${hash}, not ${listed}`);
  return new TextDecoder().decode(bytes);
}
