import * as z from 'zod/mini';
import { or } from '../../../chains/network.ts';
import { Address, exchangeFields } from '../../entry-fields.ts';

export const KIND = 'uniswap-v3';

/** An exchange of this kind in `networks.json`. */
export const entry = z.object({
  ...exchangeFields,
  kind: z.literal(KIND),
  /** The contract QuoterV2. */
  quoter: Address,
  /** The fee tiers whose pools are looked for, in percent. */
  fees: or(
    z.array(z.number().check(z.gt(0), z.lt(100))).check(z.minLength(1), z.maxLength(8)),
    [0.01, 0.05, 0.3, 1],
  ),
});
export type UniswapV3Entry = z.infer<typeof entry>;
