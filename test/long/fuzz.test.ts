/** Many more of the requests that `npm test` generates from the service's contract. */
process.env['CASES'] ??= '400';

await import('../service/fuzz.long.test.ts');
export {};
