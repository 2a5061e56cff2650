/** Parts of Esplora's answers. */
import { address as addresses, type Network as Encoding } from 'bitcoinjs-lib';

export interface Block {
  hash: string;
  height: number;
  time: number;
}

export function statusOf(block: Block | undefined) {
  return block
    ? { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time }
    : { confirmed: false };
}

const TYPES: readonly (readonly [string, RegExp])[] = [
  ['p2pkh', /^76a914.{40}88ac$/],
  ['p2sh', /^a914.{40}87$/],
  ['v0_p2wpkh', /^0014.{40}$/],
  ['v0_p2wsh', /^0020.{64}$/],
  ['v1_p2tr', /^5120.{64}$/],
  ['op_return', /^6a/],
];

function scriptType(script: Uint8Array): string {
  const hex = Buffer.from(script).toString('hex');
  return TYPES.find(([, form]) => form.test(hex))?.[0] ?? 'unknown';
}

function addressField(script: Uint8Array, network: Encoding): { scriptpubkey_address?: string } {
  try {
    return { scriptpubkey_address: addresses.fromOutputScript(script, network) };
  } catch {
    return {};
  }
}

export function outputJson(script: Uint8Array, value: bigint, encoding: Encoding) {
  return {
    scriptpubkey: Buffer.from(script).toString('hex'),
    scriptpubkey_type: scriptType(script),
    ...addressField(script, encoding),
    value: Number(value),
  };
}
