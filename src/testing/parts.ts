/** What scripts are written with. */
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
