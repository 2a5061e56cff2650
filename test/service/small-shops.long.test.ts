/** The same shop in Python, with nothing but its standard library. It needs `python3`. */
import { test } from 'node:test';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import { bitcoin, type Command, dollarsOnTron, tryShop } from './small-shops.ts';

const SHOP: Command = ['python3', 'shop.py'];

test('the shop in Python takes USDT on Tron', () => tryShop(SHOP, dollarsOnTron));
test(
  'the shop in Python takes Bitcoin',
  {
    skip: litecoindPath() ? false : 'litecoind is not installed',
  },
  () => tryShop(SHOP, bitcoin),
);
