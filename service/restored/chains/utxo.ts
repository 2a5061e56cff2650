/** What an address has spent, from the transactions that an Esplora node lists for it. */
import { restOf } from '../../../src/chains/nodes/rest.ts';
import { type Comparer, effectOfOutput, type MissingTransaction } from '../missing.ts';

/** Of transactions in blocks; Esplora lists 25 on each. */
const MOST_PAGES = 40;
/** The time of a block may be so far from that of its transactions. */
const BLOCK_MS = 2 * 3600_000;

interface Listed {
  txid: string;
  vin: { prevout?: { scriptpubkey_address?: string } | null }[];
  vout: { scriptpubkey: string; value: number | string }[];
  status: { confirmed: boolean; block_time?: number };
}

export const compareUtxo: Comparer = async (node, since) => {
  const rest = restOf(node);
  const isRecent = ({ status }: Listed): boolean =>
    !status.confirmed || status.block_time === undefined || status.block_time * 1000 >= since - BLOCK_MS;
  return async (address, known) => {
    const hashes = new Set(known.map(({ hash }) => hash));
    const transactions: MissingTransaction[] = [];
    let page = await rest.get<Listed[]>(`/address/${address}/txs`);
    for (let pages = 1; ; pages++) {
      for (const { txid, vin, vout } of page.filter(isRecent)) {
        const isSpend = vin.some(({ prevout }) => prevout?.scriptpubkey_address === address);
        if (!isSpend || hashes.has(txid)) continue;
        const outputs = vout.map(({ scriptpubkey, value }) => ({
          script: `0x${scriptpubkey}`,
          value: BigInt(value),
        }));
        transactions.push({ hash: txid, effects: outputs.map(effectOfOutput) });
      }
      const inBlocks = page.filter(({ status }) => status.confirmed);
      const last = inBlocks.at(-1);
      if (!last || inBlocks.length < 25 || !isRecent(last))
        return { count: transactions.length, transactions };
      if (pages === MOST_PAGES) return { count: null, transactions, why: 'it has too many transactions' };
      page = await rest.get<Listed[]>(`/address/${address}/txs/chain/${last.txid}`);
    }
  };
};
