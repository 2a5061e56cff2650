/** Finds Aeternity wallets, which keep announcing themselves by window messages. */
import { announced } from './superhero-messages.ts';
import type { Add } from './types.ts';

export function findSuperhero(add: Add): void {
  addEventListener('message', (event) => {
    const info = announced(event);
    if (!info) return;
    // Identified by name, because its id may change on a reload.
    const by = `aeternity ${String(info.name).slice(0, 128)}`;
    add(by, { by, name: info.name, secretTypes: ['AETERNITY'] }, async (shown, host) =>
      (await import('./superhero.ts')).openSuperhero(shown, host),
    );
  });
}
