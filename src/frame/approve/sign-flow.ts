/** `sign`: a message, bytes, or a raw transaction. */
import type { Chain, SigningSummary } from '../../chains/chain.ts';
import type { Node, ParsedSigning } from '../../chains/terms.ts';
import { networksOf, splitNetwork } from '../../chains/nodes/networks.ts';
import type { SignResult } from '../../channel/messages.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import type { HeldWallet, Holder, Signer, Vault } from '../../wallets/types.ts';
import type { Frame, Task } from '../frame.ts';
import { siteName } from '../shell/origin.ts';
import type { OpenOptions, Screen } from '../ui/screen.ts';
import { intentToSign, unlock, unlockOrLeave, waitOutLock } from '../unlock/unlock.ts';
import type { OrderApproval } from './between-chains.ts';
import type { Draws } from './drawing/signature-drawing.ts';
import { assertNew, knownTo, networkNoteOf, ownWallet, requestNetwork } from './prepare.ts';
import type { SignatureView } from './signature-view.ts';

export async function sign(frame: Frame, task: Task<'sign'>): Promise<void> {
  const vault = await frame.vault();
  const before = await vault.journal.find(frame.link.origin, task.id, task.action, task.params);
  if (before) return (await import('./outcome/resume-flow.ts')).replay(frame, vault, task, before);
  const wallet = await ownWallet(frame, vault, task, task.params);
  const { secretType } = wallet;
  const [chain, payloads] = await Promise.all([frame.chain(secretType), frame.payloads(secretType)]);
  const { networkId, body } = splitNetwork(task.params);
  const request = payloads.parseSigning(body);
  if (!signsData(chain))
    throw new ConnectError('chain.not-supported', `${secretType} wallets do not sign data.`, { secretType });
  const node = chain.node(await requestNetwork(frame, vault, wallet, networkId));
  await new DataSignature(frame, task, vault, wallet, chain, node, request).give();
}

type SigningChain = Chain & Required<Pick<Chain, 'describeSigning' | 'signData'>>;

function signsData(chain: Chain): chain is SigningChain {
  return !!chain.describeSigning && !!chain.signData;
}

/** A signature that a site asks for: described, shown, given and stored. */
class DataSignature {
  readonly #frame: Frame;
  readonly #task: Task<'sign'>;
  readonly #vault: Vault;
  readonly #wallet: HeldWallet;
  readonly #chain: SigningChain;
  readonly #node: Node;
  readonly #request: ParsedSigning;
  readonly #holder: Holder;
  readonly #options: OpenOptions;
  /** Of a raw transaction: what it is found to order. */
  readonly #approval: OrderApproval;

  constructor(
    frame: Frame,
    task: Task<'sign'>,
    vault: Vault,
    wallet: HeldWallet,
    chain: SigningChain,
    node: Node,
    request: ParsedSigning,
  ) {
    this.#frame = frame;
    this.#task = task;
    this.#vault = vault;
    this.#wallet = wallet;
    this.#chain = chain;
    this.#node = node;
    this.#request = request;
    this.#holder = vault.holder(wallet);
    this.#options = { signal: task.signal, requestId: task.id };
    this.#approval = { vault, wallet, node };
  }

  async give(): Promise<void> {
    const [{ SignatureView }, own, networkNote, { passkey, pin }] = await Promise.all([
      import('./signature-view.ts'),
      this.#vault.wallets(),
      networkNoteOf(this.#frame, this.#vault, this.#wallet, this.#node.network),
      this.#holder.state(),
    ]);
    await waitOutLock(this.#frame, this.#holder, this.#options);
    const summary = await this.#summary();
    const view = Object.assign(new SignatureView(), {
      summary,
      draws: await drawingOf(summary),
      wallet: this.#wallet,
      own,
      passkey,
      pin,
      clock: this.#frame.clock,
      site: siteName(this.#frame.link.origin),
      networkName: this.#node.network.name,
      networkNote,
    });
    const screen = this.#frame.stage.open(view, this.#options);
    this.#task.progress('approval');
    await this.#untilSigned(screen, summary.kind);
  }

  async #summary(): Promise<SigningSummary> {
    for (;;) {
      const summary = await this.#describe().catch(unlessUnreachable);
      if (summary) return summary;
      const { retryNode } = await import('../shell/obstacles-flow.ts');
      await retryNode(this.#frame, this.#wallet, this.#options);
    }
  }

  async #describe(): Promise<SigningSummary> {
    const [frame, chain, node] = [this.#frame, this.#chain, this.#node];
    const { describeSigning } = chain;
    const summary = await describeSigning(
      this.#request,
      this.#wallet.address,
      node,
      await knownTo(frame, this.#vault, this.#wallet),
      {
        origin: frame.link.origin,
        now: frame.clock.date(),
        refusesElsewhere: this.#wallet.walletType !== 'BROWSER',
        networks: frame.networks.networks.filter(({ secretType }) => secretType === chain.secretType),
        bargain: async (gives, gets) => {
          const { compareWorth } = await import('./order-worth.ts');
          return compareWorth(frame, { chain, node }, gives, gets);
        },
      },
    );
    return this.#withTerms(summary);
  }

  /** As in an approval, with swap terms and the operator's words. */
  async #withTerms(shown: SigningSummary): Promise<SigningSummary> {
    if (shown.kind !== 'transaction') return shown;
    const { summary } = shown;
    if (!(summary.call ?? summary.parts)) return shown;
    const { withTerms } = await import('./call-terms.ts');
    return {
      kind: 'transaction',
      summary: await withTerms(this.#frame, this.#approval, undefined, summary),
    };
  }

  async #untilSigned(screen: Screen<SignatureView>, kind: SigningSummary['kind']): Promise<void> {
    let request: ParsedSigning | undefined;
    for (;;) {
      const { type } = await screen.next('cbf-approve', 'cbf-passkey-approve');
      // Only once: a retry after a lost answer must ask the signer for exactly the same.
      request ??= withAnnex(this.#request, this.#frame);
      const pin = type === 'cbf-approve' ? screen.view.takePin() : undefined;
      this.#approval.order?.ask();
      const signer = await this.#unlock(screen, request, pin);
      if (signer && (await this.#answer(screen, request, signer, kind))) return;
    }
  }

  #unlock(
    screen: Screen<SignatureView>,
    request: ParsedSigning,
    pin: string | undefined,
  ): Promise<Signer | undefined> {
    const opening = (signal: AbortSignal) =>
      pin === undefined
        ? this.#holder.unlockWithPasskey(
            intentToSign(this.#frame, this.#wallet, this.#node, request, this.#options),
            signal,
          )
        : this.#holder.unlock(pin);
    return unlockOrLeave(this.#frame, this.#holder, screen, tellOn(screen), opening, (late) => late.close());
  }

  /** Signs, stores the answer and gives it to the page. False if the signer refused: then nothing has been signed. */
  async #answer(
    screen: Screen<SignatureView>,
    request: ParsedSigning,
    signer: Signer,
    kind: SigningSummary['kind'],
  ): Promise<boolean> {
    const task = this.#task;
    screen.view.final = true;
    try {
      await assertNew(this.#frame, this.#vault, task.id);
      if (task.signal.aborted) throw new UserRejectedError();
      await this.#approval.order?.assertOpen();
      task.progress('signing');
      const signature = await unlock(this.#frame, this.#holder, screen, tellOn(screen), () =>
        signer.signData(this.#wallet, this.#chain, request, {
          id: task.id,
          network: task.params.network ?? this.#unnamedNetwork,
          signal: task.signal,
        }),
      );
      if (!signature) {
        task.progress('approval');
        return false;
      }
      const result: SignResult = { success: true, result: signature };
      await this.#store(result, kind);
      task.resolve(result);
      return true;
    } finally {
      screen.view.final = false;
      signer.close();
    }
  }

  /** Undefined for the default network: the service knows it. */
  get #unnamedNetwork(): string | undefined {
    const { id } = this.#node.network;
    return id === networksOf(this.#frame.networks, this.#wallet)[0]?.id ? undefined : id;
  }

  async #store(result: SignResult, kind: SigningSummary['kind']): Promise<void> {
    const { id, action, params } = this.#task;
    const { origin } = this.#frame.link;
    const walletId = this.#wallet.id;
    await this.#vault.journal.put({
      origin,
      requestId: id,
      action,
      walletId,
      params,
      state: 'done',
      signed: [],
      networkId: this.#node.network.id,
      result,
    });
    const note = { id: `${origin} ${id}`, walletId, origin, at: this.#frame.clock.date(), kind };
    // Updates the user's own list; the page need not wait for it.
    void this.#vault.history().then(
      (history) => history.addSignature(note),
      () => {},
    );
  }
}

function tellOn({ view }: Screen<SignatureView>): (text: string) => void {
  return (text) => {
    view.busy = false;
    view.pinError = text;
  };
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

function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof ConnectError) || error.code !== 'node.unreachable') throw error;
}
