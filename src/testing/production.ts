/** `carabiner/testing` under the condition `production`: the names that a bundler looks for, and none of the code. */
function refuse(): never {
  throw new Error(
    'carabiner/testing is in a production build: its wallet moves no money and asks nobody. Import it in tests only (docs/testing-your-app.md).',
  );
}

export {
  refuse as aBalance,
  refuse as aWallet,
  refuse as closed,
  refuse as crossChainRates,
  refuse as failed,
  refuse as fakeWallet,
  refuse as inTurn,
  refuse as rejected,
  refuse as unanswered,
};
