/** `carabiner/testing` under the condition `carabiner-testing`: for builds that are published and hold no application, as Storybook's. */
import { FakeWallet } from './fake-wallet.ts';
import type { FakeWalletOptions } from './script.ts';

export * from './parts.ts';

export const fakeWallet = (options: FakeWalletOptions = {}): FakeWallet => new FakeWallet(options);
