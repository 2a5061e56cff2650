/** A shop in one short file of JavaScript takes USDT on Tron, and Bitcoin. */
import { test } from 'node:test';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { bitcoin, type Command, dollarsOnTron, tryShop } from './small-shops.ts';

const SHOP: Command = { line: 'node demo/shop/small/shop.mjs', programs: { node: process.execPath } };

test('a shop of one short file takes USDT on Tron', () => tryShop(SHOP, dollarsOnTron));
test(
  'a shop of one short file takes Bitcoin, with the key and the settings in the docs',
  {
    skip: litecoindPath() ? false : 'litecoind is not installed',
  },
  () => tryShop(SHOP, bitcoin),
);
