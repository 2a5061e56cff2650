/** The key with which in-page Bitcoin wallets sign. Contains none of Carabiner's code. */
import { base64, hex } from '@scure/base';
import { OP, p2wpkh, RawWitness, SigHash, Transaction } from '@scure/btc-signer';
import { concatBytes, pubECDSA, sha256 } from '@scure/btc-signer/utils.js';
import { SigningKey } from 'ethers';

/** Its network, by sats-connect's names. */
export type NetworkName = 'Mainnet' | 'Testnet' | 'Regtest';

const TEST = { pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const NETWORKS = {
  Mainnet: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 },
  Testnet: { bech32: 'tb', ...TEST },
  Regtest: { bech32: 'bcrt', ...TEST },
};

/** A coin that the key can spend. */
export interface Coin {
  txid: string;
  index: number;
  /** Satoshi. */
  amount: bigint;
}

const FEE = 1000n;

export type BitcoinKey = ReturnType<typeof bitcoinKey>;

export function bitcoinKey(key: Uint8Array, name: NetworkName) {
  const network = NETWORKS[name];
  const publicKey = pubECDSA(key);
  const { address, script } = p2wpkh(publicKey, network);

  return {
    address: address!,
    publicKey,

    /** https://github.com/bitcoin/bips/blob/master/bip-0174.mediawiki */
    signPsbt(psbt: Uint8Array, indexes: readonly number[]): Transaction {
      const transaction = Transaction.fromPSBT(psbt);
      for (const index of indexes) transaction.signIdx(key, index);
      return transaction;
    },

    /** Raw transaction that pays `recipients` from `coins`, with the change to the key itself. */
    pay(coins: readonly Coin[], recipients: readonly { address: string; amount: number }[]): string {
      const transaction = new Transaction();
      let left = -FEE;
      for (const { amount, ...at } of coins) {
        transaction.addInput({ ...at, witnessUtxo: { script, amount } });
        left += amount;
      }
      for (const { address: to, amount } of recipients) {
        transaction.addOutputAddress(to, BigInt(amount), network);
        left -= BigInt(amount);
      }
      if (left < 0n) throw new Error('Insufficient funds');
      transaction.addOutput({ script, amount: left });
      transaction.sign(key);
      transaction.finalize();
      return transaction.hex;
    },

    /** https://github.com/bitcoin/bips/blob/master/bip-0137.mediawiki */
    signEcdsa(message: Uint8Array): string {
      const mark = new TextEncoder().encode('Bitcoin Signed Message:\n');
      const digest = sha256(sha256(concatBytes(sized(mark), sized(message))));
      const { r, s, yParity } = new SigningKey(key).sign(digest);
      return base64.encode(
        concatBytes(Uint8Array.of(39 + yParity), hex.decode(r.slice(2)), hex.decode(s.slice(2))),
      );
    },

    /** In its simple form: https://github.com/bitcoin/bips/blob/master/bip-0322.mediawiki */
    signBip322(message: Uint8Array): string {
      // A tagged hash of BIP-340.
      const tag = sha256(new TextEncoder().encode('BIP0322-signed-message'));
      const hash = sha256(concatBytes(tag, tag, message));
      const toSpend = concatBytes(
        new Uint8Array(4),
        Uint8Array.of(1),
        new Uint8Array(32),
        new Uint8Array(4).fill(255),
        sized(concatBytes(Uint8Array.of(0, 32), hash)),
        new Uint8Array(4),
        Uint8Array.of(1),
        new Uint8Array(8),
        sized(script),
        new Uint8Array(4),
      );
      const toSign = new Transaction({ version: 0, allowUnknownOutputs: true });
      toSign.addInput({
        txid: sha256(sha256(toSpend)).reverse(),
        index: 0,
        sequence: 0,
        witnessUtxo: { script, amount: 0n },
        sighashType: SigHash.ALL,
      });
      toSign.addOutput({ script: Uint8Array.of(OP.RETURN), amount: 0n });
      toSign.sign(key);
      toSign.finalize();
      return base64.encode(RawWitness.encode(toSign.getInput(0).finalScriptWitness!));
    },
  };
}

/** Length-prefixed; one byte suffices, as demo messages and scripts are short. */
function sized(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 252) throw new Error('Longer than a demo needs.');
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}
