import type { NetworkKind } from '../network.ts';
import { addressOfScript } from '../utxo/script-address.ts';
import { readDestination } from '../utxo/utxo-address.ts';
import { BITCOIN } from './params.ts';

/** The address as its chain writes it, of any network. Throws an error whose message follows the field's name. */
export function readAddress(value: unknown): string {
  return readDestination(BITCOIN, value).address;
}

export function ofRecord(record: string, kind: NetworkKind): string | undefined {
  return addressOfScript(BITCOIN, record, kind);
}
