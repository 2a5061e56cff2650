/** The bytes of an address record, as the chain's addresses (ENSIP-9, https://docs.ens.domains/ensip/9). */
import { bech32, bech32m } from '@scure/base';
import { bytesOf } from '../hex.ts';
import { BITCOIN } from '../bitcoin/params.ts';
import { LITECOIN } from '../litecoin/params.ts';
import type { Network } from '../network.ts';
import { fromEvm } from '../tron/address.ts';
import type { UtxoParams } from '../utxo/params.ts';
import { encodeBase58 } from '../utxo/utxo-address.ts';

/** Undefined for bytes that are no address of the chain. `record`: hex digits. */
export function addressOfRecord(record: string, { secretType, kind }: Network): string | undefined {
  const hex = record.toLowerCase();
  switch (secretType) {
    case 'BITCOIN':
      return addressOfScript(hex, BITCOIN, kind);
    case 'LITECOIN':
      return addressOfScript(hex, LITECOIN, kind);
    case 'TRON':
      return /^41[0-9a-f]{40}$/.test(hex) ? fromEvm(`0x${hex.slice(2)}`) : undefined;
    default:
      return /^[0-9a-f]{40}$/.test(hex) ? `0x${hex}` : undefined;
  }
}

function addressOfScript(
  script: string,
  { hrp, p2pkh, p2sh }: UtxoParams,
  kind: Network['kind'],
): string | undefined {
  const [, toKey] = /^76a914([0-9a-f]{40})88ac$/.exec(script) ?? [];
  if (toKey) return encodeBase58(p2pkh[kind], bytesOf(`0x${toKey}`));
  const [, toScript] = /^a914([0-9a-f]{40})87$/.exec(script) ?? [];
  if (toScript) return encodeBase58(p2sh[kind][0]!, bytesOf(`0x${toScript}`));
  const [, version, program] = /^(0014|0020|5120)([0-9a-f]{40}|[0-9a-f]{64})$/.exec(script) ?? [];
  if (!program || Number.parseInt(version!.slice(2), 16) !== program.length / 2) return undefined;
  const words = bech32.toWords(bytesOf(`0x${program}`));
  return version === '5120'
    ? bech32m.encode(hrp[kind], [1, ...words])
    : bech32.encode(hrp[kind], [0, ...words]);
}
