/** Service wallets on the chains: created and used in a window that another site opens, then in a dialog of a second site. */
import assert from 'node:assert/strict';
import { CHAINS } from '../../../demo/page/scenarios/index.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import { parseUnits } from '../../../src/base/amount.ts';
import { CHAIN_NAMES, SECRET_TYPES, type SecretType } from '../../../src/chains/secret-type.ts';
import { after, before, group, test } from '../../groups.ts';
import { CASES, missing } from '../../e2e/chain-cases.ts';
import {
  Customer,
  firstAtService,
  nextAtService,
  openServiceWorld,
  type ServiceWorld,
} from '../../e2e/service-setup.ts';

const APPROVED = '/api/transactions/approved';
/** GoChain shares Ethereum's code, and Litecoin Bitcoin's. On Ethereum alone: `test/e2e/service-wallets.rest.test.ts`. */
const TRIED = SECRET_TYPES.filter((type) => type !== 'GOCHAIN' && type !== 'LITECOIN');
let world: ServiceWorld;
/** One user in one browser, at two sites. */
let elsewhere: Customer;
let beside: Customer;
/** How often the wallet asked the service to sign. */
let asked = 0;
const wallets = new Map<SecretType, Wallet>();

before(async () => {
  world = await openServiceWorld([...new Set<SecretType>(['ETHEREUM', ...TRIED])]);
  const context = await world.profile();
  context.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === APPROVED) asked++;
  });
  elsewhere = await Customer.signIn(world, { where: 'popup', context });
  beside = await Customer.signIn(world, { where: 'iframe', context });
});
after(() => world.close());

/** The number of a wallet's transactions at the service. */
async function signedFor({ id }: Wallet): Promise<number> {
  const { db } = world.demo.service!.running.service;
  const rows = await db.selectFrom('transactions').select('id').where('wallet_id', '=', id).execute();
  return rows.length;
}

/** Pays with a page's form: exact amounts move, and one signature is made. */
async function pays(customer: Customer, secretType: SecretType): Promise<void> {
  const { coin, decimals, value, gas, fresh, holds } = CASES[secretType];
  const local = world.demo.local[secretType]!;
  const wallet = wallets.get(secretType)!;
  const purse = async (): Promise<[coins: bigint, gas: bigint]> => {
    const coins = await holds(local, wallet.address);
    return [coins, gas ? await holds(local, wallet.address, gas) : coins];
  };
  const [to, before, requests, signed] = [await fresh(), await purse(), asked, await signedFor(wallet)];
  await customer.page.goto(
    `${new URL(customer.page.url()).origin}/qa#/${secretType.toLowerCase()}/transfer-form`,
  );
  await customer.button('Send', customer.main).click();
  const form = customer.page.getByRole('dialog', { name: 'Send' });
  await form.getByRole('textbox', { name: 'Recipient' }).fill(to);
  await form.getByRole('textbox', { name: 'Amount' }).fill(value);
  const view = await customer.opening(() => customer.button('Continue', form).click());
  await view.approval().waitFor();
  const fee = await view.pay(gas ? 18 : decimals);
  await view.done();
  await customer.log(/transactionHash/).waitFor();
  const amount = parseUnits(value, decimals);
  const after = await purse();
  assert.equal(await holds(local, to), amount, coin);
  assert.equal(before[0] - after[0], gas ? amount : amount + fee, coin);
  if (gas) assert.equal(before[1] - after[1], fee, gas);
  assert.equal(asked - requests, 1);
  assert.equal((await signedFor(wallet)) - signed, 1);
}

for (const { secretType, faucet } of CHAINS.filter(({ secretType }) =>
  TRIED.some((one) => one === secretType),
))
  group(CHAIN_NAMES[secretType], missing(secretType), () => {
    const { coin, gas } = CASES[secretType];

    test('in a window: a wallet is made and linked, takes coins from the faucet, and sends', async () => {
      const { page } = elsewhere;
      await page.goto(`${new URL(page.url()).origin}/qa#/${secretType.toLowerCase()}/service-wallet`);
      await page.getByText(`No ${CHAIN_NAMES[secretType]} wallet yet`).waitFor();
      const view = await elsewhere.opening(() => elsewhere.button('Manage wallets', elsewhere.main).click());
      if (wallets.size) await nextAtService(view);
      else {
        await firstAtService(view);
        await view.press('Continue without it');
      }
      await view.leaveAddress();
      const linked = await elsewhere.read<Wallet[]>('wallets');
      const made = linked.find((wallet) => wallet.secretType === secretType)!;
      assert.equal(made.walletType, 'THREEWAY_SHARED');
      wallets.set(secretType, made);
      for (const asset of [coin, ...(gas ? [gas] : [])]) {
        await elsewhere.button(faucet[asset]!).click();
        await elsewhere.log(new RegExp(`^faucet ${asset} to `)).waitFor();
      }
      await pays(elsewhere, secretType);
    });

    test('in a dialog: it is linked to another site, and sends', async () => {
      const { page } = beside;
      await page.goto(`${new URL(page.url()).origin}/qa#/${secretType.toLowerCase()}/service-link`);
      const isFirst = (await beside.read<Wallet[]>('wallets')).length === 0;
      const view = await beside.opening(async () => {
        await beside.button('Connect wallet', beside.main).click();
        if (isFirst) await beside.button('I have one').click();
      });
      await view.root.getByRole('checkbox', { name: /, .*Service wallet$/ }).check();
      await view.leave('Link wallets');
      const { id } = wallets.get(secretType)!;
      assert.ok((await beside.read<Wallet[]>('wallets')).some((wallet) => wallet.id === id));
      await pays(beside, secretType);
    });
  });
