/** Every chain as a new user: a wallet, coins from the faucet, a transfer; and each native type once. */
import assert from 'node:assert/strict';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { Semaphore } from '../../service/concurrency/semaphore.ts';
import { readGraph } from '../../scripts/graph.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { parseUnits } from '../../src/base/amount.ts';
import { folderOf } from '../../src/chains/modules.ts';
import { CHAIN_NAMES, SECRET_TYPES, type SecretType } from '../../src/chains/secret-type.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { rowFigure, writeAmountsIn } from '../../src/ui/amount-text.ts';
import { after, before, group, sideBySide, test } from '../groups.ts';
import { CASES, missing } from './chain-cases.ts';
import { SIGNINGS } from './chain-signatures.ts';
import { within } from '../waiting.ts';
import { openWorld, type Visitor, type WalletView, type World } from './harness.ts';
import { pathOf } from './hosts.ts';
import { scan } from './scan.ts';
import { EVERY_CHAIN } from './variants.ts';
import { core, IS_REST, rest } from './parts.ts';

// As the visitors' browsers do.
writeAmountsIn('en-US');

/** The rest goes through one whose coins are spent and one with accounts; `npm run test:long chains` through all. */
const TRIED: readonly SecretType[] = IS_REST ? ['BITCOIN', 'TRON'] : SECRET_TYPES;

let world: World;
before(async () => void (world = await openWorld({ chains: TRIED.filter((type) => type !== 'ETHEREUM') })));
after(() => world.close());

/** They run the code of Ethereum and Bitcoin with other values: they only get a wallet and send coins. */
const ALIKE: readonly SecretType[] = EVERY_CHAIN ? [] : ['GOCHAIN', 'LITECOIN'];

/** In the rest, each chain has a new user, who makes a wallet by hand. In the core one user has a wallet of each. */
const IS_NEW = IS_REST || EVERY_CHAIN;
/** All pages have one. */
const clipboard = new Semaphore(1);
let regular: Visitor | undefined;
/** Paths of what the regular user's pages have requested. */
const loadedByRegular = new Set<string>();

/** Adds the paths of what is requested to `loaded`. */
async function visit(path: string, loaded: Set<string>): Promise<Visitor> {
  const onRequest = (url: string) => void loaded.add(new URL(url).pathname.slice(1));
  if (IS_NEW) return world.visit('iframe', path, { onRequest });
  regular ??= await world.visit('iframe', '/plain', { onRequest });
  await regular.open(path);
  return regular;
}

/** The sender's balances. */
interface Purse {
  coins: bigint;
  /** The coin that pays fees. */
  gas: bigint;
}

function declare(secretType: SecretType): void {
  group(CHAIN_NAMES[secretType], missing(secretType), () => {
    const { coin, decimals, value, gas, uri, tokens, fresh, holds, natives } = CASES[secretType];
    const isWhole = !ALIKE.includes(secretType);
    /** One of each: `npm run test:long chains` goes through them all, and the conformance tests compare the bytes of each. */
    const some = <T>(all: readonly T[]): readonly T[] => (EVERY_CHAIN ? all : isWhole ? all.slice(0, 1) : []);
    /** Paths of what was requested since the wallet was made or planted. */
    const loaded = IS_NEW ? new Set<string>() : loadedByRegular;
    let visitor: Visitor;
    let wallet: Wallet;
    let local: LocalNetwork;
    before(async () => {
      local = world.local[secretType]!;
      visitor = await visit(pathOf(secretType), loaded);
      if (!IS_NEW) wallet = await visitor.createWallet(secretType);
      loaded.clear();
    });
    after(() => IS_NEW && visitor.close());

    let funded: Promise<unknown> | undefined;
    /** Coins from the faucet, once. */
    const fund = (): Promise<unknown> =>
      (funded ??= (async () => {
        for (const asset of [coin, ...(gas ? [gas] : [])]) await local.give(asset, wallet.address);
      })());

    async function purse(): Promise<Purse> {
      const coins = await holds(local, wallet.address);
      return { coins, gas: gas ? await holds(local, wallet.address, gas) : coins };
    }

    /** Approves, and returns the fee. */
    async function pay(view: WalletView): Promise<bigint> {
      await view.seeAll();
      const paid = await view.pay(gas ? 18 : decimals);
      await view.done();
      return paid;
    }

    /** Fills in the form and sends. */
    async function send(to: string, amount: string, asset?: string): Promise<bigint> {
      const { page } = visitor;
      await visitor.button('Send').click();
      const form = page.getByRole('dialog', { name: 'Send' });
      if (asset) {
        await form.getByRole('button', { name: /^Token: / }).click();
        await form.getByRole('option', { name: new RegExp(asset) }).click();
      }
      await form.getByRole('textbox', { name: 'Recipient' }).fill(to);
      await form.getByRole('textbox', { name: 'Amount' }).fill(amount);
      return pay(await visitor.opening(() => visitor.button('Continue').click()));
    }

    rest('makes a wallet, whose address can be scanned and copied', async () => {
      const view = await visitor.opening(() => visitor.button('Manage wallets').click());
      await view.choosePin();
      await view.press('Remind me later');
      await view.heading(/^Receive /).waitFor();
      wallet = (await visitor.wallets())[0]!;
      assert.equal(wallet.secretType, secretType);
      const scanned = await scan(view);
      // BIP-21, in upper case for a smaller code.
      assert.equal(uri ? scanned.toLowerCase() : scanned, uri ? `${uri}:${wallet.address}` : wallet.address);
      await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
        origin: visitor.origin,
      });
      await clipboard.run(async () => {
        // Its name is another one for a moment only.
        const copied = await view.button('Copy address').evaluateHandle((button) => ({
          name: new Promise<string>((told) =>
            new MutationObserver(() => told(button.textContent!.trim())).observe(button, {
              subtree: true,
              childList: true,
              characterData: true,
            }),
          ),
        }));
        await view.button('Copy address').click();
        const name = copied.evaluate((button) => button.name);
        assert.equal(await within(name, 'what its button says'), 'Address copied');
        assert.equal(await visitor.evaluate(() => navigator.clipboard.readText()), wallet.address);
      });
      await view.done();
    });

    core(
      `sends ${value} ${coin} from the faucet by <transfer-dialog>: exact to the last digit, for at most the fee that was shown`,
      async () => {
        await fund();
        const [to, start] = [await fresh(), await purse()];
        const amount = parseUnits(value, decimals);
        const paid = await send(to, value);
        assert.equal(await holds(local, to), amount);
        const end = await purse();
        assert.equal(start.coins - end.coins, gas ? amount : amount + paid);
        if (gas) assert.equal(start.gas - end.gas, paid);
        // The page shows the new balance by itself.
        await visitor.page
          .locator('manage-wallets')
          .getByText(`${rowFigure({ raw: BigInt(end.coins), decimals })} ${coin}`, { exact: true })
          .waitFor();
      },
    );

    for (const { asset, decimals: digits } of some(tokens))
      rest(`sends 12.25 ${asset}`, async () => {
        await fund();
        await local.give(asset, wallet.address);
        const [to, start, before] = [await fresh(), await purse(), await holds(local, wallet.address, asset)];
        const paid = await send(to, '12.25', asset);
        const amount = parseUnits('12.25', digits);
        assert.equal(await holds(local, to, asset), amount);
        const fee = start.gas - (await purse()).gas;
        const spent = before - (await holds(local, wallet.address, asset));
        if (asset === gas) assert.deepEqual([spent, fee], [amount + paid, amount + paid]);
        else assert.deepEqual([spent, fee], [amount, paid]);
      });

    if (isWhole)
      rest('executes native types', async () => {
        await fund();
        for (const { request, receives, unreadable, also } of some(
          await natives(local, async () => fresh()),
        )) {
          const start = await purse();
          const view = await visitor.ask((connect, body) => connect.execute(body as never), {
            ...request,
            walletId: wallet.id,
          });
          if (unreadable)
            await view.root
              .getByRole('checkbox', { name: 'I understand the risk of a call I cannot read' })
              .check();
          const paid = await pay(view);
          const { transactionHash } = (await visitor.answer<TransactionResult>()).value!;
          for (const { to, amount, asset } of receives)
            assert.equal(await holds(local, to, asset), amount, request.type);
          const spent = receives.reduce((sum, { amount, asset }) => sum + (asset === gas ? amount : 0n), 0n);
          assert.equal(start.gas - (await purse()).gas, spent + paid, request.type);
          await also?.(local, transactionHash, paid);
        }
      });

    for (const { what, params, signer } of some(SIGNINGS[secretType]))
      rest(`signs ${what}, and the chain’s own library finds the signer`, async () => {
        const view = await visitor.ask((connect, data) => connect.sign(data as never), {
          ...params,
          walletId: wallet.id,
        });
        await view.approval().waitFor();
        await view.approve();
        const { value: answer } = await visitor.answer<SignResult>();
        assert.equal(await signer(answer!.result, wallet.address), wallet.address);
        await view.gone();
      });

    test('loaded no other chain in all of this', () => {
      const chunks = readGraph().frame.filter(({ file }) => loaded.has(file));
      const chains = new Set(
        chunks.flatMap(({ modules }) =>
          modules.flatMap((name) => /^src\/chains\/(\w+)\/index\.ts$/.exec(name)?.[1] ?? []),
        ),
      );
      assert.deepEqual([...chains], [folderOf(secretType)]);
    });
  });
}

const declareAll = (): void => TRIED.forEach(declare);
if (IS_NEW) sideBySide('on each chain', declareAll);
else declareAll();
