/** Payments in the coin and in a token of Ethereum, GoChain and VeChain: what settles a session, what does not, and that the books equal the chain. */
import { after, before } from 'node:test';
import { chainCases, type NamedRail, nothingCases } from './wallet-payments-cases.ts';
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

const COINS: NamedRail[] = [
  { name: 'ETH', rail: () => ethereum.rail(false) },
  { name: 'GO', rail: () => gochain.rail(false) },
  { name: 'VET', rail: () => vechain.rail(false) },
];
const TOKENS: NamedRail[] = [
  { name: 'a token of Ethereum', rail: () => ethereum.rail(true) },
  { name: 'a token of GoChain', rail: () => gochain.rail(true) },
  { name: 'a token of VeChain', rail: () => vechain.rail(true) },
];

chainCases([...COINS, ...TOKENS], () => till);
nothingCases(TOKENS, () => till);
