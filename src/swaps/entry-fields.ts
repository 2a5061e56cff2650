/** The fields common to exchanges with Uniswap-like contracts. */
import * as z from 'zod/mini';
import { or } from '../chains/network.ts';

export const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'));

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
