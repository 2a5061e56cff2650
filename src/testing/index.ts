/** `carabiner/testing`: a wallet for tests, which answers by a script. */
import { FakeWallet } from './fake-wallet.ts';
import { inProduction, refuse } from './refuse.ts';
import type { FakeWalletOptions } from './script.ts';

export * from './parts.ts';

/**
 * ```ts
 * const wallet = fakeWallet({ linked: [aWallet()], transfer: rejected() });
 * document.querySelector('connect-provider').connect = wallet.connect;
 * ```
 *
 * What the script does not name is approved, on a network without trouble. Throws in a production build.
 */
export function fakeWallet(options: FakeWalletOptions = {}): FakeWallet {
  if (inProduction()) refuse();
  return new FakeWallet(options);
}
