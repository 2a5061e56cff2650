/** `carabiner/testing` under the condition `carabiner-testing`: for builds that are published and hold no application, as Storybook's. */
import { FakeWallet } from './fake-wallet.ts';
import type { FakeWalletOptions } from './script.ts';

export type { FakeWallet } from './fake-wallet.ts';
export { aBalance, aWallet, crossChainRates } from './samples.ts';
export { closed, failed, inTurn, rejected, unanswered } from './script.ts';
export type {
  Answer,
  FakeRequest,
  FakeWalletOptions,
  Given,
  NodeAnswers,
  Script,
  Scripted,
} from './script.ts';

export const fakeWallet = (options: FakeWalletOptions = {}): FakeWallet => new FakeWallet(options);
