/** Which flow serves which request, one at a time, and what a page may rely on whatever happens in it. */
import type { HostRequest } from '../../channel/link.ts';
import type { Action } from '../../channel/schema.ts';
import { ConnectError, UserRejectedError } from '../../errors.ts';
import { isFirstParty, seesCover } from '../place.ts';
import { pause } from './delivery.ts';
import type { Frame } from './frame.ts';
import { acknowledge, isRead, read } from './reads.ts';

/** The page's queue may have its next request ready: it comes within this time, and finds the surface open. */
const LINGER = 100;

type Flow = (frame: Frame, task: HostRequest) => Promise<void>;

const FLOWS: { [A in Action]?: () => Promise<Flow> } = {
  linkWallets: async () => (await import('./link.ts')).linkWallets,
  manageWallets: async () => (await import('./manage.ts')).manageWallets,
  transfer: async () => (await import('./transact.ts')).transact,
  execute: async () => (await import('./transact.ts')).transact,
  executeAll: async () => (await import('./execute-all.ts')).executeAll,
  sign: async () => (await import('./sign.ts')).sign,
  resume: async () => (await import('./resume.ts')).resume,
};

/** Serves every request of the link. `approvesHere`: whether this place can show wallets and approve at all. */
export function serve(frame: Frame, approvesHere = canApprove(frame)): void {
  const { link, stage } = frame;
  stage.onSettings = (screen) => {
    void import('./settings.ts').then(({ settings }) => settings(frame, screen)).catch(() => {});
  };
  link.onAck = (requestId) => void acknowledge(frame, requestId).catch(() => {});

  let answered: Promise<void> = Promise.resolve();
  let leave = new AbortController();
  let running = 0;

  link.onRequest = (request) => {
    if (isRead(request.action)) return void read(frame, request);
    running++;
    const before = answered;
    answered = new Promise((resolve) => {
      void before.then(async () => {
        // What the former request still shows (its confirmation, say) makes room.
        leave.abort(new UserRejectedError());
        leave = new AbortController();
        const task: HostRequest = {
          ...request,
          signal: AbortSignal.any([request.signal, leave.signal]),
          progress: (stage, hash) => request.progress(stage, hash),
          resolve(result) {
            request.resolve(result);
            resolve();
          },
          reject(error) {
            request.reject(error);
            resolve();
          },
        };
        request.signal.addEventListener('abort', () => resolve());
        try {
          await (approvesHere ? run(frame, task) : needsWindow(frame, task));
        } catch (error) {
          task.reject(error);
        }
        resolve();
        running--;
        if (!running) stage.clear();
        // After an abort the page decides itself what becomes of the surface.
        if (request.signal.aborted) return;
        await pause(LINGER);
        if (!running) link.close();
      });
    });
  };
}

async function run(frame: Frame, task: HostRequest): Promise<void> {
  const flow = await FLOWS[task.action]!();
  for (;;)
    try {
      return await flow(frame, task);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== 'storage.unavailable') throw error;
      await untilStored(frame, task, error);
    }
}

/** Nothing was made. The user allows storage, or frees some, and tries again; else the page gets the reason. */
async function untilStored({ stage }: Frame, task: HostRequest, error: ConnectError): Promise<void> {
  const { StorageDeniedView } = await import('../views/storage-denied.ts');
  const reason = error.details['reason'] === 'full' ? 'full' : 'denied';
  const screen = stage.open(Object.assign(new StorageDeniedView(), { reason }), {
    signal: task.signal,
    requestId: task.id,
  });
  await screen.next('cbf-retry').catch(() => {
    throw error;
  });
}

function canApprove(frame: Frame): boolean {
  return isFirstParty(frame) && (frame.link.surface === 'popup' || seesCover());
}

/** Storage that is not the wallet's, or a browser that cannot tell what covers a frame: nothing can be done but move. */
async function needsWindow({ stage, link }: Frame, task: HostRequest): Promise<void> {
  const { guardView } = await import('../views/guard.ts');
  const screen = stage.open(guardView('window'), { signal: task.signal, requestId: task.id });
  for (;;) {
    await screen.next('cbf-window');
    link.openWindow(task.id);
  }
}
