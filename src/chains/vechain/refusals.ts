/** What nodes answer to `POST /transactions`. Sources: thor `api/transactions`, `txpool/tx_pool.go`, `txpool/tx_object.go`, `runtime/resolved_tx.go`. */
import type { RefusalTable } from '../nodes/broadcast.ts';

export const REFUSALS: RefusalTable = [
  [/^tx rejected: known tx$/, 'known'],
  [/^tx rejected: expired$/, 'over'],
  [/^tx rejected: insufficient energy/, 'funds'],
  [/^bad tx: /, 'transaction'],
  [
    /^tx rejected: .*(exceeds block gas limit|block base fee|not supported|unsupported|reserved slot)/,
    'transaction',
  ],
  [/^tx rejected: .*(dep reverted|size too large)/, 'transaction'],
];
