/** The PINs of users and wallets, and the state of an account. */
import * as routes from '../../src/api/routes.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { type AuditAction, noteDone } from '../audit/audit-log.ts';
import type { Principal } from '../http/principal.ts';
import { unknownDevice } from '../custody/devices.ts';
import { conflict } from '../custody/wallet-errors.ts';
import { openerOf } from '../auth/passkey-answers.ts';
import { serve } from '../http/serve.ts';
import type { Area, Service } from '../service.ts';
import { ownWallet, requireOwnersScope, requireUser } from './own-wallets.ts';

/** The account's master PIN, or a wallet's own PIN. */
async function pinOf(
  { db, custody }: Pick<Service, 'db' | 'custody'>,
  principal: Principal,
  walletId: string | undefined,
): Promise<string> {
  requireOwnersScope(principal);
  if (walletId === undefined) {
    if (principal.isApplication) throw invalid('walletId', 'is missing: an application has no master PIN');
    if (await custody.pins.has(principal.accountId)) return principal.accountId;
    throw conflict('There is no master PIN yet. The first wallet sets it.');
  }
  const wallet = await ownWallet(db, principal, walletId);
  if (wallet.has_own_pin) return wallet.id;
  throw conflict('The wallet has no PIN of its own. Leave walletId out: the master PIN opens it.');
}

export const pincodes: Area = (app, service) => {
  const { custody, devices, passkeys } = service;
  const noted = ({ accountId }: Principal, action: AuditAction, pinId: string): Promise<void> => {
    const subject = pinId === accountId ? `account:${pinId}` : `wallet:${pinId}`;
    return noteDone(service, app.log, { actor: accountId, action, subject, details: {} });
  };

  serve(app, routes.readAccount, async ({ principal, device }) => {
    requireUser(principal);
    const [pin, passkey] = await Promise.all([
      custody.pins.state(principal.accountId),
      passkeys.read(principal.accountId),
    ]);
    return {
      userId: principal.accountId,
      hasMasterPin: pin !== undefined,
      pinChangedAt: pin?.changedAt.getTime() ?? null,
      wrongPins: pin?.wrong ?? 0,
      retryAfter: pin?.retryAfter ?? null,
      hardLocked: pin?.hardLocked ?? false,
      enrolled: device !== undefined,
      passkeyRequired: passkey !== undefined,
    };
  });

  serve(app, routes.changePincode, async ({ body, principal, passkey }) => {
    const pinId = await pinOf(service, principal, body.walletId);
    await custody.pins.change(pinId, openerOf(body.pincode, passkey), body.next);
    await noted(principal, 'pin.changed', pinId);
    return {};
  });

  serve(app, routes.renewRecoveryCode, async ({ body, principal, passkey }) => {
    const pinId = await pinOf(service, principal, body.walletId);
    const recoveryCode = await custody.pins.renewRecoveryCode(pinId, openerOf(body.pincode, passkey));
    await noted(principal, 'recovery-code.renewed', pinId);
    return { recoveryCode };
  });

  serve(app, routes.recoverPincode, async ({ body, principal, device }) => {
    const { recoveryCode, next, walletId } = body;
    // The recovery code of one wallet gives no access to the account's other wallets.
    if (walletId !== undefined && device !== undefined && !(await devices.has(principal.accountId, device)))
      throw unknownDevice();
    const pinId = await pinOf(service, principal, walletId);
    const enrolling = walletId === undefined ? device : undefined;
    const renewed = await custody.recover(pinId, recoveryCode, next, enrolling);
    await noted(principal, 'pin.recovered', pinId);
    return { recoveryCode: renewed };
  });
};
