/** In Firefox, where it is installed: the beginning of what test/long/engines.test.ts does in every engine. */
import { test } from 'node:test';
import { firefoxMissing } from '../../scripts/browser.ts';
import { Person } from '../engines/flows.ts';
import { openMarket } from '../engines/market.ts';
import { openPuppeteer } from '../engines/puppeteer.ts';

test('makes a wallet, links it and sends coins in Firefox', { skip: firefoxMissing() }, async () => {
  const market = await openMarket();
  const engine = await openPuppeteer('firefox');
  try {
    const person = await Person.visit(market, engine, 'other');
    const wallet = await person.make();
    await person.link(wallet);
    await person.transfer(wallet);
  } finally {
    await engine.close();
    await market.close();
  }
});
