/**
 * What nodes answer to `eth_sendRawTransaction`. Sources: go-ethereum `core/error.go`, `core/txpool/errors.go`, `core/txpool/validation.go`;
 * Erigon `txnprovider/txpool/txpoolcfg/txpoolcfg.go`; Nethermind `AcceptTxResult.cs`; anvil `crates/anvil/src/eth/error.rs`; GoChain
 * `core/tx_pool.go`.
 */
import type { RefusalTable } from '../nodes/broadcast.ts';

export const REFUSALS: RefusalTable = [
  // GoChain: `known tx: 0x…`. Erigon: `INTERNAL_ERROR: existing tx with same hash`. A node may also not know its type.
  [/already[ _]?(known|imported|exists)|\bknown (transaction|tx)\b|existing txn? with same hash/i, 'known'],
  [/nonce (too|is) low|nonce.*already used|OldNonce/i, 'over'],
  [/insufficient (funds|balance)/i, 'funds'],
  // Of a second transaction with the same nonce.
  [/replacement transaction underpriced|could not replace existing tx|ReplacementNotAllowed/i, 'transaction'],
  // Rules of the chain.
  [/less than block base fee|max ?priority ?fee ?per ?gas.*(higher|than)/i, 'transaction'],
  [/intrinsic ?gas|floor data gas|(exceeds|over) block gas limit|gas limit (is )?too high/i, 'transaction'],
  [/gas limit reached|gas uint64 overflow/i, 'transaction'],
  [
    /transaction type not supported|(unknown|unsupported) (transaction|tx) ?type|not activated yet/i,
    'transaction',
  ],
  [/chain ?id|replay-protected|invalid (sender|signature)|sender not an eoa/i, 'transaction'],
  [/oversized data|max initcode size|negative value|^rlp: |typed transaction too short/i, 'transaction'],
];
