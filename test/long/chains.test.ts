/** Every chain in the demo and at the wallet service, where `npm test` takes those that differ most. */
process.env['EVERY_CHAIN'] = 'yes';

await import('../e2e/service-wallet-chains.test.ts');
await import('../e2e/demo.test.ts');

export {};
