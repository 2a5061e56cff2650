import * as z from 'zod/mini';
import { or } from '../../../chains/network.ts';
import { exchangeFields } from '../../entry-fields.ts';

export const KIND = 'uniswap-v2';

/** An exchange of this kind in `networks.json`. */
export const entry = z.object({
  ...exchangeFields,
  kind: z.literal(KIND),
  /** A pool's fee on the input, in percent with at most 4 decimal places. */
  fee: or(z.number().check(z.gte(0), z.lt(100)), 0.3),
});
export type UniswapV2Entry = z.infer<typeof entry>;
