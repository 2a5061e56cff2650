/** The same shop in Python, with nothing but its standard library. It needs `python3`. */
import { test } from 'node:test';
import { tryShop } from './small-shops.ts';

test('the shop in Python takes USDT on Tron', () => tryShop(['python3', 'shop.py']));
