/** Output scripts as the addresses that stand for them. */
import { bech32, bech32m } from '@scure/base';
import { bytesOf } from '../hex.ts';
import type { NetworkKind } from '../network.ts';
import type { UtxoParams } from './params.ts';
import { encodeBase58 } from './utxo-address.ts';

/** Undefined for a script without an address. `script`: hex digits without 0x. */
export function addressOfScript(
  { hrp, p2pkh, p2sh }: UtxoParams,
  script: string,
  kind: NetworkKind,
): string | undefined {
  const [, toKey] = /^76a914([0-9a-f]{40})88ac$/.exec(script) ?? [];
  if (toKey) return encodeBase58(p2pkh[kind], bytesOf(`0x${toKey}`));
  const [, toScript] = /^a914([0-9a-f]{40})87$/.exec(script) ?? [];
  if (toScript) return encodeBase58(p2sh[kind][0]!, bytesOf(`0x${toScript}`));
  const [, version, program] = /^(00|51)(14[0-9a-f]{40}|20[0-9a-f]{64})$/.exec(script) ?? [];
  // Taproot (BIP-341) has 32 bytes.
  if (!program || (version === '51' && program.length !== 66)) return undefined;
  const words = bech32.toWords(bytesOf(`0x${program.slice(2)}`));
  return version === '51'
    ? bech32m.encode(hrp[kind], [1, ...words])
    : bech32.encode(hrp[kind], [0, ...words]);
}
