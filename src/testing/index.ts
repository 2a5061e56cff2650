/** `carabiner/testing`: a wallet for tests, which answers by a script. */
import { FakeWallet } from './fake-wallet.ts';
import { fakeWallet as refuse } from './production.ts';
import type { FakeWalletOptions } from './script.ts';

// All but `fakeWallet`, which is refused in a production build.
export * from './published.ts';

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

/** Whether a bundler has built the page for production. Bundlers put the text in; a browser has no `process`. */
function inProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return false;
  }
}
