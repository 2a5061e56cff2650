/** Payments in the coin and in a token of Ethereum, GoChain and VeChain: what settles a session, what does not, and that the books equal the chain. */
import { after, before } from 'node:test';
import { chainCases } from './wallet-payments-cases.ts';
import { EvmRails, startMarket, VechainRails } from './wallet-payments-rails.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

let market: Awaited<ReturnType<typeof startMarket>>;
let ethereum: EvmRails;
let gochain: EvmRails;
let vechain: VechainRails;
let till: Till;

before(async () => {
  [market, ethereum, gochain, vechain] = await Promise.all([
    startMarket(),
    EvmRails.start('ETHEREUM'),
    EvmRails.start('GOCHAIN'),
    VechainRails.start(),
  ]);
  const networks = [ethereum, gochain, vechain].map(({ local: { network } }) => network);
  for (const network of networks) network.prices = market.prices(network);
  till = await openTill(networks);
});
after(async () => {
  await till?.close();
  await Promise.all([market?.close(), ethereum?.close(), gochain?.close(), vechain?.close()]);
});

chainCases(
  [
    { name: 'ETH', rail: () => ethereum.rail(false) },
    { name: 'a token of Ethereum', rail: () => ethereum.rail(true) },
    { name: 'GO', rail: () => gochain.rail(false) },
    { name: 'a token of GoChain', rail: () => gochain.rail(true) },
    { name: 'VET', rail: () => vechain.rail(false) },
    { name: 'a token of VeChain', rail: () => vechain.rail(true) },
  ],
  () => till,
);
