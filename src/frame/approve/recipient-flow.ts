/**
 * Recipients by e-mail or registered name. The site never learns whether an e-mail address has a wallet: if not, it sees a rejection. What a
 * name leads to is public, so of a name without an address it learns that.
 */
import { html } from 'lit';
import { msg } from '../../base/localize.ts';
import { iconSend } from '../../ui/list-icons.ts';
import { badgeQuestion, type QuestionView } from '../ui/question-view.ts';
import { invalid } from '../../chains/requests/payloads.ts';
import type { HostRequest } from '../../channel/link.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import { INVISIBLE } from '../../base/text.ts';
import type { ServiceAccess } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import { asEnrolled, hasAccount } from '../service/service-account-flow.ts';
import { untilServed } from '../service/service-down-flow.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Approval } from './approval.ts';
import type { Prepared } from './prepare.ts';

/** A page's request, or the wallet's own Send. */
type ApprovalTask = Approval['task'] & Partial<Pick<HostRequest, 'reject'>>;

const MISLEADING = new RegExp(`[${INVISIBLE}\\p{Z}\\p{Pi}\\p{Pf}"]`, 'u');

/** The request with the recipient's address. If there is none, shows that to the user and rejects. */
export async function resolved(frame: Frame, task: ApprovalTask, prepared: Prepared): Promise<Prepared> {
  const { service } = prepared.vault;
  const text = String(prepared.request['to']);
  // It is shown next to the address that it resolves to.
  if (MISLEADING.test(text))
    throw invalid(
      'to',
      'must be an e-mail address or a name, without quotation marks or invisible characters',
    );
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  if (text.includes('@'))
    // Without a service it cannot be resolved, and the chain rejects it.
    return service ? byEmail(frame, task, service, prepared, options) : prepared;
  const { lookUpName, NameProblem, problemText } = await import('../recipients/look-up-name.ts');
  const { network } = prepared.node;
  try {
    const { name, address } = await lookUpName(frame, text, network);
    return await withRecipient(frame, prepared, address, name);
  } catch (error) {
    if (!(error instanceof NameProblem)) throw error;
    const { reason } = error;
    const answer = new ConnectError('recipient.unknown', 'No address was found for this name.', { reason });
    return unknown(frame, task, { email: text, why: problemText(error, network) }, options, answer);
  }
}

/** What can be sent depends on the kind of the recipient's address. */
async function withRecipient(frame: Frame, prepared: Prepared, to: string, email: string): Promise<Prepared> {
  const payloads = await frame.payloads(prepared.wallet.secretType);
  return { ...prepared, request: payloads.parse({ ...prepared.request, to }), email };
}

async function byEmail(
  frame: Frame,
  task: ApprovalTask,
  service: ServiceAccess,
  prepared: Prepared,
  options: OpenOptions,
): Promise<Prepared> {
  const { chain, node, vault, wallet } = prepared;
  const email = String(prepared.request['to']);
  for (;;)
    try {
      if (!(await hasAccount(vault))) {
        const trouble = await service.trouble();
        if (trouble) throw trouble;
        // An application's own token may look up recipients; a user without a PIN there may not.
        if (await service.account()) return await unknown(frame, task, { email, noAccount: true }, options);
      }
      const to = await asEnrolled(frame, options, () => service.resolve(email, wallet.secretType));
      if (to === undefined) throw new UserRejectedError();
      // The address is for another of the chain's networks, or is not an address.
      if (!chain.isAddress(to, node.network.kind)) return await unknown(frame, task, { email }, options);
      return await withRecipient(frame, prepared, to, email);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (error.code === 'recipient.unknown') return unknown(frame, task, { email }, options);
      if (error.code !== 'service.unreachable') throw error;
      await untilServed(frame, vault, error, options);
    }
}

/** `answer`: what the page gets at once, so that it has it even if the user closes the window. */
async function unknown(
  frame: Frame,
  task: ApprovalTask,
  who: UnknownRecipient,
  options: OpenOptions,
  answer?: ConnectError,
): Promise<never> {
  const screen = frame.stage.open(recipientUnknown(who), options);
  // Reported as for an approval.
  task.progress('approval');
  if (answer) task.reject?.(answer);
  await screen.next();
  throw new UserRejectedError();
}

export interface UnknownRecipient {
  /** Or the name. */
  email: string;
  /** The user has no account at the service, which alone knows e-mail addresses. */
  noAccount?: boolean;
  /** Why a name does not resolve. */
  why?: string;
}

/** No wallet for an e-mail address, which the site cannot tell from a rejection, or no address for a name. */
export function recipientUnknown({ email, noAccount, why }: UnknownRecipient): QuestionView<'cbf-reject'> {
  const heading = (): string => {
    if (why) return msg('No address found for this name');
    return noAccount ? msg('Cannot look up this e-mail') : msg('No wallet found for this e-mail');
  };
  const advice = (): string =>
    noAccount
      ? msg(
          'Only users of the wallet service can send to an e-mail address. Ask the recipient for an address.',
        )
      : msg('Ask the recipient for an address.');
  return badgeQuestion('cbf-reject', () => ({
    badge: ['warn', iconSend()],
    heading: heading(),
    text: html`<bdi dir="ltr">${email}</bdi><br />${why || advice()}`,
    buttons: [{ text: msg('Close'), event: 'cbf-reject', look: 'secondary' }],
    stacked: true,
  }));
}
