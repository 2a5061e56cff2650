/**
 * THORChain's vaults on the demo's local Tron, as its scanner sees it (`bifrost/pkg/chainclients/tron`): transfers of TRX and of listed TRC-20
 * tokens, with the memo in `raw_data.data`.
 */
import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import type { LocalTron } from '../../tron.ts';
import type { Executed } from '../../tron-records.ts';
import { base58 } from '../../tron-rules.ts';
import type { Deposit, LocalSide, Payment } from '../engine.ts';

export interface TronToken {
  /** THORChain's name: `TRON.USDT-T…`, in capitals. */
  asset: string;
  address: string;
  decimals: number;
}

/** Blocks that the scanner stays behind the tip. */
const BEHIND = 19;
const TRANSFER = 'a9059cbb';
const FEE_LIMIT = 100_000_000;
const EXPIRATION_MS = 90_000;

export function tronSide(local: LocalTron, tokens: readonly TronToken[]): LocalSide {
  const { ledger } = local;
  const skipped: LocalSide['skipped'] = [];
  const keyOf = (vault: number): string =>
    createHash('sha256').update(`Carabiner demo: THORChain vault ${vault} on TRON`).digest('hex');
  const addressOf = (vault: number): string => utils.crypto.pkToAddress(keyOf(vault)) as string;
  const tip = (): number => ledger.head.number - BEHIND;
  let scanned = tip();
  let payments = 0;

  function depositIn(executed: Executed, block: number, vaults: readonly number[]): Deposit | undefined {
    const { transaction, contractRet } = executed;
    const { id, type, rawData, value } = transaction;
    const vaultAt = (hex: string): number | undefined =>
      vaults.find((vault) => addressOf(vault) === base58(hex));
    const hash = id.toUpperCase();
    const skip = (reason: string): undefined => void skipped.push({ hash, reason });
    if (vaultAt(value.owner_address) !== undefined) return undefined;
    const common = {
      hash,
      from: base58(value.owner_address),
      memo: Buffer.from(rawData.data ?? '', 'hex').toString(),
      block,
    };
    if (type === 'TransferContract') {
      const vault = vaultAt(value.to_address);
      if (vault === undefined) return undefined;
      if (rawData.contract.length !== 1) return skip('several contracts');
      return { ...common, vault, asset: 'TRON.TRX', amount: BigInt(value.amount) * 100n };
    }
    if (type !== 'TriggerSmartContract') return undefined;
    const token = tokens.find(({ address }) => address === base58(value.contract_address));
    // To, and how much, of the two words; for transferFrom they come after the owner.
    const isDirect = value.data.startsWith(TRANSFER) && value.data.length === 8 + 128;
    const words = value.data.slice(value.data.length - 128);
    const vault = vaultAt(`41${words.slice(24, 64)}`);
    if (vault === undefined) return undefined;
    if (!isDirect) return skip('not a direct transfer');
    if (contractRet !== 'SUCCESS') return skip('failed');
    const units = BigInt(`0x${words.slice(64)}`);
    if (!token) return skip('unlisted token');
    const places = token.decimals - 8;
    const amount = places > 0 ? units / 10n ** BigInt(places) : units * 10n ** BigInt(-places);
    return { ...common, vault, asset: token.asset, amount };
  }

  async function pay({ vault, to, asset, amount, memo }: Payment): Promise<{ hash: string; gas: bigint }> {
    const token = tokens.find((each) => each.asset === asset);
    const owner = utils.address.toHex(addressOf(vault)).toLowerCase();
    const units = !token
      ? amount / 100n
      : token.decimals > 8
        ? amount * 10n ** BigInt(token.decimals - 8)
        : amount / 10n ** BigInt(8 - token.decimals);
    const [type, value] = token
      ? [
          'TriggerSmartContract',
          {
            contract_address: utils.address.toHex(token.address).toLowerCase(),
            call_value: 0,
            data: `${TRANSFER}${utils.abi.encodeParams(['address', 'uint256'], [to, units.toString()]).slice(2)}`,
          },
        ]
      : ['TransferContract', { to_address: utils.address.toHex(to).toLowerCase(), amount: Number(units) }];
    const { id, time } = ledger.head;
    const json = {
      visible: false,
      raw_data: {
        contract: [
          {
            parameter: {
              value: { owner_address: owner, ...(value as object) },
              type_url: `type.googleapis.com/protocol.${type as string}`,
            },
            type,
          },
        ],
        data: Buffer.from(memo).toString('hex'),
        ref_block_bytes: id.slice(12, 16),
        ref_block_hash: id.slice(16, 32),
        expiration: Math.max(time, Date.now()) + EXPIRATION_MS,
        timestamp: Date.now() + payments++,
        ...(token && { fee_limit: FEE_LIMIT }),
      },
    };
    const pb = utils.transaction.txJsonToPb(json);
    const txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
    const raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
    const signed = utils.crypto.signTransaction(keyOf(vault), { ...json, txID, raw_data_hex });
    const response = await fetch(`${local.url}/wallet/broadcasttransaction`, {
      method: 'POST',
      body: JSON.stringify(signed),
    });
    const answer = (await response.json()) as { result?: boolean; message?: string };
    if (answer.result !== true)
      throw new Error(`Tron refuses a payment of vault ${vault}: ${JSON.stringify(answer)}`);
    const { info } = ledger.executed.get(txID)!;
    return { hash: txID.toUpperCase(), gas: BigInt(info.fee) * 100n };
  }

  return {
    name: 'TRON',
    skipped,
    addressOf,
    isAddress: (text) => text.startsWith('T') && utils.crypto.isAddressValid(text),
    height: () => Promise.resolve(Math.max(0, tip())),
    scan(vaults) {
      const deposits: Deposit[] = [];
      for (const height = tip(); scanned < height; ) {
        scanned++;
        for (const { id } of ledger.blocks[scanned]?.transactions ?? []) {
          const deposit = depositIn(ledger.executed.get(id)!, scanned, vaults);
          if (deposit) deposits.push(deposit);
        }
      }
      return Promise.resolve(deposits);
    },
    pay,
    mine: () => Promise.resolve(ledger.mine()),
    async fund(vault, asset, amount) {
      const token = tokens.find((each) => each.asset === asset);
      if (!token) return void (await local.fund(addressOf(vault), amount / 100n));
      // The faucet's gift, whatever was asked for: 1,000 of them.
      await local.give('DUSD', addressOf(vault));
    },
    close: async () => {},
  };
}
