/**
 * A page that goes from one network of a chain to another: the same wallet on both, one click and no PIN for the way, and no transaction of
 * one network that the other takes. `provider.cases.ts` has the same for Ethereum.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toQuantity } from 'ethers';
import type { Request } from 'playwright-core';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { closeAll, LOCAL_NETWORKS } from '../../demo/networks/start-networks.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { parseUnits } from '../../src/base/amount.ts';
import { CHAIN_NAMES, type SecretType } from '../../src/chains/secret-type.ts';
import type { SignResult, TransactionResult } from '../../src/channel/messages.ts';
import { within } from '../waiting.ts';
import { CASES } from './chain-cases.ts';
import { SIGNINGS } from './chain-signatures.ts';
import { openWorld, type Visitor, type WalletView, type World } from './harness.ts';

interface Case {
  /** Method, path and body of what sends a transaction to a node. */
  broadcast: RegExp;
  /** Of a node that gets the transaction of another network, in the real one's words. */
  refusal: RegExp;
}

const SEVERAL: { [S in SecretType]?: Case } = {
  GOCHAIN: { broadcast: /"eth_sendRawTransaction"/, refusal: /"invalid sender"/ },
  TRON: { broadcast: /^\/wallet\/broadcasthex /, refusal: /"TAPOS_ERROR"/ },
  VECHAIN: { broadcast: /^\/transactions /, refusal: /^bad tx: chain tag mismatch/ },
  AETERNITY: { broadcast: /^\/v3\/transactions /, refusal: /"signature_check_failed"/ },
};
const CHAINS = Object.keys(SEVERAL) as SecretType[];

let world: World;
let seconds: LocalNetwork[] = [];
let visitor: Visitor;
/** Everything that was posted to a node. */
const posts: Request[] = [];
before(async () => {
  const start = async (chain: SecretType) => (await LOCAL_NETWORKS[chain]!.load())({ port: 0, second: true });
  seconds = await within(Promise.all(CHAINS.map(start)), 'the second networks');
  world = await openWorld({ chains: CHAINS, networks: seconds.map(({ network }) => network) });
  visitor = await world.visit('iframe', '/plain');
  visitor.context.on('request', (request) => request.method() === 'POST' && posts.push(request));
});
after(async () => {
  await world.close();
  await closeAll(seconds);
});

/** By one click: GoChain's provider switches, and on the other chains a page links for the network. */
async function goTo(wallet: Wallet, { network }: LocalNetwork): Promise<void> {
  const { secretType } = wallet;
  const view =
    secretType === 'GOCHAIN'
      ? await visitor.ask(
          (connect, chainId) =>
            connect
              .provider({ chain: 'GOCHAIN' })
              .request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }),
          toQuantity(network.chainId!),
        )
      : await visitor.ask((connect, wish) => connect.linkWallets(wish as never), {
          secretTypes: [secretType],
          network: network.id,
        });
  await view.root.getByRole('heading', { name: network.name }).waitFor();
  assert.equal(await view.box('PIN').count(), 0);
  if (secretType === 'GOCHAIN') await view.press(`Use ${network.name}`);
  else await view.consent('Link wallets');
  assert.equal((await visitor.answer()).error, undefined);
  await view.gone();
  const linked = (await visitor.wallets()).filter((each) => each.secretType === secretType);
  assert.deepEqual(
    linked.map(({ id, address }) => [id, address]),
    [[wallet.id, wallet.address]],
  );
}

/** As the page's libraries do: it names no network but the one that it went to. */
function send(wallet: Wallet, to: string): Promise<WalletView> {
  const { secretType, address, id: walletId } = wallet;
  const { value, decimals } = CASES[secretType]!;
  return secretType === 'GOCHAIN'
    ? visitor.ask(
        (connect, params) =>
          connect.provider({ chain: 'GOCHAIN' }).request({ method: 'eth_sendTransaction', params: [params] }),
        { from: address, to, value: toQuantity(parseUnits(value, decimals)) },
      )
    : visitor.ask((connect, params) => connect.transfer(params as never), {
        walletId,
        secretType,
        to,
        value,
      });
}

/** What was sent to the node of one network, sent to that of another one. */
async function replay(from: LocalNetwork, to: LocalNetwork, { broadcast }: Case): Promise<string> {
  const [there, here] = [from.network.nodes[0]!, to.network.nodes[0]!];
  const isBroadcast = (post: Request): boolean =>
    post.url().startsWith(there) && broadcast.test(`${post.url().slice(there.length)} ${post.postData()}`);
  const post = posts.findLast(isBroadcast);
  assert.ok(post, `nothing was sent to ${from.network.name}`);
  const answer = await fetch(here + post.url().slice(there.length), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: post.postData()!,
  });
  return answer.text();
}

for (const secretType of CHAINS)
  test(`${CHAIN_NAMES[secretType]}: sends and signs on a second network after one click, and shows each where it was`, async () => {
    const { coin, gas, decimals, value, fresh, holds } = CASES[secretType]!;
    const several = SEVERAL[secretType]!;
    const first = world.local[secretType]!;
    const second = seconds.find(({ network }) => network.secretType === secretType)!;
    await visitor.startAgain();
    const wallet = await visitor.createWallet(secretType);
    for (const local of [first, second])
      for (const asset of [coin, gas ?? []].flat()) await local.give(asset, wallet.address);
    const amount = parseUnits(value, decimals);
    const [to, other] = [await fresh(), await fresh()];

    await goTo(wallet, second);
    const sending = await send(wallet, to);
    await sending.text(second.network.name).first().waitFor();
    await sending.approve();
    await sending.sent();
    await sending.done();
    const { value: sent } = await visitor.answer<TransactionResult | string>();
    const hash = typeof sent === 'string' ? sent : sent!.transactionHash;
    assert.deepEqual([await holds(first, to), await holds(second, to)], [0n, amount]);
    const statusOn = ({ network }: LocalNetwork) =>
      visitor.evaluate(([id, chain, on]) => window.connect.transactionStatus(id, chain, { network: on }), [
        hash,
        secretType,
        network.id,
      ] as const);
    assert.deepEqual([await statusOn(second), await statusOn(first)], ['confirmed', 'unknown']);

    const [signing] = SIGNINGS[secretType];
    const signed = await visitor.ask((connect, params) => connect.sign(params as never), {
      ...signing!.params,
      walletId: wallet.id,
      network: second.network.id,
    });
    await signed.approval().waitFor();
    await signed.approve();
    const { result } = (await visitor.answer<SignResult>()).value!;
    assert.equal(await signing!.signer(result, wallet.address), wallet.address);
    await signed.gone();

    assert.match(await replay(second, first, several), several.refusal);
    assert.deepEqual([await holds(first, to), await holds(second, to)], [0n, amount]);

    // A request that names the other network says where the last one was.
    const back = await visitor.ask((connect, params) => connect.transfer(params as never), {
      walletId: wallet.id,
      secretType,
      to: other,
      value,
      network: first.network.id,
    });
    await back.text(`Last time: ${second.network.name}`).first().waitFor();
    await back.approve();
    await back.sent();
    await back.done();
    assert.deepEqual([await holds(first, other), await holds(second, other)], [amount, 0n]);
    assert.match(await replay(first, second, several), several.refusal);

    const own = await visitor.ask((connect, chain) => connect.manageWallets({ chain }), secretType);
    await own.button(`Open ${wallet.alias}`).click();
    const rows = own.root.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
    for (const { network } of [first, second])
      await rows.filter({ hasText: network.name }).filter({ hasText: coin }).first().waitFor();
    await own.root.getByRole('tab', { name: 'Activity' }).click();
    const entries = own.root
      .getByRole('tabpanel')
      .getByRole('listitem')
      .filter({ hasText: `${value} ${coin}` });
    for (const { network } of [first, second])
      await entries.filter({ hasText: network.name }).filter({ hasText: 'Sent' }).waitFor();
    await own.root.getByRole('combobox', { name: 'Network' }).selectOption(second.network.id);
    await entries.filter({ hasText: first.network.name }).waitFor({ state: 'detached' });
    assert.equal(
      await entries.filter({ hasText: second.network.name }).filter({ hasText: 'Sent' }).count(),
      1,
    );
    await own.close();
    await own.gone();
  });
