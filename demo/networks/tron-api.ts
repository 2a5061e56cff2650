/** A Tron node's HTTP API on the local ledger: java-tron's framework/src/main/java/org/tron/core/services/http. */
import { utils } from 'tronweb';
import type { TronLedger } from './tron-ledger.ts';
import { type Account, type Block, evm, type Executed, hexText, PARAMETERS } from './tron-records.ts';
import { MAX_ENERGY } from './tron-machine.ts';
import { base58, Refusal } from './tron-rules.ts';
import {
  decodeTransaction,
  encodeTransaction,
  transactionJson,
  type TronTransaction,
} from './tron-transaction.ts';

/** What handlers work on. */
export interface Place {
  ledger: TronLedger;
  broadcast(wire: Uint8Array): Promise<TronTransaction>;
}
export type Body = Record<string, unknown>;

type Handlers = Record<string, (place: Place, body: Body) => Promise<object> | object>;

/** By the path after `/walletsolidity/`: the same, of solidified blocks only. */
export const SOLID_HANDLERS: Handlers = {
  getblock({ ledger }, { id_or_num: wanted, detail }) {
    const block = wanted === undefined ? ledger.solid : ledger.blocks[Number(wanted)];
    return block && block.number <= ledger.solid.number ? blockJson(ledger, block, detail === true) : {};
  },
};

/** By the path after `/wallet/`. Missing objects are answered with `{}`. */
export const HANDLERS: Handlers = {
  getnowblock: ({ ledger }) => blockJson(ledger, ledger.head, true),
  getblock({ ledger }, { id_or_num: wanted, detail }) {
    if (wanted === undefined) return blockJson(ledger, ledger.head, detail === true);
    const block = /^\d{1,15}$/.test(String(wanted))
      ? ledger.blocks[Number(wanted)]
      : ledger.blocks.find(({ id }) => id === wanted);
    if (!block && !/^(\d{1,15}|[0-9a-f]{64})$/.test(String(wanted)))
      throw new Failure('java.lang.IllegalArgumentException', 'id must be legal block hash.');
    return block ? blockJson(ledger, block, detail === true) : {};
  },
  getblockbynum({ ledger }, { num }) {
    const block = ledger.blocks[Number(num)];
    return block ? blockJson(ledger, block, true) : {};
  },
  async getaccount({ ledger }, { address, visible }) {
    const hex = hexAddress(address);
    if (!(await ledger.exists(hex))) return {};
    const balance = Number(await ledger.machine.balance(evm(hex)));
    const shown = visible ? base58(hex) : hex;
    const { name } = ledger.account(hex);
    return {
      ...(name !== undefined && { account_name: visible ? new RawText(name) : hexText(name) }),
      address: shown,
      ...((await ledger.machine.isContract(evm(hex))) && { type: 'Contract' }),
      ...(balance && { balance }),
      ...accountJson(ledger, ledger.account(hex), shown),
    };
  },
  async getaccountresource({ ledger }, { address }) {
    const hex = hexAddress(address);
    if (!(await ledger.exists(hex))) return {};
    const { free, bandwidth, energy } = ledger.account(hex);
    return withoutZeros({
      freeNetUsed: ledger.used(free),
      freeNetLimit: free.limit,
      NetUsed: ledger.used(bandwidth),
      NetLimit: bandwidth.limit,
      TotalNetLimit: 43_200_000_000,
      TotalNetWeight: 68_305_209_098,
      EnergyUsed: ledger.used(energy),
      EnergyLimit: energy.limit,
      TotalEnergyLimit: 180_000_000_000,
      TotalEnergyWeight: 2_411_528_185,
    });
  },
  getassetissuebyid({ ledger }, { value, visible }) {
    const asset = ledger.assets.get(String(value));
    if (!asset) return {};
    const { id, owner, name, abbr, precision, supply, description } = asset;
    const shown = (words: string) => (visible ? words : hexText(words));
    return {
      owner_address: visible ? base58(owner) : owner,
      name: shown(name),
      abbr: shown(abbr),
      total_supply: supply,
      ...(description !== undefined && {
        description: visible ? new RawText(description) : hexText(description),
      }),
      trx_num: 1,
      ...withoutZeros({ precision }),
      num: 1,
      start_time: 1,
      end_time: 2,
      url: shown('https://demo.invalid/'),
      id,
    };
  },
  /** Without init code, code hash and ABI. */
  getcontract({ ledger }, { value, visible }) {
    const contract = hexAddress(value);
    const deployer = ledger.deployers.get(contract);
    if (!deployer) return {};
    const shown = (address: string) => (visible ? base58(address) : address);
    return {
      origin_address: shown(deployer.origin),
      contract_address: shown(contract),
      ...withoutZeros({
        consume_user_resource_percent: deployer.callerShare,
        origin_energy_limit: deployer.limit,
      }),
      name: deployer.name,
    };
  },
  getchainparameters: () => ({
    chainParameter: Object.entries(PARAMETERS).map(([key, value]) => ({ key, ...(value && { value }) })),
  }),
  gettransactionbyid({ ledger }, { value }) {
    const executed = ledger.executed.get(String(value));
    if (!executed?.block) return {};
    return minedJson(executed);
  },
  gettransactionfrompending({ ledger }, { value }) {
    const executed = ledger.executed.get(String(value));
    return executed && !executed.block ? transactionJson(executed.transaction) : {};
  },
  gettransactioninfobyid({ ledger }, { value }) {
    const executed = ledger.executed.get(String(value));
    return executed?.block ? infoJson(executed, executed.block) : {};
  },
  gettransactioninfobyblocknum({ ledger }, { num }) {
    const block = ledger.blocks[Number(num)];
    return (block?.transactions ?? []).map(({ id }) => infoJson(ledger.executed.get(id)!, block!));
  },
  triggerconstantcontract: ({ ledger }, body) => tryOut(ledger, body),
  triggersmartcontract: ({ ledger }, body) => ({
    result: { result: true },
    transaction: withId(callOf(ledger, body)),
  }),
  /** Without the weight: TronWeb asks for the id and the bytes of a transaction that it changed. */
  getsignweight: (_place, body) => ({ transaction: { transaction: withId(body) } }),
  async broadcasthex({ broadcast }, { transaction: hex }) {
    const wire = hexBytes(String(hex ?? ''));
    const transaction = shownOf(wire);
    try {
      const { id } = await broadcast(wire);
      return { result: true, code: 'SUCCESS', message: '', transaction, txid: id };
    } catch (error) {
      if (!(error instanceof Refusal)) throw protobufFailure(error);
      return { result: false, code: error.code, message: error.message, transaction, txid: error.id };
    }
  },
  async broadcasttransaction({ broadcast }, body) {
    try {
      const { id } = await broadcast(encodeTransaction(body));
      return { result: true, txid: id };
    } catch (error) {
      if (!(error instanceof Refusal)) throw new Failure('java.lang.NullPointerException', 'null');
      const message = body['visible'] ? error.message : hexText(error.message);
      return { code: error.code, txid: error.id, message };
    }
  },
};

/** An unsigned call. */
function callOf({ head }: TronLedger, body: Body): Body {
  const { owner_address, contract_address, call_value, fee_limit } = body;
  return {
    visible: false,
    raw_data: {
      contract: [
        {
          parameter: {
            value: {
              data: dataOf(body),
              owner_address: hexAddress(owner_address),
              contract_address: hexAddress(contract_address),
              ...withoutZeros({ call_value: Number(call_value ?? 0) }),
            },
            type_url: 'type.googleapis.com/protocol.TriggerSmartContract',
          },
          type: 'TriggerSmartContract',
        },
      ],
      ref_block_bytes: head.id.slice(12, 16),
      ref_block_hash: head.id.slice(16, 32),
      expiration: head.time + 60_000,
      timestamp: Date.now(),
      ...withoutZeros({ fee_limit: Number(fee_limit ?? 0) }),
    },
  };
}

function withId(transaction: Body): Body {
  const bytes = utils.transaction.txJsonToPb(transaction as never);
  return {
    ...transaction,
    txID: utils.transaction.txPbToTxID(bytes).replace(/^0x/, ''),
    raw_data_hex: utils.transaction.txPbToRawDataHex(bytes).replace(/^0x/, ''),
  };
}

/** Of a call: hex without 0x. */
function dataOf(body: Body): string {
  const selector = String(body['function_selector'] ?? '');
  return selector
    ? utils.ethersUtils.keccak256(Buffer.from(selector)).slice(2, 10) + String(body['parameter'] ?? '')
    : String(body['data'] ?? '');
}

async function tryOut(ledger: TronLedger, body: Body): Promise<object> {
  const visible = body['visible'] === true;
  const from = hexAddress(body['owner_address']);
  const to = body['contract_address'] === undefined ? undefined : hexAddress(body['contract_address']);
  const data = dataOf(body);
  return ledger.exclusive(async () => {
    if (to !== undefined && !(await ledger.machine.isContract(evm(to))))
      return {
        result: { code: 'CONTRACT_VALIDATE_ERROR', message: hexText('Smart contract is not exist.') },
      };
    const value = BigInt(Number(body['call_value'] ?? 0));
    if (value > (await ledger.machine.balance(evm(from)))) {
      const message = hexText('Validate InternalTransfer error, balance is not sufficient.');
      return { result: { code: 'CONTRACT_VALIDATE_ERROR', message } };
    }
    const { outcome, energy, output } = await ledger.machine.tryOut({
      from: evm(from),
      // Without one, it creates a contract.
      ...(to === undefined ? {} : { to: evm(to) }),
      data: `0x${data}`,
      value,
      energyLimit: MAX_ENERGY,
    });
    const failed = outcome !== 'SUCCESS';
    return {
      result: { result: true, ...(failed && { message: hexText('REVERT opcode executed') }) },
      energy_used: Number(energy),
      constant_result: [output],
      transaction: { ret: [failed ? { ret: 'FAILED' } : {}], visible },
    };
  });
}

function minedJson({ contractRet, transaction }: Executed): object {
  return { ret: [{ contractRet }], ...transactionJson(transaction) };
}

function infoJson({ info }: Executed, { number, time }: Block): object {
  const { id, fee, ...rest } = info;
  return { id, ...(fee && { fee }), blockNumber: number, blockTimeStamp: time, ...rest };
}

function blockJson(
  ledger: TronLedger,
  { id, number, parent, time, transactions }: Block,
  detail: boolean,
): object {
  return {
    blockID: id,
    block_header: {
      raw_data: { ...withoutZeros({ number }), parentHash: parent, ...withoutZeros({ timestamp: time }) },
    },
    ...(detail &&
      transactions.length > 0 && {
        transactions: transactions.map(({ id }) => minedJson(ledger.executed.get(id)!)),
      }),
  };
}

function accountJson(ledger: TronLedger, account: Account, address: string): object {
  const assetV2 = [...account.assets].map(([key, value]) => ({ key, value }));
  return {
    create_time: account.created,
    ...withoutZeros({ free_net_usage: ledger.used(account.free), latest_consume_free_time: account.free.at }),
    owner_permission: { permission_name: 'owner', threshold: 1, keys: [{ address, weight: 1 }] },
    ...(assetV2.length > 0 && { assetV2, asset_optimized: true }),
  };
}

/** Nodes omit fields that are 0. */
function withoutZeros(fields: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0));
}

/** base58check or hex, as 21 bytes of hex. */
export function hexAddress(address: unknown): string {
  const text = String(address ?? '');
  if (/^41[0-9a-f]{40}$/i.test(text)) return text.toLowerCase();
  if (!utils.crypto.isAddressValid(text))
    throw new Failure('java.lang.IllegalArgumentException', 'Invalid address');
  return utils.address.toHex(text).toLowerCase();
}

/** With or without 0x. */
function hexBytes(given: string): Uint8Array {
  const hex = given.replace(/^0x/i, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(hex))
    throw new Failure('org.bouncycastle.util.encoders.DecoderException', 'exception decoding Hex string');
  return Buffer.from(hex, 'hex');
}

/** The transaction as sent, accepted or not. */
function shownOf(wire: Uint8Array): string {
  try {
    return JSON.stringify(transactionJson(decodeTransaction(wire)));
  } catch {
    return '{}';
  }
}

/** Text that java-tron writes into JSON unescaped, control characters included: its answer is then not valid JSON (JsonFormat.java). */
class RawText {
  constructor(readonly text: string) {}
  toJSON(): string {
    return [...this.text]
      .map((sign) => (sign < ' ' ? `${MARK}${sign.charCodeAt(0).toString(16)}${MARK}` : sign))
      .join('');
  }
}
const MARK = '\uE000';

/** JSON, except for `RawText`. */
export function written(body: unknown): string {
  return JSON.stringify(body).replaceAll(new RegExp(`${MARK}([0-9a-f]+)${MARK}`, 'g'), (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** An error with the name of its Java exception. */
class Failure extends Error {
  constructor(
    readonly exception: string,
    message: string,
  ) {
    super(message);
  }
}

function protobufFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('com.google.protobuf.InvalidProtocolBufferException', (error as Error).message);
}

export function exceptionOf(error: unknown): string {
  if (error instanceof Failure) return error.exception;
  return error instanceof SyntaxError ? 'com.alibaba.fastjson.JSONException' : 'java.lang.Exception';
}
