/**
 * What a request passes before it is drawn: its turn among the wallet's windows, and a notice if it follows another request. And the turn of
 * what the user begins in the wallet itself.
 */
import type { Ask } from '../../base/actions.ts';
import type { HostRequest } from '../../channel/link.ts';
import { UserRejectedError } from '../../base/errors.ts';
import type { OwnAction, OwnTurn } from '../frame.ts';
import type { Mark, Replacements } from './replacements.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { ShellFrame, Stage } from './stage.ts';
import type { Asker, Turn } from './turn.ts';
import { msg } from '../../base/localize.ts';
import { PinConsentView } from '../ui/consent-view.ts';

export const loadObstacles = () => import('./obstacles-flow.ts');

export class Admission implements Asker {
  readonly #frame: ShellFrame;
  readonly #turn: Turn;
  readonly #replacements: Replacements;
  /** Ends the request. */
  readonly #leave: () => void;
  /** Undefined before the request's turn, and once the user has gone on in another window. */
  #mark: Mark | undefined;
  #isApproved = false;
  #isLost = false;

  constructor(frame: ShellFrame, turn: Turn, replacements: Replacements, leave: () => void) {
    this.#frame = frame;
    this.#turn = turn;
    this.#replacements = replacements;
    this.#leave = leave;
  }

  /** Resolves when `request` may be drawn. Rejects as the notices do. */
  async admit(request: HostRequest<Ask>): Promise<void> {
    const replacements = this.#replacements;
    const { stage } = this.#frame;
    stage.calm = false;
    replacements.title = () => '';
    const options = { signal: request.signal, requestId: request.id };
    const [mark, isFirst] = await this.#enter(request, options);
    const isNew = request.action !== 'resume';
    const verdict = isNew ? await replacements.judge(request, mark) : undefined;
    if (verdict) {
      if (verdict.kind !== 'quiet') await (await loadObstacles()).standBefore(this.#frame, options, verdict);
      replacements.accept(mark);
    }
    replacements.title = () => stage.title;
    // `resume` signs nothing new, so it replaces nothing; but it may ask for a PIN, too.
    stage.calm = !isFirst || (isNew ? verdict !== undefined : replacements.follows(mark));
    if (stage.calm) stage.warn();
  }

  /** The same for what the user begins in the wallet itself, which follows nothing. */
  async begin(action: OwnAction, options: OpenOptions): Promise<void> {
    await this.#enter({ action, params: options.requestId }, options, true);
  }

  /** The user has approved it; or is asked again, because the signer refused or the list continues. */
  note(isApproved: boolean): void {
    this.#isApproved = isApproved;
    if (!isApproved && this.#isLost) this.#leave();
    if (!this.#mark) return;
    if (isApproved) this.#replacements.approve(this.#mark);
    else this.#replacements.again(this.#mark);
  }

  /** The user is no longer asked. */
  rest(): void {
    this.#turn.leave(this);
  }

  /** It has ended. `how` counts if it was not approved. */
  end(how: Parameters<Replacements['end']>[1]): void {
    if (this.#mark && !this.#isApproved) this.#replacements.end(this.#mark, how);
    this.#mark = undefined;
  }

  /** The user has gone on in another window. What is being signed cannot be taken back, unless the signer refuses. */
  onLost(): void {
    if (this.#mark) this.#replacements.forget(this.#mark);
    this.#mark = undefined;
    this.#isLost = true;
    if (!this.#isApproved) this.#leave();
  }

  /** Its mark, and whether no other window was asking. */
  async #enter(
    body: Parameters<Replacements['begin']>[0],
    options: OpenOptions,
    quiet = false,
  ): Promise<[Mark, boolean]> {
    const isFree = await this.#turn.take(this, { ifAvailable: true });
    const isSeized =
      !isFree && (await (await loadObstacles()).waitForTurn(this.#frame, options, this.#turn, this));
    const mark = (this.#mark = this.#replacements.begin(body, quiet));
    // The user has read that the other one is taken back.
    if (isSeized) this.#replacements.accept(mark);
    return [mark, isFree];
  }
}

/** `leave` ends what is admitted, because the user has gone on in another window. */
export type AdmissionFor = (leave: () => void) => Admission;

/** Lets the user begin something over what is shown, in the frame's turn. Returns how a site's request is admitted. */
export function serveOwn(frame: ShellFrame, turn: Turn, replacements: Replacements): AdmissionFor {
  const { stage } = frame;
  const admission: AdmissionFor = (leave) => new Admission(frame, turn, replacements, leave);
  takeHeadingDigits(stage);
  withholdPinFocus(stage);
  stage.asks = (action, options) => takeOwnTurn(admission, action, options);
  stage.lends = (work) => turn.lend(work);
  stage.onSettings = (screen) => {
    void import('../settings/settings-flow.ts')
      .then(({ settings }) => settings(frame, screen))
      .catch(() => {});
  };
  return admission;
}

/** A PIN field that has just come up, or that follows a notice, does not take the focus by itself. */
function withholdPinFocus(stage: Stage): void {
  stage.shell.addEventListener('cbf-pin-focus', (event) => {
    if (!stage.calm && !stage.fresh) return;
    event.preventDefault();
    stage.titleElement?.focus({ preventScroll: true });
  });
}

/** For what the user begins in the wallet itself, over what a site has asked for. */
async function takeOwnTurn(
  admissionFor: AdmissionFor,
  action: OwnAction,
  { signal, requestId }: OpenOptions,
): Promise<OwnTurn> {
  const lost = new AbortController();
  const admission = admissionFor(() => lost.abort(movedAway()));
  const options = { signal: AbortSignal.any([signal, lost.signal]), requestId };
  const end = (): void => {
    // A request came while the user was typing here: those digits are not for it.
    if (options.signal.aborted) admission.end('withdrawn');
    else admission.note(true);
    admission.rest();
  };
  await admission.begin(action, options).catch((error: unknown) => {
    end();
    throw error;
  });
  return { signal: options.signal, end };
}

/** The user has gone on in another window. */
export function movedAway(): UserRejectedError {
  return new UserRejectedError('The user has gone on in another window of the wallet.');
}

/** A pause between keys this long, in milliseconds, means that the user has stopped typing. */
const PAUSE = 1000;

const DIGIT = /^[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]$/;

/**
 * Digits typed while nothing that takes input has the focus, as on an approval that has just opened: they go into its PIN field. Those that
 * come before it has been in plain sight for long enough are discarded, never kept, and so are those that follow them without a pause: the
 * rest of a PIN would be a wrong one. So are all within a minute of a danger or a notice, which has to be read.
 */
export function takeHeadingDigits(stage: Stage): void {
  const { clock } = stage.guard;
  let discardedAt = -Infinity;
  const take = (event: KeyboardEvent): void => {
    const { view } = stage.screen ?? {};
    const target = event.composedPath()[0];
    if (!event.isTrusted || !DIGIT.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!(view instanceof PinConsentView) || view.busy) return;
    const row = view.pinRow;
    if (!row?.checkVisibility()) return;
    if (target instanceof Element && target.closest('a, button, input, select, summary, textarea')) return;
    event.preventDefault();
    const now = clock.now();
    if (view.fresh || event.repeat || now - discardedAt < PAUSE) {
      discardedAt = now;
      // Nor does the field get the focus by itself.
      view.takesFocus = false;
    } else if (!view.risky && !stage.isWary) {
      row.focus();
      return row.press(String(event.key.codePointAt(0)! & 15));
    }
    row.note = msg('These digits were not taken. Choose the PIN field and type your PIN.');
  };
  document.addEventListener('keydown', take);
}
