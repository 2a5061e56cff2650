/** Coins and TRC-20 tokens that came to an address, where the node is a TronGrid: java-tron itself keeps no list of an address's own. */
import { shortName } from '../contracts/token-facts.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { type FindIncoming, type Incoming, isDust } from '../incoming/incoming.ts';
import { restOf } from '../rest/rest.ts';
import { isAddress, readAddress } from './address.ts';

type Json = Record<string, unknown>;

const QUERY = 'only_to=true&only_confirmed=true&limit=50';

export const findIncoming: FindIncoming = async (address, node, cursor, coin) => {
  const rest = restOf(node);
  const since = cursor === undefined ? '' : `&min_timestamp=${cursor}`;
  const [coins, tokens] = await Promise.all(
    ['transactions', 'transactions/trc20'].map(async (path) => {
      const { data } = (await rest.get(`/v1/accounts/${address}/${path}?${QUERY}${since}`)) as Json;
      return data as Json[];
    }),
  );
  let last = cursor ?? 0;
  const items: Incoming[] = [];
  const add = (hash: unknown, at: unknown, sender: unknown, amount: Incoming['amount']): void => {
    if (!/^[0-9a-f]{64}$/.test(String(hash)) || !Number.isSafeInteger(at) || !isAddress(String(sender)))
      return;
    const from = readAddress(sender);
    if (from === address) return;
    last = Math.max(last, at as number);
    const id = `${String(hash)}:${amount.token ?? ''}`;
    items.push({
      id,
      hash: String(hash),
      from,
      amount,
      at: at as number,
      ...(isDust(amount) && { dust: true }),
    });
  };
  for (const { txID, block_timestamp: at, raw_data: data, ret } of coins!) {
    const [contract] = ((data as Json)['contract'] ?? []) as Json[];
    const { value } = (contract?.['parameter'] ?? {}) as { value?: Json };
    const [result] = (ret ?? []) as Json[];
    if (contract?.['type'] !== 'TransferContract' || result?.['contractRet'] !== 'SUCCESS' || !value)
      continue;
    add(txID, at, value['owner_address'], { raw: BigInt(value['amount'] as number), ...coin });
  }
  for (const {
    transaction_id: hash,
    block_timestamp: at,
    from,
    to,
    type,
    value,
    token_info: info,
  } of tokens!) {
    const contract = String((info as Json | undefined)?.['address']);
    if (type !== 'Transfer' || to !== address || !isAddress(contract)) continue;
    const listed = listedToken(node.network.tokens, contract);
    add(hash, at, from, {
      raw: BigInt(value as string),
      // A stranger's contract calls itself what it likes: it is named by its address.
      decimals: listed?.decimals ?? null,
      symbol: listed?.symbol ?? shortName(contract),
      token: contract,
    });
  }
  return { items, cursor: last };
};
