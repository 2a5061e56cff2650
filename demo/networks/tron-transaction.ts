/** A transaction from the wire, decoded by Tron's own SDK, which also recovers its signer. */
import { createHash } from 'node:crypto';
import { utils } from 'tronweb';

export interface TronTransaction {
  id: string;
  /** Bytes of the whole message. */
  size: number;
  type: 'TransferContract' | 'TransferAssetContract' | 'TriggerSmartContract';
  /** What goes into JSON. */
  rawData: RawData;
  rawHex: string;
  signatures: string[];
  /** 21 bytes of hex each; empty for an invalid signature. */
  signers: string[];
  value: ContractValue;
}

export interface RawData {
  contract: { parameter: { value: ContractValue; type_url: string }; type: string }[];
  ref_block_bytes: string;
  ref_block_hash: string;
  expiration: number;
  timestamp: number;
  /** Hex; may be empty. */
  data: string;
  fee_limit: number;
}

/** Only the contract's own fields are set. Addresses are 21 bytes of hex; text is hex too. */
export interface ContractValue {
  owner_address: string;
  to_address: string;
  contract_address: string;
  asset_name: string;
  amount: number;
  call_value: number;
  data: string;
}

const TYPES: Record<number, TronTransaction['type']> = {
  1: 'TransferContract',
  2: 'TransferAssetContract',
  31: 'TriggerSmartContract',
};

/** The SDK's protobuf classes, for which it has no types. */
interface Proto {
  Transaction: {
    deserializeBinary(bytes: Uint8Array): {
      serializeBinary(): Uint8Array;
      getRawData(): { getContractList(): ProtoContract[] } | undefined;
      getSignatureList_asU8(): Uint8Array[];
    };
  };
}
interface ProtoTransaction {
  getRawData(): { getContractList(): ProtoContract[]; addContract(contract: ProtoContract): void };
  addSignature(bytes: Uint8Array): void;
  serializeBinary(): Uint8Array;
}
interface ProtoContract {
  getType(): number;
  getParameter(): { getTypeUrl(): string };
}

/**
 * Throws on bytes that are not a transaction, and `Unsupported` for a contract type that this network does not execute, and for several
 * contracts, which no node takes.
 */
export function decodeTransaction(wire: Uint8Array): TronTransaction {
  const { Transaction } = (globalThis as unknown as { TronWebProto: Proto }).TronWebProto;
  const message = Transaction.deserializeBinary(wire);
  const contracts = message.getRawData()?.getContractList();
  // The SDK computes no id for an empty transaction.
  if (!contracts) throw new Unsupported('No contract!', createHash('sha256').digest('hex'));
  const id = utils.transaction.txPbToTxID(message).replace(/^0x/, '');
  if (contracts.length === 0) throw new Unsupported('No contract!', id);
  // java-tron's `Manager.processTransaction`.
  if (contracts.length !== 1)
    throw new Unsupported(
      `tx ${id} contract size should be exactly 1, this is extend feature ,actual :${contracts.length}`,
      id,
    );
  const type = TYPES[contracts[0]!.getType()];
  if (!type) throw new Unsupported('No contract!', id);
  if (contracts[0]!.getParameter().getTypeUrl() !== `type.googleapis.com/protocol.${type}`)
    throw new Unsupported(`contract type error, expected type [${type}]`, id);
  const rawHex = utils.transaction.txPbToRawDataHex(message).toLowerCase();
  const rawData = lowerCase(utils.deserializeTx.deserializeTransaction(type, rawHex)) as RawData;
  const signatures = message.getSignatureList_asU8().map((bytes) => Buffer.from(bytes).toString('hex'));
  return {
    id,
    size: wire.length,
    type,
    rawData,
    rawHex,
    signatures,
    signers: signatures.map((signature) => signerOf(id, signature)),
    value: rawData.contract[0]!.parameter.value,
  };
}

/** The transaction in a node's JSON. */
export function transactionJson({ id, rawData, rawHex, signatures, type, value }: TronTransaction) {
  const { ref_block_bytes, ref_block_hash, expiration, timestamp, data, fee_limit } = rawData;
  return {
    signature: signatures,
    txID: id,
    raw_data: {
      ...(data && { data }),
      contract: [
        {
          parameter: {
            value: Object.fromEntries(Object.entries(value).filter(([, held]) => held)),
            type_url: `type.googleapis.com/protocol.${type}`,
          },
          type,
        },
      ],
      ref_block_bytes,
      ref_block_hash,
      expiration,
      ...(fee_limit && { fee_limit }),
      timestamp,
    },
    raw_data_hex: rawHex,
  };
}

/** Wire bytes of the JSON sent to `wallet/broadcasttransaction`. The SDK reads one contract of it, nodes read all. */
export function encodeTransaction(json: object): Uint8Array {
  const { raw_data: raw, signature = [] } = json as { raw_data?: Partial<RawData>; signature?: string[] };
  const [message, ...others] = (raw?.contract ?? [undefined]).map(
    (contract) =>
      utils.transaction.txJsonToPb(
        contract ? { ...json, raw_data: { ...raw, contract: [contract] } } : json,
      ) as ProtoTransaction,
  );
  for (const other of others) message!.getRawData().addContract(other.getRawData().getContractList()[0]!);
  for (const each of signature) message!.addSignature(Buffer.from(each.replace(/^0x/, ''), 'hex'));
  return message!.serializeBinary();
}

function signerOf(id: string, signature: string): string {
  try {
    return utils.crypto.ecRecover(id, signature).toLowerCase();
  } catch {
    return '';
  }
}

/** The SDK writes hex in upper case, nodes in lower case. */
function lowerCase(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, held: unknown) =>
    typeof held === 'string' && !key.startsWith('type') ? held.toLowerCase() : held,
  );
}

export class Unsupported extends Error {
  constructor(
    message: string,
    readonly id: string,
  ) {
    super(message);
  }
}
