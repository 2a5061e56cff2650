/** Transactions in blocks of Tron. */
import { bytesOf } from '../../../src/base/bytes.ts';
import { restOf } from '../../../src/chains/nodes/rest.ts';
import { addressOf } from '../../../src/chains/tron/address.ts';
import type { Contract } from '../../../src/chains/tron/draft.ts';
import { effectOfContract } from '../missing.ts';
import { compareByBlocks } from './by-blocks.ts';

/** A week. */
const MOST_BLOCKS = 200_000;

/** Nodes leave out what is 0. Large numbers come as text. */
type Amount = string | number | undefined;

interface Parameters {
  owner_address: string;
  to_address?: string;
  contract_address?: string;
  asset_name?: string;
  amount?: Amount;
  call_value?: Amount;
  data?: string;
}

interface Block {
  block_header: { raw_data: { number?: number; timestamp?: number } };
  transactions?: {
    txID: string;
    raw_data: { contract: { type: string; parameter: { value: Parameters } }[] };
  }[];
}

export const compareTron = compareByBlocks(async (node, at) => {
  const body = at === 'latest' ? {} : { id_or_num: String(at) };
  const block = (await restOf(node).post('/wallet/getblock', { ...body, detail: true })) as Block;
  const { number = 0, timestamp = 0 } = block.block_header.raw_data;
  return {
    number,
    time: timestamp,
    transactions: (block.transactions ?? []).map(({ txID: hash, raw_data: { contract } }) => {
      const { type, parameter } = contract[0]!;
      const made = contractOf(type, parameter.value);
      return {
        hash,
        account: readable(parameter.value.owner_address),
        effects: made ? [effectOfContract(made)] : [],
      };
    }),
  };
}, MOST_BLOCKS);

/** `41…` as people write it. */
function readable(address: string | undefined): string {
  return addressOf(bytesOf(`0x${address}`));
}

/** Undefined for a type that wallets do not sign here. */
function contractOf(type: string, of: Parameters): Contract | undefined {
  const amount = BigInt(of.amount ?? 0);
  switch (type) {
    case 'TransferContract':
      return { kind: 'coin', to: readable(of.to_address), amount };
    case 'TransferAssetContract':
      return {
        kind: 'asset',
        token: Buffer.from(String(of.asset_name), 'hex').toString(),
        to: readable(of.to_address),
        amount,
      };
    case 'TriggerSmartContract':
      return {
        kind: 'call',
        to: readable(of.contract_address),
        value: BigInt(of.call_value ?? 0),
        data: `0x${of.data ?? ''}`,
      };
    default:
      return undefined;
  }
}
