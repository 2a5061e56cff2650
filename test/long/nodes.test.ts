/** What `npm run test:nodes` runs: VeChain, GoChain and Bitcoin on their real nodes. */
await import('../nodes/vechain.test.ts');
await import('../nodes/gochain.test.ts');
await import('../nodes/bitcoin.test.ts');
await import('../nodes/demo.test.ts');

export {};
