import { readDestination } from '../utxo/utxo-address.ts';
import { BITCOIN } from './params.ts';

/** The address as its chain writes it, of any network. Throws an error whose message follows the field's name. */
export function readAddress(value: unknown): string {
  return readDestination(BITCOIN, value).address;
}
