/**
 * What nodes answer to `/wallet/broadcasthex`, as code and words, or to bytes that they cannot read, the exception. Sources:
 * java-tron `api.proto` (`Return.response_code`), `Wallet.broadcastTransaction`, and the actuators' `validate`.
 */
import type { RefusalTable } from '../nodes/broadcast.ts';

export const REFUSALS: RefusalTable = [
  [/^DUP_TRANSACTION_ERROR /, 'seen'],
  [/^(TRANSACTION_EXPIRATION_ERROR|TAPOS_ERROR) /, 'over'],
  [/^BANDWITH_ERROR |is not sufficient|insufficient fee/i, 'funds'],
  [/^(SIGERROR|CONTRACT_VALIDATE_ERROR|CONTRACT_EXE_ERROR|TOO_BIG_TRANSACTION_ERROR) /, 'transaction'],
  [/InvalidProtocolBufferException|DecoderException/, 'transaction'],
];
