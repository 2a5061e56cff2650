/** Recipients by e-mail address. The site never learns whether an address has a wallet: an unknown one ends like a rejection. */
import { invalid } from '../../chains/requests/payloads.ts';
import type { HostRequest } from '../../channel/link.ts';
import { ConnectError, UserRejectedError } from '../../errors.ts';
import { INVISIBLE } from '../../inert-text.ts';
import type { ServiceAccess } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { asEnrolled, hasAccount } from '../service/service-account-flow.ts';
import { untilServed } from '../service/service-down-flow.ts';
import type { OpenOptions } from '../shell/stage.ts';
import type { Prepared } from './prepare.ts';

const MISLEADING = new RegExp(`[${INVISIBLE}\\p{Z}\\p{Pi}\\p{Pf}"]`, 'u');

/** The request with the recipient's address. Rejects with `user.rejected` once the user has been told that there is none. */
export async function resolved(
  frame: Frame,
  task: HostRequest,
  service: ServiceAccess,
  prepared: Prepared,
): Promise<Prepared> {
  const { chain, node, vault, wallet } = prepared;
  const email = String(prepared.request['to']);
  // It is shown beside the address to which it leads.
  if (MISLEADING.test(email))
    throw invalid('to', 'must be an e-mail address without quotation marks or invisible characters');
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  for (;;)
    try {
      if (!(await hasAccount(vault))) {
        const trouble = await service.trouble();
        if (trouble) throw trouble;
        // An application's own token may look up recipients; a user without a PIN there may not.
        if (await service.account()) return await unknown(frame, task, email, true, options);
      }
      const to = await asEnrolled(frame, options, () => service.resolve(email, wallet.secretType));
      if (to === undefined) throw new UserRejectedError();
      // An address of another network of the chain, or no address at all.
      if (!chain.isAddress(to, node.network.kind)) return await unknown(frame, task, email, false, options);
      // What can be sent depends on the kind of the recipient's address.
      const payloads = await frame.payloads(wallet.secretType);
      return { ...prepared, request: payloads.parse({ ...prepared.request, to }), email };
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (error.code === 'recipient.unknown') return unknown(frame, task, email, false, options);
      if (error.code !== 'service.unreachable') throw error;
      await untilServed(frame, vault, error, options);
    }
}

async function unknown(
  frame: Frame,
  task: HostRequest,
  email: string,
  noAccount: boolean,
  options: OpenOptions,
): Promise<never> {
  const { RecipientUnknownView } = await import('./recipient-unknown-view.ts');
  const view = Object.assign(new RecipientUnknownView(), { email, noAccount });
  const screen = frame.stage.open(view, options);
  // Reported as for an approval.
  task.progress('approval');
  await screen.next();
  throw new UserRejectedError();
}
