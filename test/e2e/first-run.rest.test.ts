/** What a first-time visitor goes through, from the page to a mined transfer: clicks, words and seconds, printed and held to a limit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { VirtualAuthenticator } from './authenticator.ts';
import { poll } from '../waiting.ts';
import { openWorld, PIN, type Visitor, WalletView, type World } from './harness.ts';
import { variant } from './parts.ts';

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

const RECIPIENT = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const MAX_WORDS = 200;

/** All that is visible in the wallet, or in the dialogs of a page: the rest of the page is the site's. */
function visibleText(): string {
  const lines: string[] = [];
  const isWallet = document.querySelector('cbf-shell') !== null;
  const walk = (node: Node, inside: boolean): void => {
    if (node instanceof Element) {
      if (/^(SCRIPT|STYLE)$/.test(node.tagName) || node.matches('.sr') || !node.checkVisibility()) return;
      inside ||= node.matches('dialog[open]');
      if (node.shadowRoot) return node.shadowRoot.childNodes.forEach((each) => walk(each, inside));
      if (node instanceof HTMLSlotElement) return node.assignedNodes().forEach((each) => walk(each, inside));
    }
    if (inside && node instanceof Text && node.data.trim()) lines.push(node.data.replace(/\s+/g, ' ').trim());
    node.childNodes.forEach((each) => walk(each, inside));
  };
  walk(document.body, isWallet);
  return lines.join('\n');
}

/** A visitor who only clicks and types, and reads what each view says once. */
class FirstRun {
  clicks = 0;
  typed = 0;
  readonly read: string[] = [];
  readonly start = performance.now();

  constructor(readonly visitor: Visitor) {}

  async press(view: WalletView | Visitor, name: string): Promise<void> {
    const button = view.button(name).last();
    await button.waitFor();
    await this.look(view);
    this.clicks += 1;
    if (!(view instanceof WalletView)) await button.click();
    else if (/^(Link wallets|Approve)/.test(name)) await view.consent(name);
    else await view.press(name);
  }

  async type(view: WalletView, name: string): Promise<void> {
    await view.type(name, PIN);
    this.typed += 1;
  }

  /** What is in sight of the wallet, or of the page's own dialog: its words, addresses and amounts aside. */
  async look(view: WalletView | Visitor): Promise<void> {
    const text =
      view instanceof WalletView
        ? await (await view.frame()).evaluate(visibleText)
        : await view.page.evaluate(visibleText);
    this.read.push(text);
  }

  get words(): number {
    const lines = new Set(this.read.flatMap((text) => text.split('\n')).map((line) => line.trim()));
    return [...lines].flatMap((line) => line.replace(/0x\S+/g, '').match(/\p{L}[\p{L}’'-]*/gu) ?? []).length;
  }
}

for (const [where, way, run] of [
  ['iframe', 'passkey', test],
  ['iframe', 'PIN', variant],
  ['popup', 'passkey', variant],
  ['popup', 'PIN', variant],
] as const)
  run(
    `a first-time visitor sends within the limits, in a ${where === 'iframe' ? 'dialog' : 'window'}, by ${way}`,
    async () => {
      const visitor = await world.visit(where);
      if (way === 'passkey') {
        // An authenticator belongs to one page. The wallet's window stays for the payment, so its own is enough.
        if (where === 'iframe') await VirtualAuthenticator.add(visitor.page);
        else {
          const added = new Promise((done) =>
            visitor.page.once('popup', (popup) => done(VirtualAuthenticator.add(popup))),
          );
          // The wallet asks what the device can do as soon as it has this.
          await visitor.context.route(`${world.frame}/networks.json`, async (route) => {
            await added;
            await route.continue();
          });
        }
      }
      await visitor.evaluate((to) => {
        Object.assign(document.querySelector('transfer-dialog')!, { to, value: '0.25' });
      }, RECIPIENT);

      const run = new FirstRun(visitor);
      await run.press(visitor, 'Connect wallet');
      const view = await visitor.opening(() => run.press(visitor, 'Create a wallet'));
      if (way === 'passkey') await run.press(view, 'Continue with passkey');
      else {
        // Browsers without passkeys start here: one click less.
        await view.box('PIN').waitFor();
        await run.type(view, 'PIN');
        await run.press(view, 'Continue');
        await run.type(view, 'Confirm PIN');
        await run.press(view, 'Continue');
      }
      const box = view.root.getByRole('checkbox', { name: /^Main wallet, .*, not backed up$/ });
      await box.waitFor();
      assert.equal(await box.isChecked(), true);
      await view.text('Wallet created').waitFor();
      await run.press(view, 'Link wallets');
      await visitor.event('result', 'linkWallets');
      const [wallet] = await visitor.wallets();
      assert.equal(wallet?.alias, 'Main wallet');
      await view.gone();

      await world.ethereum.give('ETH', wallet.address);
      const before = await world.chain.getBalance(RECIPIENT);
      await run.press(visitor, 'Send');
      const approval = await visitor.opening(() => run.press(visitor, 'Continue'));
      await approval.approval().waitFor();
      if (way === 'PIN') await run.type(approval, 'PIN');
      await run.press(approval, way === 'PIN' ? 'Approve' : 'Approve with passkey');
      await visitor.event('result', 'transfer');
      await poll(
        async () => (await world.chain.getBalance(RECIPIENT)) > before || undefined,
        'the transfer in a block',
      );
      const seconds = (performance.now() - run.start) / 1000;
      console.log(
        `${where}, ${way}: ${run.clicks} clicks, PIN typed ${run.typed} times, ${run.words} words, ${seconds.toFixed(1)} s`,
      );
      assert.ok(run.clicks <= (way === 'passkey' ? 7 : 9), `${run.clicks} clicks`);
      assert.equal(run.typed, way === 'passkey' ? 0 : 3);
      assert.ok(run.words <= MAX_WORDS, `${run.words} words:\n${run.read.join('\n---\n')}`);
      await visitor.close();
    },
  );
