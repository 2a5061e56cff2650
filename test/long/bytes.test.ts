/** The comparison with the official SDKs in `npm test`, with many more random transactions. */
process.env['CASES'] ??= '5000';

for (const chain of ['aeternity', 'bitcoin', 'ethereum', 'gochain', 'tron', 'vechain'])
  await import(`../conformance/${chain}-bytes.test.ts`);
export {};
