import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { type Fields, movedIn } from '../../../scanning/chains/node-answers.ts';
import type { ChainTransfer } from './chain-reader.ts';

/** The transfer of a token that a log reports, if it goes to one of the addresses. */
export function movedTo(
  log: Fields,
  token: string,
  addresses: readonly string[],
): Pick<ChainTransfer, 'sender' | 'to' | 'amount'> | undefined {
  if (String(log['address']).toLowerCase() !== token.toLowerCase()) return undefined;
  const moved = movedIn(log);
  const to = addresses.find((address) => address.toLowerCase() === moved?.recipient);
  return moved && to !== undefined
    ? { sender: checksum(moved.sender), to: checksum(to), amount: moved.amount }
    : undefined;
}
