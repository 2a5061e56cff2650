/** Incoming coins and TRC-20 tokens, if the node is a TronGrid: java-tron itself has no index by address. */
import { shortName } from '../contracts/token-facts.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { type FindIncoming, type Incoming, isDust, isEnough, MAX_PAGES, mostOf } from '../nodes/incoming.ts';
import { restOf } from '../nodes/rest.ts';
import { isAddress, readAddress } from './address.ts';

type Json = Record<string, unknown>;

const QUERY = 'only_to=true&only_confirmed=true&limit=100';

export const findIncoming: FindIncoming = async (address, node, cursor, coin) => {
  const rest = restOf(node);
  const since = cursor === undefined ? '' : `&min_timestamp=${cursor}`;
  let last = cursor ?? 0;
  const list = async (path: string, read: (one: Json) => Incoming | undefined): Promise<Incoming[]> => {
    const transfers: Incoming[] = [];
    let next = '';
    for (let page = 0; page < MAX_PAGES && !isEnough(transfers); page++) {
      const answer = (await rest.get(`/v1/accounts/${address}/${path}?${QUERY}${since}${next}`)) as Json;
      transfers.push(...(answer['data'] as Json[]).flatMap((one) => read(one) ?? []));
      const { fingerprint } = (answer['meta'] ?? {}) as Json;
      if (typeof fingerprint !== 'string' || !fingerprint) break;
      next = `&fingerprint=${encodeURIComponent(fingerprint)}`;
    }
    return mostOf(transfers);
  };
  const itemOf = (
    hash: unknown,
    at: unknown,
    sender: unknown,
    amount: Incoming['amount'],
  ): Incoming | undefined => {
    if (!/^[0-9a-f]{64}$/.test(String(hash)) || !Number.isSafeInteger(at) || !isAddress(String(sender)))
      return undefined;
    const from = readAddress(sender);
    if (from === address) return undefined;
    last = Math.max(last, at as number);
    return {
      id: `${String(hash)}:${amount.token ?? ''}`,
      hash: String(hash),
      from,
      amount,
      at: at as number,
      ...(isDust(amount) && { dust: true }),
    };
  };
  const items = await Promise.all([
    list('transactions', ({ txID, block_timestamp: at, raw_data: data, ret }) => {
      const [contract] = ((data as Json)['contract'] ?? []) as Json[];
      const { value } = (contract?.['parameter'] ?? {}) as { value?: Json };
      const [result] = (ret ?? []) as Json[];
      if (contract?.['type'] !== 'TransferContract' || result?.['contractRet'] !== 'SUCCESS' || !value)
        return undefined;
      return itemOf(txID, at, value['owner_address'], { raw: BigInt(value['amount'] as number), ...coin });
    }),
    list('transactions/trc20', (one) => {
      const { transaction_id: hash, block_timestamp: at, from, to, type, value, token_info: info } = one;
      const contract = String((info as Json | undefined)?.['address']);
      if (type !== 'Transfer' || to !== address || !isAddress(contract)) return undefined;
      const listed = listedToken(node.network.tokens, contract);
      return itemOf(hash, at, from, {
        raw: BigInt(value as string),
        // A contract may call itself anything: an unlisted one is named by its address.
        decimals: listed?.decimals ?? null,
        symbol: listed?.symbol ?? shortName(contract),
        token: contract,
      });
    }),
  ]);
  return { items: items.flat(), cursor: last };
};
