/** What prevents the wallet from working here, and what the user can do about it. */
import type { HostRequest } from '../../channel/link.ts';
import type { ConnectError } from '../../base/errors.ts';
import type { Frame } from '../frame.ts';

/** Storage is denied or full, and nothing was created. Resolves when the user tries again; otherwise the page gets `error`. */
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

/** The page is not listed, the frame's storage is partitioned, or the browser cannot detect covers: it takes a window. */
export async function needsWindow({ stage, link }: Frame, task: HostRequest): Promise<void> {
  const { guardView } = await import('./guard-view.ts');
  const screen = stage.open(guardView('window'), { signal: task.signal, requestId: task.id });
  for (;;) {
    await screen.next('cbf-window');
    link.openWindow(task.id);
  }
}
