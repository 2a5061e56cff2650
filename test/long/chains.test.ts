/** Every chain by the elements, in the demo, at the wallet service and in swaps; `npm test` covers only the most dissimilar ones. */
process.env['EVERY_CHAIN'] = 'yes';

await import('../e2e/chains.test.ts');
await import('./chains/activity.ts');
await import('./chains/service-wallets.ts');
await import('../e2e/demo.rest.test.ts');
await import('../e2e/chain-keys.long.test.ts');
await import('./chains/swaps.ts');
await import('./chains/access.ts');
await import('./chains/combine.ts');

export {};
