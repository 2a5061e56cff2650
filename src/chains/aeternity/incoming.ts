/** Incoming coins of an account, if a middleware runs beside the node: the node itself has no index. */
import { type FindIncoming, type Incoming, isDust } from '../nodes/incoming.ts';
import { restOf } from '../nodes/rest.ts';

type Json = Record<string, unknown>;

export const findIncoming: FindIncoming = async (address, node, _cursor, coin) => {
  const query = `account=${address}&type=spend&direction=backward&limit=50&int-as-string=true`;
  const { data } = (await restOf(node).get(`/mdw/v3/transactions?${query}`)) as Json;
  const items = (data as Json[]).flatMap((one): Incoming[] => {
    const { hash, micro_time: time, tx } = one;
    const { type, sender_id: from, recipient_id: to, amount: value } = (tx ?? {}) as Json;
    const isSpend = type === 'SpendTx' && to === address && from !== address;
    if (!isSpend || !/^th_\w+$/.test(String(hash)) || !/^ak_\w+$/.test(String(from))) return [];
    const amount = { raw: BigInt(value as string | number), ...coin };
    const at = Number(time);
    return [
      {
        id: String(hash),
        hash: String(hash),
        from: String(from),
        amount,
        ...(at > 0 && { at }),
        ...(isDust(amount) && { dust: true }),
      },
    ];
  });
  return { items };
};
