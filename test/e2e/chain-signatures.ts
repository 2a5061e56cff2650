/** What is signed on each chain that signs data, and who signed it, as the chain's own SDK says. */
import {
  Address,
  Blake2b256,
  HexUInt,
  Secp256k1,
  Transaction as VechainTransaction,
} from '@vechain/sdk-core';
import {
  getBytes,
  hexlify,
  parseEther,
  recoverAddress,
  toUtf8Bytes,
  Transaction,
  verifyMessage,
} from 'ethers';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { CHAIN_ID } from '../../demo/networks/anvil.ts';
import { GOCHAIN_ID } from '../../demo/networks/gochain.ts';
import { GENESIS } from '../../demo/networks/vechain-ledger.ts';

export interface Signing {
  what: string;
  params: { type: string; data: string; prefix?: boolean };
  signer(signature: string): string;
}

const MESSAGE = 'Log in to Shop\nat ten o’clock';
const TO = '0xA614a7847ccb88c74F8b1F42F09C3342Ea945Efa';
const bytes = toUtf8Bytes(MESSAGE);

function evm(transactionType: string, rawType: string, chainId: number): Signing[] {
  const message = (type: string): Signing => ({
    what: `a message as ${type}`,
    params: { type, data: hexlify(bytes) },
    signer: (signature) => verifyMessage(MESSAGE, signature),
  });
  const transaction = Transaction.from({
    type: 0,
    chainId,
    to: TO,
    value: parseEther('0.25'),
    nonce: 1000,
    gasLimit: 21_000,
    gasPrice: 2_000_000_000_000n,
  });
  return [
    message(transactionType),
    message(rawType),
    {
      what: `a transaction as ${transactionType}`,
      params: { type: transactionType, data: transaction.unsignedSerialized, prefix: false },
      signer: (signature) => recoverAddress(transaction.unsignedHash, signature),
    },
  ];
}

const vechainBody = {
  chainTag: Number.parseInt(GENESIS.slice(-2), 16),
  blockRef: GENESIS.slice(0, 18),
  expiration: 720,
  clauses: [{ to: TO, value: hexlify(getBytes('0x0de0b6b3a7640000')), data: '0x' }],
  gasPriceCoef: 0,
  gas: 21_000,
  dependsOn: null,
  nonce: '0x4711',
};

function vechainSigner(message: Uint8Array, signature: string): string {
  const prefix = toUtf8Bytes(`\x19Ethereum Signed Message:\n${message.length}`);
  const hash = Blake2b256.of(Uint8Array.from([...prefix, ...message])).bytes;
  const key = Secp256k1.recover(hash, HexUInt.of(signature).bytes);
  return Address.ofPublicKey(key).toString();
}

export const SIGNINGS: { [S in SecretType]?: Signing[] } = {
  ETHEREUM: evm('ETHEREUM_TRANSACTION', 'ETHEREUM_RAW', CHAIN_ID),
  GOCHAIN: evm('GOCHAIN_TRANSACTION', 'GOCHAIN_RAW', GOCHAIN_ID),
  VECHAIN: [
    {
      what: 'a message as VECHAIN_TRANSACTION',
      params: { type: 'VECHAIN_TRANSACTION', data: hexlify(bytes) },
      signer: (signature) => vechainSigner(bytes, signature),
    },
    {
      what: 'a transaction as VECHAIN_TRANSACTION',
      params: {
        type: 'VECHAIN_TRANSACTION',
        data: hexlify(VechainTransaction.of(vechainBody).encoded),
        prefix: false,
      },
      signer: (signature) =>
        VechainTransaction.of(vechainBody, HexUInt.of(signature).bytes).origin.toString(),
    },
  ],
};
