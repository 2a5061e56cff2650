/** Views in the looks that `npm test` leaves out. */
process.env['LOOKS'] = 'every';

await import('../e2e/access.test.ts');
export {};
