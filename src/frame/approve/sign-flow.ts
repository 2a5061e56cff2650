/** `sign`: a message, bytes, or a raw transaction. */
import type { Wallet } from '../../api/wallet.ts';
import type { SigningSummary } from '../../chains/chain.ts';
import type { Node, ParsedSigning } from '../../chains/terms.ts';
import { networkOf } from '../../chains/nodes/networks.ts';
import type { SignResult } from '../../channel/messages.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import type { Vault } from '../../wallets/types.ts';
import type { Frame, Task } from '../frame.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { intentToSign, unlock, unlockOrLeave, waitOutLock } from '../unlock/unlock.ts';
import type { Draws } from './drawing/signature-drawing.ts';
import { assertNew, knownTo, ownWallet } from './prepare.ts';
import { retryNode } from './approve-flow.ts';

export async function sign(frame: Frame, task: Task<'sign'>): Promise<void> {
  const vault = await frame.vault();
  const { origin } = frame.link;
  const before = await vault.journal.find(origin, task.id, task.action, task.params);
  if (before) return (await import('./outcome/resume-flow.ts')).replay(frame, vault, task, before);
  const wallet = await ownWallet(frame, vault, task, task.params);
  const holder = vault.holder(wallet);
  const { secretType } = wallet;
  const [chain, payloads] = await Promise.all([frame.chain(secretType), frame.payloads(secretType)]);
  const asked = payloads.parseSigning(task.params);
  const { describeSigning } = chain;
  if (!describeSigning || !chain.signData)
    throw new ConnectError('chain.not-supported', `${secretType} wallets do not sign data.`, { secretType });
  const node = chain.node(networkOf(frame.networks, wallet));
  const options: OpenOptions = { signal: task.signal, requestId: task.id };
  const describe = async () =>
    withTerms(
      frame,
      vault,
      wallet,
      node,
      await describeSigning(asked, wallet.address, node, await knownTo(frame, vault, wallet), {
        origin,
        now: frame.clock.date(),
        bargain: async (gives, gets) => {
          const { compareWorth } = await import('./order-worth.ts');
          return compareWorth(frame, { chain, node }, gives, gets);
        },
      }),
    );
  const [{ SignatureView }, own, ways] = await Promise.all([
    import('./signature-view.ts'),
    vault.wallets(),
    holder.state(),
  ]);
  await waitOutLock(frame, holder, options);
  let summary = await describe().catch(unlessUnreachable);
  while (!summary) {
    await retryNode(frame, secretType, options);
    summary = await describe().catch(unlessUnreachable);
  }
  const view = Object.assign(new SignatureView(), {
    summary,
    draws: await drawingOf(summary),
    wallet,
    own,
    passkey: ways.passkey,
    pin: ways.pin,
    clock: frame.clock,
    site: siteName(origin),
    networkName: node.network.name,
  });
  const screen = frame.stage.open(view, options);
  task.progress('approval');
  let approved: ParsedSigning | undefined;
  for (;;) {
    const { type } = await screen.next('cbf-approve', 'cbf-passkey-approve');
    // Only once: a retry after a lost answer must ask the signer for exactly the same.
    const request = (approved ??= withAnnex(asked, frame));
    const pin = type === 'cbf-approve' ? view.takePin() : undefined;
    const tell = (text: string): void => {
      view.busy = false;
      view.pinError = text;
    };
    const opening = (signal: AbortSignal) =>
      pin === undefined
        ? holder.unlockWithPasskey(intentToSign(frame, wallet, node, request, options), signal)
        : holder.unlock(pin);
    const signer = await unlockOrLeave(frame, holder, screen, tell, opening, (late) => late.close());
    if (!signer) continue;
    view.final = true;
    try {
      await assertNew(frame, vault, task.id);
      if (task.signal.aborted) throw new UserRejectedError();
      task.progress('signing');
      const signature = await unlock(frame, holder, screen, tell, () =>
        signer.signData(wallet, chain, request, task.id, task.signal),
      );
      if (!signature) {
        // The signer refused, so nothing has been signed.
        task.progress('approval');
        continue;
      }
      const result: SignResult = { success: true, result: signature };
      await vault.journal.put({
        origin,
        requestId: task.id,
        action: task.action,
        walletId: wallet.id,
        params: task.params,
        state: 'done',
        signed: [],
        networkId: node.network.id,
        result,
      });
      const { kind } = summary;
      const note = { id: `${origin} ${task.id}`, walletId: wallet.id, origin, at: frame.clock.date(), kind };
      // Updates the user's own list; the page need not wait for it.
      void vault.history().then(
        (history) => history.addSignature(note),
        () => {},
      );
      return task.resolve(result);
    } finally {
      view.final = false;
      signer.close();
    }
  }
}

/** A certificate names the site and the time of signing, which the page must not set. */
function withAnnex(request: ParsedSigning, { link, clock }: Frame): ParsedSigning {
  if (!('annex' in request)) return request;
  const annex = { domain: new URL(link.origin).host, timestamp: Math.floor(clock.date() / 1000) };
  return { ...request, annex };
}

/** Less common kinds have drawings of their own, loaded on demand. */
async function drawingOf({ kind }: SigningSummary): Promise<Draws<SigningSummary> | undefined> {
  switch (kind) {
    case 'typed':
      return (await import('./drawing/typed-drawing.ts')).typedDrawing;
    case 'sign-in':
      return (await import('./drawing/sign-in-drawing.ts')).signInDrawing;
    case 'certificate':
      return (await import('./drawing/sign-in-drawing.ts')).certificateDrawing;
    default:
      return undefined;
  }
}

/** As in an approval: if the call may be a swap, loads the code that reads swap terms. */
async function withTerms(
  frame: Frame,
  vault: Vault,
  wallet: Wallet,
  { network }: Node,
  shown: SigningSummary,
): Promise<SigningSummary> {
  if (shown.kind !== 'transaction' || !network.exchanges) return shown;
  const { summary } = shown;
  if (!(summary.call ?? summary.parts)) return shown;
  const terms = await import('./swap-terms.ts');
  return { kind: 'transaction', summary: await terms.withTerms(frame, vault, wallet, { network }, summary) };
}

function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof ConnectError) || error.code !== 'node.unreachable') throw error;
}
