/** `carabiner/testing` under the condition `production`: the names that a bundler looks for, and none of the code. */
import { refuse } from './refuse.ts';

export {
  refuse as aBalance,
  refuse as aWallet,
  refuse as closed,
  refuse as failed,
  refuse as fakeWallet,
  refuse as inTurn,
  refuse as rejected,
  refuse as unanswered,
};
