/** Address records as ENS keeps them (ENSIP-9, https://docs.ens.domains/ensip/9), as the chain writes addresses. */
import { base58, bech32, bech32m } from '@scure/base';
import { bytesOf, concat } from '../../base/bytes.ts';
import type { Network } from '../network.ts';
import { CARDS } from '../secret-type.ts';
import type { UtxoProfile } from '../utxo/profile.ts';

/** As in the chains' own parameters, whose module would bring everything that reads and signs transactions. */
export const FORMS: Record<string, Pick<UtxoProfile, 'hrp' | 'p2pkh' | 'p2sh'>> = {
  BITCOIN: {
    hrp: { mainnet: 'bc', testnet: 'tb', local: 'bcrt' },
    p2pkh: { mainnet: 0x00, testnet: 0x6f, local: 0x6f },
    p2sh: { mainnet: [0x05], testnet: [0xc4], local: [0xc4] },
  },
  LITECOIN: {
    hrp: { mainnet: 'ltc', testnet: 'tltc', local: 'rltc' },
    p2pkh: { mainnet: 0x30, testnet: 0x6f, local: 0x6f },
    p2sh: { mainnet: [0x32, 0x05], testnet: [0x3a, 0xc4], local: [0x3a, 0xc4] },
  },
};

/** Undefined for bytes that are not an address. `record`: hex digits without 0x. */
export async function addressOfRecord(
  record: string,
  { secretType, kind }: Network,
): Promise<string | undefined> {
  const form = FORMS[secretType];
  if (form) return addressOfScript(record, form, kind);
  // Tron's addresses are also written as their 21 bytes in hex.
  return CARDS[secretType].addresses === 'hex' ? `0x${record}` : record;
}

async function addressOfScript(
  script: string,
  { hrp, p2pkh, p2sh }: (typeof FORMS)[string],
  kind: Network['kind'],
): Promise<string | undefined> {
  const [, toKey] = /^76a914([0-9a-f]{40})88ac$/.exec(script) ?? [];
  if (toKey) return base58check(p2pkh[kind], toKey);
  const [, toScript] = /^a914([0-9a-f]{40})87$/.exec(script) ?? [];
  if (toScript) return base58check(p2sh[kind][0]!, toScript);
  const [, version, program] = /^(00|51)(14[0-9a-f]{40}|20[0-9a-f]{64})$/.exec(script) ?? [];
  // Taproot (BIP-341) has 32 bytes.
  if (!program || (version === '51' && program.length !== 66)) return undefined;
  const words = bech32.toWords(bytesOf(`0x${program.slice(2)}`));
  return version === '51'
    ? bech32m.encode(hrp[kind], [1, ...words])
    : bech32.encode(hrp[kind], [0, ...words]);
}

/** With the browser's own SHA-256: another would bring everything that signs. */
async function base58check(version: number, hash: string): Promise<string> {
  const payload = concat(Uint8Array.of(version), bytesOf(`0x${hash}`));
  const digest = await crypto.subtle.digest('SHA-256', await crypto.subtle.digest('SHA-256', payload));
  return base58.encode(concat(payload, new Uint8Array(digest).subarray(0, 4)));
}
