/** Runs each request's flow, one at a time, and settles the request whatever happens. */
import type { HostRequest } from '../channel/link.ts';
import { type Ask, isAsk } from '../base/actions.ts';
import { askParams } from '../channel/ask-schema.ts';
import { ConnectError, UserRejectedError } from '../base/errors.ts';
import { acknowledge, pause } from './approve/outcome/delivery.ts';
import { transact } from './approve/transact-flow.ts';
import type { Flow, Frame, Task } from './frame.ts';
import { Admission } from './shell/admission.ts';
import { takeHeadingDigits } from './shell/heading-digits.ts';
import { seesCover, servesVault } from './shell/place.ts';
import type { Waiting } from './shell/queue-flow.ts';
import type { Replacements } from './shell/replacements.ts';
import type { ShellFrame } from './shell/stage.ts';
import type { Turn } from './shell/turn.ts';

/** How long the surface stays open for the next request in the page's queue, in milliseconds. */
const LINGER = 100;

const FLOWS: { [A in Ask]: () => Promise<Flow<A>> } = {
  linkWallets: async () => (await import('./wallets/link-flow.ts')).linkWallets,
  manageWallets: async () => (await import('./wallets/manage-flow.ts')).manageWallets,
  chooseRecipient: async () => (await import('./recipients/recipients-flow.ts')).chooseRecipient,
  transfer: async () => transact,
  execute: async () => transact,
  executeAll: async () => (await import('./approve/execute-all-flow.ts')).executeAll,
  sign: async () => (await import('./approve/sign-flow.ts')).sign,
  resume: async () => (await import('./approve/outcome/resume-flow.ts')).resume,
};

/** The user has gone on in another window. */
function takenBack(): UserRejectedError {
  return new UserRejectedError('The user has gone on in another window of the wallet.');
}

function needsUser(request: HostRequest): request is HostRequest<Ask> {
  return isAsk(request.action);
}

/** Serves every request of the link. `approvesHere`: whether this place can show wallets and approve at all. */
export function serve(
  frame: ShellFrame,
  turn: Turn,
  replacements: Replacements,
  approvesHere: boolean = canApprove(frame),
): void {
  const { link, stage } = frame;
  takeHeadingDigits(stage);
  stage.shell.addEventListener('cbf-pin-focus', (event) => {
    if (!stage.calm && !stage.fresh) return;
    event.preventDefault();
    stage.titleElement?.focus({ preventScroll: true });
  });
  stage.asks = async (action, { signal, requestId }) => {
    const lost = new AbortController();
    const admission = new Admission(frame, turn, replacements, () => lost.abort(takenBack()));
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
  };
  stage.onSettings = (screen) => {
    void import('./settings/settings-flow.ts')
      .then(({ settings }) => settings(frame, screen))
      .catch(() => {});
  };
  link.onAck = (requestId) => void acknowledge(frame, requestId).catch(() => {});

  let answered: Promise<void> = Promise.resolve();
  let leave = new AbortController();
  let running = 0;
  /** The current queue, including requests already settled; a new one starts when all are. */
  const batch: Waiting[] = [];
  const queue = () => import('./shell/queue-flow.ts');
  const tell = (): void => {
    if (batch[1])
      queue()
        .then(({ listQueue }) => listQueue(frame, batch))
        .catch(() => {});
  };

  link.onRequest = (request) => {
    if (!needsUser(request)) {
      const told = answer(frame, request);
      // The page's next request must find the wallet unlinked.
      if (request.action === 'unlink') answered = Promise.all([answered, told]).then(() => {});
      return;
    }
    // An earlier Close was not for this request.
    stage.left = false;
    running++;
    if (batch.every(({ over }) => over)) batch.length = 0;
    const { opening } = stage;
    const rejected = opening?.requestId === request.id ? opening.rejected : new AbortController();
    const item: Waiting = { request, rejected, approved: false, over: false };
    batch.push(item);
    tell();
    const before = answered;
    answered = new Promise((next) => {
      const resolve = (): void => {
        item.over = true;
        tell();
        next();
      };
      void before.then(async () => {
        // Closes whatever the previous request still shows, such as its confirmation.
        leave.abort(new UserRejectedError());
        leave = new AbortController();
        const admission = new Admission(frame, turn, replacements, () => item.rejected.abort(takenBack()));
        const signal = AbortSignal.any([request.signal, leave.signal, item.rejected.signal]);
        request.signal.addEventListener('abort', resolve);
        if (request.signal.aborted) resolve();
        let ended: unknown;
        try {
          item.rejected.signal.throwIfAborted();
          const task: Task = {
            ...request,
            signal,
            params: askParams(request.action, request.params),
            progress(stage, hash) {
              item.approved = stage !== 'approval';
              admission.note(item.approved);
              request.progress(stage, hash);
            },
            resolve(result) {
              item.approved = true;
              request.resolve(result);
              resolve();
              if (request.action === 'manageWallets') return;
              admission.note(true);
              if (batch.every(({ over }) => over)) admission.rest();
            },
            reject(error) {
              request.reject(error);
              admission.end('failed');
              resolve();
            },
          };
          if (!approvesHere) await (await import('./shell/obstacles-flow.ts')).needsWindow(frame, task);
          else {
            await admission.admit(task);
            await run(frame, task);
          }
        } catch (error) {
          request.reject(error);
          item.over = true;
          ended = error;
        }
        if (item.approved) admission.note(true);
        // Close aborts a request that is still loading, just as the page can, but that is the user's doing.
        else if (request.signal.aborted) admission.end(stage.left ? 'rejected' : 'withdrawn');
        else admission.end(ended instanceof UserRejectedError ? 'rejected' : 'failed');
        if (ended && batch[1])
          await queue()
            .then(({ askRest }) => askRest(frame, batch, signal, ended))
            .catch(() => {});
        resolve();
        running--;
        admission.rest();
        if (!running) stage.clear();
        // After an abort, what happens to the iframe is up to the page.
        if (request.signal.aborted && link.surface === 'iframe') return;
        await pause(frame.clock, LINGER);
        if (!running) stage.onIdle();
      });
    });
  };
}

async function run<A extends Ask>(frame: Frame, task: Task<A>): Promise<void> {
  const flow = await FLOWS[task.action]();
  for (;;)
    try {
      return await flow(frame, task);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== 'storage.unavailable') throw error;
      await (await import('./shell/obstacles-flow.ts')).untilStored(frame, task, error);
    }
}

function canApprove(frame: Frame): boolean {
  return servesVault(frame) && (frame.link.surface === 'popup' || seesCover());
}

async function answer(frame: Frame, request: HostRequest): Promise<void> {
  try {
    const { readOwn } = await import('./own-reads.ts');
    await readOwn(frame, request);
  } catch (error) {
    request.reject(error);
  }
}
