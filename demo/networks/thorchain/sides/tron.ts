/**
 * THORChain's vaults on the demo's local Tron, as its scanner sees it (`bifrost/pkg/chainclients/tron`): transfers of TRX and of listed TRC-20
 * tokens, with the memo in `raw_data.data`.
 */
import { utils } from 'tronweb';
import type { LocalTron } from '../../tron.ts';
import { base58 } from '../../tron-rules.ts';
import type { TronTransaction } from '../../tron-transaction.ts';
import { fromUnits, toUnits } from '../books.ts';
import { type Deposit, type LocalSide, type Payment, vaultKey } from '../engine.ts';

export interface TronToken {
  /** THORChain's name: `TRON.USDT-T…`, in capitals. */
  asset: string;
  address: string;
  decimals: number;
}

/** Blocks that the scanner stays behind the tip. */
const BEHIND = 19;
const TRX_DECIMALS = 6;
const TRANSFER = 'a9059cbb';
/** Hex digits of two words of 32 bytes. */
const TWO_WORDS = 128;
const FEE_LIMIT = 100_000_000;
const EXPIRATION_MS = 90_000;

export class TronSide implements LocalSide {
  readonly name = 'TRON';
  readonly skipped: LocalSide['skipped'] = [];
  /** Number of the last block that was read. */
  #scanned: number;
  #payments = 0;

  constructor(
    private readonly local: LocalTron,
    private readonly tokens: readonly TronToken[],
  ) {
    this.#scanned = this.#tip;
  }

  addressOf(vault: number): string {
    return utils.crypto.pkToAddress(this.#key(vault)) as string;
  }

  isAddress(text: string): boolean {
    return text.startsWith('T') && utils.crypto.isAddressValid(text);
  }

  height(): Promise<number> {
    return Promise.resolve(Math.max(0, this.#tip));
  }

  scan(vaults: readonly number[]): Promise<Deposit[]> {
    const from = this.#scanned + 1;
    this.#scanned = this.#tip;
    const blocks = this.local.ledger.blocks.slice(Math.max(0, from), this.#scanned + 1);
    const deposits = blocks.flatMap(({ number, transactions }) =>
      transactions.flatMap(({ id }) => this.#depositIn(id, number, vaults) ?? []),
    );
    return Promise.resolve(deposits);
  }

  async pay({ vault, to, asset, amount, memo }: Payment): Promise<{ hash: string; gas: bigint }> {
    const token = this.tokens.find((each) => each.asset === asset);
    const units = toUnits(amount, token?.decimals ?? TRX_DECIMALS);
    const call = token && {
      contract_address: hexAddress(token.address),
      call_value: 0,
      data: TRANSFER + utils.abi.encodeParams(['address', 'uint256'], [to, units.toString()]).slice(2),
    };
    const type = call ? 'TriggerSmartContract' : 'TransferContract';
    const value = {
      owner_address: hexAddress(this.addressOf(vault)),
      ...(call ?? { to_address: hexAddress(to), amount: Number(units) }),
    };
    const txID = await this.#send(vault, type, value, memo);
    const { info, contractRet } = this.local.ledger.executed.get(txID)!;
    if (contractRet !== 'SUCCESS') throw new Error(`The payment of vault ${vault} fails: ${contractRet}`);
    return { hash: txID.toUpperCase(), gas: fromUnits(BigInt(info.fee), TRX_DECIMALS) };
  }

  mine(): Promise<void> {
    return Promise.resolve(this.local.ledger.mine());
  }

  /** Of a token, the faucet's gift, whatever was asked for. */
  async fund(vault: number, asset: string, amount: bigint): Promise<void> {
    const address = this.addressOf(vault);
    if (this.tokens.some((token) => token.asset === asset)) await this.local.give('DUSD', address);
    else await this.local.fund(address, toUnits(amount, TRX_DECIMALS));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Of the newest block that is looked at. */
  get #tip(): number {
    return this.local.ledger.head.number - BEHIND;
  }

  #key(vault: number): string {
    return vaultKey(this.name, vault).toString('hex');
  }

  #depositIn(id: string, block: number, vaults: readonly number[]): Deposit | undefined {
    const { transaction, contractRet } = this.local.ledger.executed.get(id)!;
    const { type, rawData, value } = transaction;
    const vaultAt = (hex: string | undefined): number | undefined =>
      hex === undefined ? hex : vaults.find((vault) => this.addressOf(vault) === base58(hex));
    const vault = vaultAt(recipientOf(transaction));
    if (vault === undefined || vaultAt(value.owner_address) !== undefined) return undefined;
    const hash = id.toUpperCase();
    const skip = (reason: string): undefined => void this.skipped.push({ hash, reason });
    if (rawData.contract.length !== 1) return skip('several contracts');
    if (contractRet !== 'SUCCESS') return skip('failed');
    const from = base58(value.owner_address);
    const memo = Buffer.from(rawData.data ?? '', 'hex').toString();
    const common = { hash, from, vault, memo, block };
    if (type === 'TransferContract')
      return { ...common, asset: 'TRON.TRX', amount: fromUnits(BigInt(value.amount), TRX_DECIMALS) };
    if (!value.data.startsWith(TRANSFER) || value.data.length !== TRANSFER.length + TWO_WORDS)
      return skip('not a direct transfer');
    const token = this.tokens.find(({ address }) => address === base58(value.contract_address));
    if (!token) return skip('unlisted token');
    const amount = fromUnits(BigInt(`0x${value.data.slice(-TWO_WORDS / 2)}`), token.decimals);
    return { ...common, asset: token.asset, amount };
  }

  /** Resolves with the id. */
  async #send(vault: number, type: string, value: object, memo: string): Promise<string> {
    const { id, time } = this.local.ledger.head;
    const json = {
      visible: false,
      raw_data: {
        contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
        data: Buffer.from(memo).toString('hex'),
        ref_block_bytes: id.slice(12, 16),
        ref_block_hash: id.slice(16, 32),
        expiration: Math.max(time, Date.now()) + EXPIRATION_MS,
        // Keeps payments of the same amount from having the same id.
        timestamp: Date.now() + this.#payments++,
        ...(type === 'TriggerSmartContract' && { fee_limit: FEE_LIMIT }),
      },
    };
    const message = utils.transaction.txJsonToPb(json);
    const txID = utils.transaction.txPbToTxID(message).replace(/^0x/, '');
    const raw_data_hex = utils.transaction.txPbToRawDataHex(message).toLowerCase();
    const signed = utils.crypto.signTransaction(this.#key(vault), { ...json, txID, raw_data_hex });
    const response = await fetch(`${this.local.url}/wallet/broadcasttransaction`, {
      method: 'POST',
      body: JSON.stringify(signed),
    });
    const answer = (await response.json()) as { result?: boolean };
    if (answer.result !== true)
      throw new Error(`Tron refuses a payment of vault ${vault}: ${JSON.stringify(answer)}`);
    return txID;
  }
}

/** 21 bytes of hex. Of a call, its last but one word: for `transferFrom` it comes after the owner. */
function recipientOf({ type, value }: TronTransaction): string | undefined {
  if (type === 'TransferContract') return value.to_address;
  if (type !== 'TriggerSmartContract') return undefined;
  return `41${value.data.slice(-TWO_WORDS).slice(24, 64)}`;
}

/** 21 bytes, in lower case. */
function hexAddress(address: string): string {
  return utils.address.toHex(address).toLowerCase();
}
