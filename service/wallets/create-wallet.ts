/** Making wallets (spec 4.3). */
import type { CreateWallet } from '../../src/api/wallet-requests.ts';
import { invalid } from '../../src/chains/payloads.ts';
import { ConnectError } from '../../src/errors.ts';
import { requireScope } from '../auth/access-tokens.ts';
import type { Principal } from '../auth/principal.ts';
import { conflict } from '../custody/failures.ts';
import type { WalletRow } from '../database/schema.ts';
import type { Service } from '../service.ts';

/** No caller can give an identifier with a control character, so one that stands for a key is nobody's. */
const KEY_MARK = '\u0001';

/**
 * A white-label wallet is its application's, and has a PIN of its own. A repeated identifier answers the wallet that has it; a repeated
 * `Idempotency-Key` does the same as long as nothing else is asked for with it.
 */
export async function makeWallet(
  { custody, networks }: Pick<Service, 'custody' | 'networks'>,
  principal: Principal,
  body: CreateWallet,
  idempotencyKey: string | undefined,
): Promise<WalletRow> {
  if (body.walletType !== 'WHITE_LABEL') throw invalid('walletType', 'must be WHITE_LABEL');
  requireScope(principal, ['whitelabel']);
  if (!principal.isApplication)
    throw new ConnectError('token.scope', "White-label wallets are made with the application's own token.", {
      scopes: ['whitelabel'],
    });
  const { pincode, alias = '', description = '', secretType, walletType } = body;
  const isKeyed = body.identifier === undefined && idempotencyKey !== undefined;
  const { wallet } = await custody.createWallet({
    ownerId: principal.accountId,
    applicationId: principal.applicationId,
    identifier: isKeyed ? KEY_MARK + idempotencyKey : body.identifier,
    walletType,
    secretType,
    kind: networks.kindOf(secretType),
    alias,
    description,
    pin: pincode,
    pinOf: 'wallet',
  });
  const isSame =
    wallet.secret_type === secretType && wallet.alias === alias && wallet.description === description;
  if (isKeyed && !isSame) throw conflict('The Idempotency-Key was used with another request.');
  return wallet;
}
