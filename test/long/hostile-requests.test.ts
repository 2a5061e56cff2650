/** The hostile requests of `npm test` to `carabiner/chains`, many more of them. */
process.env['CASES'] ??= '20000';

await import('../conformance/hostile-requests.test.ts');
export {};
