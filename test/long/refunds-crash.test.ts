/** Kills of the service while refunds are on their way, by wallet and by card. */
process.env['CRASHES'] ??= '10';

await import('../service/refunds-crash.long.test.ts');
export {};
