/**
 * What nodes answer to `sendrawtransaction`. Sources: Bitcoin Core and Litecoin Core `src/validation.cpp`, `src/policy/policy.cpp`,
 * `src/policy/rbf.cpp`, `src/node/transaction.cpp`; btcd `mempool/mempool.go`, `mempool/policy.go`, `blockchain/scriptval.go`.
 */
import type { RefusalTable } from '../nodes/broadcast.ts';

export const REFUSALS: RefusalTable = [
  [/already[ -](in|known|have|exists)|outputs already|same-nonwitness-data-in-mempool/i, 'known'],
  [/missing ?or ?spent|orphan transaction/i, 'over'],
  // Of a second transaction that spends the same coins; btcd: `output … already spent by transaction … in the memory pool`.
  [/mempool-conflict|already spent by|rejecting replacement|replacement transaction/i, 'transaction'],
  [
    /script-verify-flag|^bad-(txns|witness)|^(scriptpubkey|scriptsig-|tx-size|version|multi-op-return)/i,
    'transaction',
  ],
  [/failed to (validate|parse) input|\bdust\b|TX decode failed|not standard|nonstandard/i, 'transaction'],
];
