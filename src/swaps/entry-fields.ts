/** The fields common to exchanges with Uniswap-like contracts. */
import * as z from 'zod/mini';
import { or } from '../chains/network.ts';

/** Which of the two, the network decides. */
export const Address = z
  .string()
  .check(
    z.regex(
      /^(0x[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/,
      'must be 0x and 40 hex digits; on Tron, T and 33 more characters',
    ),
  );

export const exchangeFields = {
  /** The name shown to users and used in requests: `Uniswap V2`. Error codes have it in lower case with hyphens. */
  name: z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*$/, 'must be words of letters and digits'),
      z.maxLength(64),
    ),
  factory: Address,
  router: Address,
  /** The token that stands for the coin in pools: WETH. */
  wrapped: Address,
  /** Tokens that a swap may go through besides `wrapped`: those that most pools have. */
  bases: or(z.array(Address).check(z.maxLength(8)), []),
};
