/** The first and the last token of a swap's path. */
import { checksum } from '../contracts/evm-address.ts';

/** V2 lists tokens; V3 packs them, 20 bytes each, with the pools' fees of 3 between them. Undefined for anything else. */
export function pathEnds(path: string | readonly string[]): [first: string, last: string] | undefined {
  if (typeof path !== 'string') return path.length < 2 ? undefined : [path[0]!, path.at(-1)!];
  if (path.length < 88 || (path.length - 42) % 46 !== 0) return undefined;
  return [checksum(path.slice(0, 42)), checksum(`0x${path.slice(-40)}`)];
}
