/** Transactions for external wallets: https://github.com/bitcoin/bips/blob/master/bip-0174.mediawiki */
import { fromBase64, toBase64 } from '../../base/base64.ts';
import { bytesOf, concat, hexDigits, hexOf } from '../../base/bytes.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Signed } from '../terms.ts';
import type { UtxoDraft } from './draft.ts';
import { outputBytes, prefixed, serialize, transactionId } from './envelope.ts';
import { hash160, keyHashOf } from './script.ts';
import { sum } from './selection.ts';
import { transactionOf } from './transaction.ts';

const MAGIC = '70736274ff';
const END = Uint8Array.of(0);
/** Types of keys. */
const UNSIGNED = '00';
const WITNESS_COIN = '01';
const SIGNATURE = /^02(0[23][0-9a-f]{64})$/;
const FINAL_WITNESS = '08';

export async function unsigned(draft: UtxoDraft): Promise<string> {
  const { inputs, outputs, fee } = draft;
  if (sum(inputs) !== outputs.reduce((total, { value }) => total + value, fee))
    throw new ConnectError(
      'transaction.insufficient-funds',
      'The wallet does not hold enough for the amount and the fee.',
    );
  return toBase64(
    concat(
      bytesOf(`0x${MAGIC}`),
      record(UNSIGNED, serialize(transactionOf(draft), [], false)),
      END,
      ...inputs.flatMap((coin) => [record(WITNESS_COIN, outputBytes(coin)), END]),
      ...outputs.map(() => END),
    ),
  );
}

/** What was signed must be what was requested; the node checks the signatures. */
export async function signed(given: string, answer: string): Promise<Signed> {
  try {
    const request = read(fromBase64(given));
    const reply = read(fromBase64(answer));
    if (reply.transaction !== request.transaction) throw new Error('Another transaction.');
    const witnesses = request.inputs.map((coin, index) => witness(coin, reply.inputs[index]!));
    const bytes = bytesOf(`0x${request.transaction}`);
    // Marker and flag of BIP-144 after the version, the witnesses before the lock time.
    const parts = [bytes.subarray(0, 4), Uint8Array.of(0, 1), bytes.subarray(4, -4), ...witnesses];
    return { raw: hexOf(concat(...parts, bytes.subarray(-4))), hash: transactionId(bytes) };
  } catch (cause) {
    throw new ConnectError(
      'transaction.refused',
      'The other wallet did not sign this transaction. It was not sent.',
      { reason: 'changed' },
      { cause },
    );
  }
}

type Records = ReadonlyMap<string, Uint8Array>;

/** For one input: finalised by the wallet, or with a signature for us to insert. */
function witness(asked: Records, got: Records): Uint8Array {
  const finished = got.get(FINAL_WITNESS);
  if (finished) return finished;
  const script = hexOf(asked.get(WITNESS_COIN)!.subarray(9));
  const owner = hexOf(keyHashOf(script)!.hash);
  for (const [key, signature] of got) {
    const [, publicKey] = SIGNATURE.exec(key) ?? [];
    if (!publicKey || hexOf(hash160(bytesOf(`0x${publicKey}`))) !== owner) continue;
    return concat(Uint8Array.of(2), prefixed(signature), prefixed(bytesOf(`0x${publicKey}`)));
  }
  throw new Error('An input is not signed.');
}

function record(key: string, value: Uint8Array): Uint8Array {
  return concat(prefixed(bytesOf(`0x${key}`)), prefixed(value));
}

/** Hex of the unsigned transaction, and the records of each input. Throws if it is not such a PSBT. */
function read(bytes: Uint8Array): { transaction: string; inputs: Records[] } {
  if (hexDigits(bytes.subarray(0, 5)) !== MAGIC) throw new Error('No PSBT.');
  let at = 5;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error('Cut off.');
    return bytes.subarray(at, (at += length));
  };
  const size = (): number => {
    const first = take(1)[0]!;
    if (first < 253) return first;
    if (first > 253) throw new Error('Too long.');
    const [low, high] = take(2);
    return low! + high! * 256;
  };
  const map = (): Records => {
    const records = new Map<string, Uint8Array>();
    for (let length = size(); length > 0; length = size()) records.set(hexDigits(take(length)), take(size()));
    return records;
  };
  const transaction = hexDigits(map().get(UNSIGNED)!);
  // After the version; a draft has no more than 100.
  const count = Number.parseInt(transaction.slice(8, 10), 16);
  const inputs: Records[] = [];
  while (inputs.length < count) inputs.push(map());
  return { transaction, inputs };
}
