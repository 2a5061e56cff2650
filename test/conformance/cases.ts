/** The number of random transactions of each kind that are compared with an official SDK. `npm run test:long bytes` takes many more. */
export const CASES = Number(process.env['CASES'] ?? 40);
