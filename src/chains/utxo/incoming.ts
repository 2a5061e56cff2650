/** Incoming coins of an address, from the transactions that an Esplora node lists for it. */
import { type FindIncoming, type Incoming, MAX_INCOMING } from '../nodes/incoming.ts';
import { restOf } from '../nodes/rest.ts';

/** Less than this costs about as much to spend as it is worth. */
const DUST = 1_000n;

interface Output {
  scriptpubkey_address?: unknown;
  value?: unknown;
}

export const findIncoming: FindIncoming = async (address, node, _cursor, coin) => {
  const listed = (await restOf(node).get(`/address/${address}/txs`)) as Record<string, unknown>[];
  const items = listed.slice(0, MAX_INCOMING).flatMap((transaction): Incoming[] => {
    const { txid, vin, vout, status } = transaction as Record<'txid' | 'vin' | 'vout' | 'status', unknown>;
    const spent = (vin as { prevout?: Output | null }[]).map(({ prevout }) => prevout?.scriptpubkey_address);
    // The wallet's own: what returns is change.
    if (!/^[0-9a-f]{64}$/.test(String(txid)) || spent.includes(address)) return [];
    const raw = (vout as Output[])
      .filter((output) => output.scriptpubkey_address === address)
      .reduce((sum, { value }) => sum + BigInt(value as number | string), 0n);
    if (raw <= 0n) return [];
    const [from, ...others] = new Set(spent);
    const { confirmed, block_time: time } = (status ?? {}) as Record<string, unknown>;
    return [
      {
        id: String(txid),
        hash: String(txid),
        ...(typeof from === 'string' && others.length === 0 && { from }),
        amount: { raw, ...coin },
        ...(confirmed === true && typeof time === 'number' && { at: time * 1000 }),
        ...(raw < DUST && { dust: true }),
      },
    ];
  });
  return { items };
};
