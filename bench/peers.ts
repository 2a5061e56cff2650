/** Libraries that sign a chain's transactions elsewhere: each takes one of our drafts and returns the same bytes. */
import { buildTx, encode, Encoding, MemoryAccount, Tag } from '@aeternity/aepp-sdk';
import * as btc from '@scure/btc-signer';
import { Transaction as VechainTransaction } from '@vechain/sdk-core';
import { hexlify, Transaction, Wallet } from 'ethers';
import { utils } from 'tronweb';
import type { AeternityDraft } from '../src/chains/aeternity/draft.ts';
import type { Chain } from '../src/chains/chain.ts';
import type { Draft, PrivateKey } from '../src/chains/terms.ts';
import { bytesOf } from '../src/base/bytes.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import { addressBytes } from '../src/chains/tron/address.ts';
import type { TronDraft } from '../src/chains/tron/draft.ts';
import type { UtxoDraft } from '../src/chains/utxo/draft.ts';
import type { VechainDraft } from '../src/chains/vechain/draft.ts';

export interface Peer {
  name: string;
  /** Does what an application does once, for the transaction in `raw`. Returns a function that signs it, to wire bytes. */
  signer(draft: Draft, key: PrivateKey, raw: string, chain: Chain): () => Promise<string>;
}

const digits = (bytes: Uint8Array): string => hexlify(bytes).slice(2);

const ethers: Peer = {
  name: 'ethers',
  signer(_draft, key, raw) {
    const wallet = new Wallet(hexlify(key));
    const { type, chainId, nonce, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, value, to, data } =
      Transaction.from(raw);
    const prices = type === 2 ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice };
    return () => wallet.signTransaction({ type, chainId, nonce, gasLimit, ...prices, value, to: to!, data });
  },
};

const btcSigner: Peer = {
  name: '@scure/btc-signer',
  signer: (draft, key) => async () => {
    const { inputs, outputs } = draft as UtxoDraft;
    const transaction = new btc.Transaction({ version: 2, lockTime: 0 });
    for (const { txid, vout, value, script } of inputs)
      transaction.addInput({
        txid,
        index: vout,
        sequence: 0xfffffffd,
        witnessUtxo: { amount: value, script: bytesOf(script) },
      });
    for (const { value, script } of outputs)
      transaction.addOutput({ amount: value, script: bytesOf(script) });
    transaction.sign(key);
    transaction.finalize();
    return hexlify(transaction.extract());
  },
};

const vechain: Peer = {
  name: '@vechain/sdk-core',
  signer: (draft, key) => async () => {
    const { chainTag, blockRef, expiration, clauses, gas, dependsOn, nonce, ...prices } =
      draft as VechainDraft;
    const quantity = (value: bigint) => `0x${value.toString(16)}`;
    const transaction = VechainTransaction.of({
      chainTag,
      blockRef,
      expiration,
      clauses: clauses.map(({ to, value, data }) => ({ to, value: quantity(value), data })),
      ...(prices.maxFeePerGas === undefined
        ? { gasPriceCoef: prices.gasPriceCoef! }
        : {
            maxFeePerGas: quantity(prices.maxFeePerGas),
            maxPriorityFeePerGas: quantity(prices.maxPriorityFeePerGas!),
          }),
      gas: quantity(gas),
      dependsOn,
      nonce: quantity(nonce),
    });
    return hexlify(transaction.sign(key).encoded);
  },
};

const tronweb: Peer = {
  name: 'tronweb',
  signer(draft, key) {
    const { contract, from, refBlockBytes, refBlockHash, expiration, timestamp } = draft as TronDraft;
    if (contract.kind !== 'coin') throw new Error('Only a transfer of the coin is measured.');
    const secret = digits(key);
    const value = {
      owner_address: digits(addressBytes(from)),
      to_address: digits(addressBytes(contract.to)),
      amount: Number(contract.amount),
    };
    const type = 'TransferContract';
    const json = {
      visible: false,
      raw_data: {
        contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
        ref_block_bytes: refBlockBytes.slice(2),
        ref_block_hash: refBlockHash.slice(2),
        expiration,
        timestamp,
      },
    };
    return async () => {
      const message = utils.transaction.txJsonToPb(json);
      const txID = utils.transaction.txPbToTxID(message).replace(/^0x/, '');
      const { signature } = utils.crypto.signTransaction(secret, { ...json, txID });
      message.addSignature(bytesOf(`0x${signature[0]!.replace(/^0x/, '')}`));
      return hexlify(message.serializeBinary());
    };
  },
};

const aeternity: Peer = {
  name: '@aeternity/aepp-sdk',
  signer(draft, key, _raw, chain) {
    const { from, to, amount, fee, ttl, nonce, payload, networkId } = draft as AeternityDraft;
    const account = new MemoryAccount(chain.exportKey(key, 'local') as `sk_${string}`);
    return () =>
      account.signTransaction(
        buildTx({
          tag: Tag.SpendTx,
          senderId: from as `ak_${string}`,
          recipientId: to as `ak_${string}`,
          amount: amount.toString(),
          fee: fee.toString(),
          ttl,
          nonce,
          payload: encode(bytesOf(payload), Encoding.Bytearray),
        }),
        { networkId },
      );
  },
};

/** A chain without an entry is not compared. */
export const PEERS: { [S in SecretType]?: Peer } = {
  BITCOIN: btcSigner,
  ETHEREUM: ethers,
  GOCHAIN: ethers,
  VECHAIN: vechain,
  LITECOIN: btcSigner,
  TRON: tronweb,
  AETERNITY: aeternity,
};
