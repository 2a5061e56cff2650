/** A shop in one short file of JavaScript takes USDT on Tron. */
import { test } from 'node:test';
import { tryShop } from './small-shops.ts';

test('a shop of one short file takes USDT on Tron', () => tryShop([process.execPath, 'shop.mjs']));
