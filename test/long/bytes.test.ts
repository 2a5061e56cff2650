/** What `npm test` compares with the official SDKs, for many more random transactions. */
process.env['CASES'] ??= '5000';

for (const chain of ['aeternity', 'bitcoin', 'ethereum', 'gochain', 'tron', 'vechain'])
  await import(`../conformance/${chain}-bytes.test.ts`);
export {};
