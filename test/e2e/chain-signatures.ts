/** Signatures on each chain that signs data, and the signer by the chain's own SDK. */
import { type Encoded, verifyMessage as verifyAeternity } from '@aeternity/aepp-sdk';
import {
  Address,
  Blake2b256,
  Certificate,
  HexUInt,
  Secp256k1,
  Transaction as VechainTransaction,
} from '@vechain/sdk-core';
import { Verifier } from 'bip322-js';
import bitcoinMessage from 'bitcoinjs-message';
import {
  getBytes,
  hexlify,
  parseEther,
  recoverAddress,
  toUtf8Bytes,
  Transaction,
  verifyMessage,
} from 'ethers';
import { TronWeb } from 'tronweb';
import type { AnySignature, CertificateSignature } from '../../src/chains/terms.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { CHAIN_ID } from '../../demo/networks/anvil.ts';
import { GOCHAIN_ID } from '../../demo/networks/gochain.ts';
import { GENESIS } from '../../demo/networks/vechain-ledger.ts';

export interface Signing {
  what: string;
  params: { type: string; data: string; prefix?: boolean; format?: string; purpose?: string };
  /** The signer. For libraries that only say whether the wallet signed: `wallet`, or nobody. */
  signer(result: AnySignature, wallet: string): string | Promise<string>;
}

const MESSAGE = 'Log in to Shop\nat ten o’clock';
const TO = '0xA614a7847ccb88c74F8b1F42F09C3342Ea945Efa';
const bytes = toUtf8Bytes(MESSAGE);

function evm(transactionType: string, rawType: string, chainId: number): Signing[] {
  const message = (type: string): Signing => ({
    what: `a message as ${type}`,
    params: { type, data: hexlify(bytes) },
    signer: ({ signature }) => verifyMessage(MESSAGE, signature),
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
      signer: ({ signature }) => recoverAddress(transaction.unsignedHash, signature),
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

const ifSo = (verified: boolean, wallet: string): string => (verified ? wallet : 'nobody');

const message = (type: string, signer: Signing['signer'], more: object = {}): Signing => ({
  what: `a message as ${[type, ...Object.values(more)].join(', ')}`,
  params: { type, data: hexlify(bytes), ...more },
  signer,
});

function certificateSigner(result: AnySignature, purpose: string): string {
  const { annex, signature } = result as CertificateSignature;
  Certificate.of({ purpose, payload: { type: 'text', content: MESSAGE }, ...annex, signature }).verify();
  return Address.checksum(HexUInt.of(annex.signer));
}

export const SIGNINGS: Record<SecretType, Signing[]> = {
  BITCOIN: ['bip322', 'bip137'].map((format) =>
    message(
      'BITCOIN_MESSAGE',
      ({ signature }, wallet) => ifSo(Verifier.verifySignature(wallet, MESSAGE, signature, true), wallet),
      { format },
    ),
  ),
  LITECOIN: [
    message(
      'LITECOIN_MESSAGE',
      ({ signature }, wallet) =>
        ifSo(bitcoinMessage.verify(MESSAGE, wallet, signature, '\x19Litecoin Signed Message:\n'), wallet),
      { format: 'bip137' },
    ),
  ],
  TRON: [
    message('TRON_MESSAGE', async ({ signature }) =>
      String(await new TronWeb({ fullHost: 'http://127.0.0.1:1' }).trx.verifyMessageV2(MESSAGE, signature)),
    ),
  ],
  AETERNITY: [
    message('AETERNITY_MESSAGE', ({ signature }, wallet) =>
      ifSo(verifyAeternity(MESSAGE, getBytes(signature), wallet as Encoded.AccountAddress), wallet),
    ),
  ],
  ETHEREUM: evm('ETHEREUM_TRANSACTION', 'ETHEREUM_RAW', CHAIN_ID),
  GOCHAIN: evm('GOCHAIN_TRANSACTION', 'GOCHAIN_RAW', GOCHAIN_ID),
  VECHAIN: [
    ...['identification', 'agreement'].map((purpose) => ({
      what: `a certificate of ${purpose}`,
      params: { type: 'VECHAIN_CERTIFICATE', data: hexlify(bytes), purpose },
      signer: (result: AnySignature) => certificateSigner(result, purpose),
    })),
    {
      what: 'a message as VECHAIN_TRANSACTION',
      params: { type: 'VECHAIN_TRANSACTION', data: hexlify(bytes) },
      signer: ({ signature }) => vechainSigner(bytes, signature),
    },
    {
      what: 'a transaction as VECHAIN_TRANSACTION',
      params: {
        type: 'VECHAIN_TRANSACTION',
        data: hexlify(VechainTransaction.of(vechainBody).encoded),
        prefix: false,
      },
      signer: ({ signature }) =>
        VechainTransaction.of(vechainBody, HexUInt.of(signature).bytes).origin.toString(),
    },
  ],
};
