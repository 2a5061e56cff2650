/** What `npm test` does with hostile requests to `carabiner/chains`, for many more of them. */
process.env['CASES'] ??= '20000';

await import('../conformance/hostile-requests.test.ts');
export {};
