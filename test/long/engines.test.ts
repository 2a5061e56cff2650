/**
 * What people do with the wallet, in each engine that Debian has, and the unit tests in Firefox; those in WebKit are in `webkit.test.ts`.
 * `ENGINES=firefox,webkit` runs those alone, and `FLOWS=1` no unit tests.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Engine } from '../engines/engine.ts';
import { Person } from '../engines/flows.ts';
import { openShopping, type Shopping } from '../engines/market.ts';
import { openPuppeteer } from '../engines/puppeteer.ts';
import { openWebKit } from '../engines/webkit.ts';
import { unitTestsPass } from '../engines/unit-tests.ts';

const ENGINES: Record<string, () => Promise<Engine>> = {
  chromium: () => openPuppeteer('chromium'),
  firefox: () => openPuppeteer('firefox'),
  webkit: openWebKit,
};

const chosen = process.env['ENGINES']?.split(',') ?? Object.keys(ENGINES);

for (const name of chosen)
  describe(name, () => {
    if (name === 'firefox' && !process.env['FLOWS'])
      test('the unit tests pass', () => unitTestsPass(name, 30));
    let shopping: Shopping;
    let engine: Engine;
    before(async () => {
      shopping = await openShopping();
      engine = await ENGINES[name]!();
      console.log(engine.name);
    });
    after(async () => {
      await engine?.close();
      await shopping?.close();
    });

    for (const site of ['own', 'other'] as const)
      describe(`on a page of ${site === 'own' ? 'the wallet’s own' : 'another'} site`, () => {
        let person: Person;
        let wallet: Wallet;
        let failed: string | undefined;
        before(async () => void (person = await Person.visit(shopping, engine, site)));

        /** Of one flow: what comes after one that failed says so alone. */
        function step(what: string, work: () => Promise<unknown>): void {
          test(what, async () => {
            assert.ok(!failed, `${failed} failed`);
            failed = what;
            try {
              await work();
            } catch (error) {
              const texts = await person.texts().catch(() => []);
              throw new Error(`${(error as Error).message}\nOn screen: ${texts.join('\n')}`, {
                cause: error,
              });
            }
            failed = undefined;
          });
        }

        step('makes a wallet', async () => (wallet = await person.make()));
        step('links it', () => person.link(wallet));
        step('sends coins', () => person.transfer(wallet));
        step('signs', () => person.sign(wallet));
        step('swaps', () => person.swap(wallet));
        if (site === 'own' && name !== 'chromium')
          step('signs in a window where the page wants a dialog', () => person.signFromDialog(wallet));
        if (site === 'own') return;
        step('pays a shop by card', () => person.payByCard(shopping));
        step('pays a shop from the wallet', () => person.payByWallet(shopping));
      });
  });
