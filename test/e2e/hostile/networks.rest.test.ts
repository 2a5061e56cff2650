/** What a page tries with a wallet that is on several networks. Each attempt has a control: the same without the trick. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { JsonRpcProvider, parseEther, toQuantity, verifyTypedData, Wallet as EthersWallet } from 'ethers';
import { type Anvil, CHAIN_ID, startAnvil } from '../../../demo/networks/anvil.ts';
import { toldApart } from '../../../service/networks/alike-names.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { SignResult, TransactionResult } from '../../../src/channel/messages.ts';
import { openWorld, PIN, startTestNode, type Visitor, type WalletView, type World } from '../harness.ts';
import { variant } from '../parts.ts';
import { said } from '../said.ts';
import { permitOf } from '../typed-requests.ts';
import { unchanged } from './unmoved.ts';

const BASE = 31338;
/** Its name looks like that of the other. */
const TWIN = 31339;

let world: World;
let visitor: Visitor;
let wallet: Wallet;
let machines: Anvil[] = [];
let chains: Record<number, JsonRpcProvider>;
before(async () => {
  machines = await Promise.all([BASE, TWIN].map((id) => startAnvil('--chain-id', String(id))));
  const network = (id: string, name: string, chainId: number, index: number): Network => ({
    id,
    secretType: 'ETHEREUM',
    name,
    kind: 'mainnet',
    chainId,
    nodes: [machines[index]!.url],
    tokens: [],
  });
  // As the server reads the operator's file.
  world = await openWorld({
    networks: toldApart([network('base', 'Base', BASE, 0), network('twin', 'Ваse', TWIN, 1)]),
  });
  const [base, twin] = machines.map(({ url }) => new JsonRpcProvider(url, undefined, { cacheTimeout: -1 }));
  chains = { [CHAIN_ID]: world.chain, [BASE]: base!, [TWIN]: twin! };
  visitor = await world.visit('iframe', '/plain');
  wallet = await visitor.wealthyWallet();
  const ether = toQuantity(parseEther('10'));
  for (const chain of [base!, twin!]) await chain.send('anvil_setBalance', [wallet.address, ether]);
});
after(async () => {
  for (const id of [BASE, TWIN]) chains[id]?.destroy();
  await world.close();
  await Promise.all(machines.map((machine) => machine.close()));
});
/** The page begins on the local network, and has used no other. */
beforeEach(async () => {
  await visitor.startAgain();
  await visitor.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('carabiner:provider:')) localStorage.removeItem(key);
  });
  await visitor.open('/plain');
});

const NAMES: Record<number, string> = {
  [CHAIN_ID]: 'Local Ethereum',
  [BASE]: 'Base (base)',
  [TWIN]: 'Ваse (twin)',
};

/** The page switches, and the user agrees wherever they are asked. */
async function switchTo(...ids: number[]): Promise<void> {
  for (const id of ids) {
    await visitor.run(
      (connect, chainId) =>
        connect.provider().request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }),
      toQuantity(id),
    );
    const view = visitor.iframe();
    const answer = visitor.answer();
    const question = view.button(`Use ${NAMES[id]}`);
    const isAsked = await Promise.race([question.waitFor().then(() => true), answer.then(() => false)]);
    if (isAsked) await view.press(`Use ${NAMES[id]}`);
    assert.equal((await answer).error, undefined);
    if (isAsked) await view.gone();
  }
}

/** The page sends through its provider, on the network that it is on. */
const send = (to: string): Promise<WalletView> =>
  visitor.ask(
    (connect, params) => connect.provider().request({ method: 'eth_sendTransaction', params: [params] }),
    { from: wallet.address, to, value: toQuantity(parseEther('0.1')) },
  );

async function holdingsOn(...ids: number[]): Promise<string> {
  const each = ids.map(async (id) => [
    await chains[id]!.getBalance(wallet.address),
    await chains[id]!.getTransactionCount(wallet.address, 'pending'),
  ]);
  return (await Promise.all(each)).join();
}
/** Nothing moves on these networks. */
const movesNothingOn = (ids: number[], work: () => Promise<void>): Promise<void> =>
  unchanged(() => holdingsOn(...ids), work);

/** What the page was answered is a transaction of this network, and pays this address. */
async function assertSentOn(id: number, to: string, hash: string | undefined): Promise<void> {
  assert.ok(hash);
  const sent = await chains[id]!.getTransaction(hash);
  assert.deepEqual([sent?.chainId, sent?.from, sent?.to], [BigInt(id), wallet.address, to]);
  assert.equal(await chains[id]!.getBalance(to), parseEther('0.1'));
}

async function isOff(view: WalletView): Promise<boolean> {
  const button = view.button('Approve');
  return (await button.isDisabled()) || (await button.getAttribute('aria-disabled')) === 'true';
}

async function reject(view: WalletView): Promise<void> {
  await view.press('Reject');
  assert.equal((await visitor.answer()).error?.code, 'user.rejected');
}

describe('a switch while an approval is open', () => {
  for (const [when, typesFirst] of [
    ['before the PIN is typed', false],
    ['after the PIN is typed', true],
  ] as const)
    for (const [what, from, to, usedBefore] of [
      ['from a test network to real money, which is a question of its own', CHAIN_ID, BASE, []],
      ['between two networks that the page has used, without a question', BASE, TWIN, [BASE, TWIN, BASE]],
    ] as const)
      (typesFirst === usedBefore.length > 0 ? test : variant)(
        `${what}, ${when}: what is signed is what is shown`,
        async () => {
          await switchTo(...usedBefore);
          const [first, second] = [EthersWallet.createRandom().address, EthersWallet.createRandom().address];
          await movesNothingOn([to], async () => {
            const view = await send(first);
            await view.text(NAMES[from]!).first().waitFor();
            await view.approval().waitFor();
            if (typesFirst) await view.enterPin();
            await visitor.evaluate((chainId) => {
              const params = [{ chainId }];
              const switching = window.connect
                .provider()
                .request({ method: 'wallet_switchEthereumChain', params });
              Object.assign(window, { switching: switching.then(() => 'switched') });
            }, toQuantity(to));
            if (usedBefore.length) assert.equal(await visitor.evaluate('window.switching'), 'switched');
            else await view.text('1 of 2').first().waitFor();
            assert.doesNotMatch(await said(view), new RegExp(NAMES[to]!.replace(/[()]/g, '.')));
            if (!typesFirst) await view.enterPin(PIN);
            await view.scrollOn();
            await view.consent('Approve');
            if (!usedBefore.length) {
              await view.heading(`Use ${NAMES[to]}?`).waitFor();
              await view.press(`Use ${NAMES[to]}`);
            }
            const { value, error } = await visitor.answer<string>();
            assert.equal(error, undefined);
            await assertSentOn(from, first, value);
          });
          assert.equal(await visitor.evaluate('window.switching'), 'switched');
          // Control: the next request is of the network that the page is on now.
          await visitor.startAgain();
          await movesNothingOn([from], async () => {
            const view = await send(second);
            await view.text(NAMES[to]!).first().waitFor();
            await view.approve();
            await assertSentOn(to, second, (await visitor.answer<string>()).value);
          });
        },
      );
});

describe('from a test network to real money', () => {
  test('the user is asked each time, also where it was used before and a page forges that', async () => {
    await switchTo(BASE, CHAIN_ID);
    await visitor.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith('carabiner:provider:')) {
          const stored = JSON.parse(localStorage.getItem(key)!);
          const used = ['base', 'twin', 'ethereum', 'ethereum-local'];
          localStorage.setItem(key, JSON.stringify({ ...stored, used }));
        }
    });
    const ids = [CHAIN_ID, BASE, TWIN];
    for (const id of [BASE, TWIN, BASE])
      await movesNothingOn(ids, async () => {
        const view = await visitor.ask(
          (connect, chainId) =>
            connect.provider().request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }),
          toQuantity(id),
        );
        await view.heading(`Use ${NAMES[id]}?`).waitFor();
        await view.press('Cancel');
        assert.equal((await visitor.answer()).error?.code, 4001);
        await view.gone();
        const chainId = visitor.evaluate(() => window.connect.provider().request({ method: 'eth_chainId' }));
        assert.equal(await chainId, toQuantity(CHAIN_ID));
      });
    const to = EthersWallet.createRandom().address;
    await switchTo(BASE);
    await (await send(to)).approve();
    await assertSentOn(BASE, to, (await visitor.answer<string>()).value);
  });

  variant(
    'a request that names it without a switch: it has to be seen that the last one was elsewhere',
    async () => {
      const [first, second] = [EthersWallet.createRandom().address, EthersWallet.createRandom().address];
      await (await send(first)).approve();
      await assertSentOn(CHAIN_ID, first, (await visitor.answer<string>()).value);
      await visitor.startAgain();
      const request = {
        walletId: wallet.id,
        secretType: 'ETHEREUM',
        to: second,
        value: '0.1',
        network: 'base',
      };
      const ask = () => visitor.ask((connect, params) => connect.transfer(params as never), request);
      await movesNothingOn([BASE], async () => {
        const view = await ask();
        await view.text(`Last time: ${NAMES[CHAIN_ID]}`).first().waitFor();
        await view.root.getByText(NAMES[BASE]!).first().waitFor();
        await reject(view);
      });
      await visitor.startAgain();
      await (await ask()).approve();
      const { value } = await visitor.answer<TransactionResult>();
      await assertSentOn(BASE, second, value?.transactionHash);
    },
  );
});

describe('a name that looks like another', () => {
  variant('of two networks of the operator: each is shown with its id', async () => {
    for (const [id, other] of [
      [TWIN, BASE],
      [BASE, TWIN],
    ] as const) {
      const to = EthersWallet.createRandom().address;
      const network = id === BASE ? 'base' : 'twin';
      const request = { walletId: wallet.id, secretType: 'ETHEREUM', to, value: '0.1', network };
      await movesNothingOn([other], async () => {
        const view = await visitor.ask((connect, params) => connect.transfer(params as never), request);
        await view.text(NAMES[id]!).first().waitFor();
        await view.approve();
        const { value } = await visitor.answer<TransactionResult>();
        await assertSentOn(id, to, value?.transactionHash);
      });
      await visitor.startAgain();
    }
  });

  /** All but where the last approval was. */
  const saidHere = async (view: WalletView): Promise<string> =>
    (await said(view)).replaceAll(`Last time: ${NAMES[BASE]}`, '');

  test('of a node that the site chose: the network is called by its chain id', async () => {
    const own = await startTestNode(machines[1]!.url);
    const to = EthersWallet.createRandom().address;
    const execute = (chainId: number): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.execute(params as never), {
        type: 'ETH_TRANSACTION',
        walletId: wallet.id,
        to,
        value: String(parseEther('0.1')),
        network: { name: 'Base (base)', nodeUrl: own.url, chainId },
      });
    await movesNothingOn([CHAIN_ID, BASE, TWIN], async () => {
      own.lies.set('eth_chainId', () => '0x98967f');
      const unlisted = await execute(9_999_999);
      await unlisted.text('This could be real money on Chain 9999999').first().waitFor();
      assert.doesNotMatch(await saidHere(unlisted), /Base/);
      assert.equal(await isOff(unlisted), true);
      await reject(unlisted);
      await visitor.startAgain();
      own.lies.clear();
      const listed = await execute(TWIN);
      await listed.text(`This is real money on ${NAMES[TWIN]}`).first().waitFor();
      assert.doesNotMatch(await saidHere(listed), /Base/);
      assert.equal(await isOff(listed), true);
      await reject(listed);
      assert.deepEqual(own.sent(), []);
      await visitor.startAgain();
    });
    const control = await execute(TWIN);
    await control.root.getByRole('checkbox', { name: /^I understand the risk/ }).check();
    await control.approve();
    await assertSentOn(TWIN, to, (await visitor.answer<TransactionResult>()).value?.transactionHash);
    await own.close();
  });
});

describe('typed data of another network', () => {
  const permit = (chainId: number) => {
    const data = permitOf(world, wallet);
    return { ...data, domain: { ...data.domain, chainId } };
  };
  const sign = (chainId: number, network: string): Promise<WalletView> =>
    visitor.ask((connect, params) => connect.sign(params as never), {
      type: 'ETHEREUM_TYPED_DATA',
      walletId: wallet.id,
      data: permit(chainId),
      network,
    });

  for (const [what, page, chainId, there] of [
    ['of another one on the list', 'base', TWIN, NAMES[TWIN]],
    ['of real money, on a test network', 'ethereum-local', BASE, NAMES[BASE]],
    ['that nobody lists', 'base', 9_999_999, 'the network with the chain ID 9999999'],
  ] as const)
    variant(`${what}: a danger names both, and takes a tick`, async () => {
      const here = page === 'base' ? NAMES[BASE] : NAMES[CHAIN_ID];
      await movesNothingOn([CHAIN_ID, BASE, TWIN], async () => {
        const view = await sign(chainId, page);
        const words = `This is valid on ${there}, not on ${here}, which this site uses.`;
        await view.text(words).first().waitFor();
        const tick = view.root.getByRole('checkbox', { name: /it takes effect on another network/ });
        assert.equal(await tick.count(), 1);
        assert.equal(await isOff(view), true);
        await reject(view);
        await visitor.startAgain();
      });
      const own = page === 'base' ? BASE : CHAIN_ID;
      const control = await sign(own, page);
      await control.approval().waitFor();
      assert.equal(await control.text(/^This is valid on /).count(), 0);
      for (const box of await control.root.getByRole('checkbox').all()) await box.check();
      await control.approve();
      const { result } = (await visitor.answer<SignResult>()).value!;
      const { domain, types, message } = permit(own);
      assert.equal(verifyTypedData(domain, types, message, result.signature), wallet.address);
    });
});
