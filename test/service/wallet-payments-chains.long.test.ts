/**
 * Payments in the coin and in a token of Ethereum, GoChain and VeChain: what settles a session, what does not, and that the books equal the
 * chain; and on every chain with one address for all sessions, what a reorganisation after that changes.
 */
import { after, before } from 'node:test';
import { chainCases, lateCases, type NamedRail, nothingCases } from './wallet-payments-cases.ts';
import {
  EvmRails,
  startAeternityRail,
  startMarket,
  TronRails,
  VechainRails,
} from './wallet-payments-rails.ts';
import { openTill, type Till } from './wallet-payments-setup.ts';

let market: Awaited<ReturnType<typeof startMarket>>;
let ethereum: EvmRails;
let gochain: EvmRails;
let vechain: VechainRails;
let tron: TronRails;
let aeternity: Awaited<ReturnType<typeof startAeternityRail>>;
let till: Till;

before(async () => {
  [market, ethereum, gochain, vechain, tron, aeternity] = await Promise.all([
    startMarket(),
    EvmRails.start('ETHEREUM'),
    EvmRails.start('GOCHAIN'),
    VechainRails.start(),
    TronRails.start(),
    startAeternityRail(),
  ]);
  const networks = [ethereum, gochain, vechain, tron].map(({ local: { network } }) => network);
  networks.push(aeternity.network);
  for (const network of networks) network.prices = market.prices(network);
  till = await openTill(networks);
});
after(async () => {
  await till?.close();
  const rails = [market, ethereum, gochain, vechain, tron, aeternity];
  await Promise.all(rails.map((each) => each?.close()));
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
lateCases(
  [
    ...COINS,
    ...TOKENS,
    { name: 'TRX', rail: () => tron.rail(false) },
    { name: 'a TRC-20 token', rail: () => tron.rail(true) },
    { name: 'AE', rail: () => aeternity },
  ],
  () => till,
);
