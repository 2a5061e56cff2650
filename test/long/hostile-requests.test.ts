/** Many more of the hostile requests that `npm test` sends to `carabiner/chains`. */
process.env['CASES'] ??= '20000';

await import('../conformance/hostile-requests.test.ts');
export {};
