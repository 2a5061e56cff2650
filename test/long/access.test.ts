/** A walk through the wallet's views in two looks, which `npm test` leaves out. */
process.env['LOOKS'] = 'every';

await import('../e2e/access.test.ts');
export {};
