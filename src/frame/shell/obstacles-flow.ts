/** What keeps the wallet from working here, and what the user can do about it. */
import type { HostRequest } from '../../channel/link.ts';
import type { ConnectError } from '../../errors.ts';
import type { Frame } from '../frame.ts';

/** Nothing was made. The user allows storage, or frees some, and tries again; else the page gets the reason. */
export async function untilStored({ stage }: Frame, task: HostRequest, error: ConnectError): Promise<void> {
  const { StorageDeniedView } = await import('./storage-denied-view.ts');
  const reason = error.details['reason'] === 'full' ? 'full' : 'denied';
  const screen = stage.open(Object.assign(new StorageDeniedView(), { reason }), {
    signal: task.signal,
    requestId: task.id,
  });
  await screen.next('cbf-retry').catch(() => {
    throw error;
  });
}

/** Storage that is not the wallet's, or a browser that cannot tell what covers a frame: nothing can be done but move. */
export async function needsWindow({ stage, link }: Frame, task: HostRequest): Promise<void> {
  const { guardView } = await import('./guard-view.ts');
  const screen = stage.open(guardView('window'), { signal: task.signal, requestId: task.id });
  for (;;) {
    await screen.next('cbf-window');
    link.openWindow(task.id);
  }
}
