/**
 * Names of non-fungible tokens whose metadata is not in the contract. They come from the picture source in `networks.json`, once the user
 * has asked for pictures: names reveal nothing more to it.
 */
import { type Clock, inTime } from '../../base/clock.ts';
import { inertText } from '../../base/text.ts';

/** The service's limit per request. */
const AT_ONCE = 50;
const MAX_LETTERS = 64;
const MAX_CHARACTERS = 65_536;
const TIME = 8_000;

export interface Unnamed {
  tokenId: string;
  contract: { address: string };
}

export const nameKey = ({ contract, tokenId }: Unnamed): string => `${contract.address} ${tokenId}`;

/** By `nameKey`. Names that the source does not return in time are omitted. `source` ends with a slash. */
export async function itemNames(
  source: string,
  network: string,
  unnamed: readonly Unnamed[],
  clock: Clock,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const contracts = new Map<string, Unnamed[]>();
  for (const one of unnamed)
    contracts.set(one.contract.address, [...(contracts.get(one.contract.address) ?? []), one]);
  const parts = [...contracts].flatMap(([address, all]) =>
    Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => ({
      address,
      some: all.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
    })),
  );
  const reads = parts.map(async ({ address, some }) => {
    const path = [network, address].map(encodeURIComponent).join('/');
    const url = `${source}${path}?tokens=${some.map(({ tokenId }) => tokenId).join()}`;
    const text = await inTime(clock, TIME, async (signal) => {
      const answer = await fetch(url, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        redirect: 'error',
        signal,
      });
      return answer.ok ? answer.text() : '{}';
    });
    if (text.length > MAX_CHARACTERS) return;
    // No zod schema: its record type would add to the PIN field's bundle, which contains all of zod that the wallet uses.
    const told = JSON.parse(text) as Record<string, unknown> | null;
    for (const one of some) {
      const given = told && Object.hasOwn(told, one.tokenId) ? told[one.tokenId] : undefined;
      const name = typeof given === 'string' ? inertText(given, MAX_LETTERS).trim() : '';
      if (name) names.set(nameKey(one), name);
    }
  });
  await Promise.allSettled(reads);
  return names;
}
