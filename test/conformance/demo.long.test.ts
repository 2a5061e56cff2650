/** What `npm start` serves, the faucet, and whether the scenarios are what they claim to be. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ZeroAddress } from 'ethers';
import { systemClock } from '../../src/base/clock.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import type { LocalEthereum } from '../../demo/networks/ethereum.ts';
import { demoNetworks, REPORTED } from '../../demo/networks/networks.ts';
import { LOCAL_CHAINS, LOCAL_NETWORKS } from '../../demo/networks/start-networks.ts';
import { ROUTER_ABI } from '../../demo/networks/thorchain/sides/ethereum.ts';
import type { BadCase } from '../../demo/page/scenarios/bad-input.ts';
import { CHAINS, type Context, type Payload, type Scenario } from '../../demo/page/scenarios/index.ts';
import { swapGroups } from '../../demo/page/scenarios/swaps.ts';
import type { Settings } from '../../demo/page/settings.ts';
import { demoOracle } from '../../demo/prices.ts';
import { type Demo, startDemo } from '../../demo/start.ts';
import type { CreateSwap, RatesQuery } from '../../src/api/swap.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { Draft, ParsedRequest } from '../../src/chains/terms.ts';
import { loadChain, loadPayloads, SECRET_TYPES, type SecretType } from '../../src/chains/index.ts';
import { Networks } from '../../src/chains/network.ts';
import { networkFor } from '../../src/chains/nodes/network-choice.ts';
import { type NetworkChoice } from '../../src/chains/nodes/networks.ts';
import type { Payloads } from '../../src/chains/requests/payloads.ts';
import { CONTRACT_CHAINS } from '../../src/chains/secret-type.ts';
import { readCrossChain } from '../../src/swaps/cross-chain/entry.ts';
import { checkAtTwoNodes } from '../../src/swaps/cross-chain/thorchain/check.ts';
import { ThorNodes } from '../../src/swaps/cross-chain/thorchain/nodes.ts';
import { Offers } from '../../src/swaps/cross-chain/thorchain/offer.ts';
import { createSwap, swapRates } from '../../src/swaps/index.ts';
import { poll } from '../waiting.ts';
import { ethereumCustomer, utxoCustomer } from './thorchain-setup.ts';

const EVERY_CHAIN = SECRET_TYPES.toSorted();

describe('the demo', () => {
  let demo: Demo;
  let settings: Settings;
  const parts: string[] = [];

  before(async () => {
    demo = await startDemo({ onAnswer: (name) => parts.push(name) });
    settings = (await (await fetch(`${demo.demo}/settings.json`)).json()) as Settings;
    // Sign-in messages name the page's host.
    Object.assign(globalThis, { location: new URL(demo.demo) });
  });
  after(() => demo.close());

  async function post(path: string, body: unknown, type = 'application/json') {
    const answer = await fetch(demo.demo + path, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  }

  /** A new wallet of the chain on its local network. */
  async function newcomer(secretType: SecretType) {
    const chain: Chain = await loadChain(secretType);
    const { network } = demo.local[secretType]!;
    const key = await chain.deriveKey(crypto.getRandomValues(new Uint8Array(64)), 0);
    return {
      chain,
      network,
      key,
      address: await chain.address(key, network.kind),
      node: chain.node(network),
    };
  }

  async function give(secretType: SecretType, address: string, assets: readonly string[]): Promise<void> {
    for (const asset of assets) {
      const { status, body } = await post('/faucet', { secretType, address, asset });
      assert.equal(status, 200, `${asset}: ${body['error']}`);
      assert.ok(body['transactionHash']);
    }
  }

  it('starts a network for every chain, the frame, the docs and the page, and tells the frame about the networks', async () => {
    assert.deepEqual(parts.slice(-3), ['frame', 'docs', 'demo']);
    assert.deepEqual(
      parts.slice(0, -3).sort(),
      EVERY_CHAIN.map((chain) => chain.toLowerCase()),
    );
    const { networks, reported } = Networks.parse(await (await fetch(`${demo.frame}/networks.json`)).json());
    for (const secretType of EVERY_CHAIN) {
      const [first] = networks.filter((network) => network.secretType === secretType);
      const { network } = demo.local[secretType]!;
      // What no exchange prices for checkout, the demo's own tickers do.
      const isPriced = ['TRON', 'AETERNITY'].includes(secretType);
      const expected = { ...network, ...(isPriced && { prices: demoOracle(demo.demo, secretType) }) };
      assert.deepEqual(first, expected);
      assert.ok(reported.includes(REPORTED[secretType]!.toLowerCase()));
    }
    const withNodes = networks.filter(({ nodes }) => nodes.length > 0);
    assert.deepEqual(
      withNodes.map(({ kind }) => kind).filter((kind) => kind !== 'local'),
      [],
      'no public node',
    );
  });

  it('carries out a swap between two chains without anybody mining a block', async () => {
    const networks = Networks.parse(await (await fetch(`${demo.frame}/networks.json`)).json());
    const { entries, issues } = readCrossChain(networks);
    assert.deepEqual(issues, []);
    const nodes = new ThorNodes(entries[0]!, { clock: systemClock });
    const { provider, send } = await ethereumCustomer(demo.local.ETHEREUM as LocalEthereum, 'Carol');
    const litecoin = demo.local.LITECOIN as LocalUtxo;
    const { address, balance } = await utxoCustomer(litecoin, 'Carol', 'LTC');
    const offer = await new Offers(nodes).offer({
      from: 'ETH.ETH',
      to: 'LTC.LTC',
      amount: 10n ** 8n,
      recipient: address,
      slippage: 5_000n,
    });
    await checkAtTwoNodes(offer, nodes, entries[0]!.routers);
    const value = 10n ** 18n;
    const expiry = Math.floor(Date.now() / 1000) + 900;
    const deposit = [offer.vault, ZeroAddress, value, offer.memo, expiry];
    const hash = await send({
      to: offer.router!,
      value,
      data: ROUTER_ABI.encodeFunctionData('depositWithExpiry', deposit),
    });
    provider.destroy();
    await poll(async () => {
      const { stages } = await nodes.first((node) => node.status(hash));
      return stages.outbound_signed?.completed === true;
    }, 'the output');
    assert.ok((await balance()) >= offer.limit);
  });

  it('tells the page about every chain it has scenarios for', () => {
    assert.deepEqual(CHAINS.map(({ secretType }) => secretType).sort(), EVERY_CHAIN);
    for (const { secretType, faucet } of CHAINS)
      assert.deepEqual(settings.chains[secretType]!.faucet, Object.keys(faucet));
  });

  for (const secretType of LOCAL_CHAINS)
    it(`gives everything that the faucet of ${secretType} has, by real transfers`, async () => {
      const { chain, network, address, node } = await newcomer(secretType);
      const assets = demo.local[secretType]!.assets;
      const before = await chain.balance(address, node);
      assert.deepEqual([before.rawBalance, before.rawGasBalance], ['0', '0']);
      await give(secretType, address, assets);
      const { rawBalance, rawGasBalance } = await chain.balance(address, node);
      assert.ok(BigInt(rawBalance) > 0n);
      if (assets.includes('VTHO')) assert.ok(BigInt(rawGasBalance) >= 10n ** 21n);
      for (const { symbol, balance } of await chain.tokenBalances(address, network.tokens, node))
        assert.equal(balance, assets.includes(symbol) ? 1000 : 0, symbol);
    });

  it('returns the number of a ticket', async () => {
    const { address } = await newcomer('ETHEREUM');
    const numbers: (string | undefined)[] = [];
    for (let i = 0; i < 2; i++) {
      const { body } = await post('/faucet', { secretType: 'ETHEREUM', address, asset: 'NFT' });
      numbers.push(body['tokenId']);
    }
    assert.equal(Number(numbers[1]), Number(numbers[0]) + 1);
  });

  it('refuses invalid faucet requests, and too many of them', async () => {
    const { address } = await newcomer('ETHEREUM');
    const bitcoin = (await newcomer('BITCOIN')).address;
    const bad: [unknown, RegExp][] = [
      ['{', /body/],
      [{ address }, /secretType/],
      [{ secretType: 'DOGECOIN', address }, /secretType/],
      [{ secretType: 'ETHEREUM' }, /address/],
      [{ secretType: 'ETHEREUM', address: '0x12' }, /address: is not an address of Local Ethereum/],
      [{ secretType: 'ETHEREUM', address: bitcoin }, /address: is not an address of Local Ethereum/],
      // An address of another network.
      [{ secretType: 'BITCOIN', address: 'bc1qpccgr877h8tpfrp4n0tmdyrql8z7angrzdludn' }, /address/],
      [{ secretType: 'ETHEREUM', address, asset: 'DOGE' }, /asset: must be one of ETH, DUSD/],
      [{ secretType: 'ETHEREUM', address, amount: 1000 }, /amount/],
      ['x'.repeat(2000), /too long/],
    ];
    for (const [body, message] of bad) {
      const answer = await post('/faucet', body);
      assert.equal(answer.status, 400);
      assert.match(answer.body['error']!, message);
    }
    const request = { secretType: 'ETHEREUM', address };
    assert.equal((await post('/faucet', request, 'text/plain')).status, 415);
    const answers: number[] = [];
    for (let i = 0; i < 11; i++) answers.push((await post('/faucet', request)).status);
    assert.deepEqual([...new Set(answers.slice(0, 10)), answers[10]], [200, 429]);
    // The limit is per address and chain.
    assert.equal((await post('/faucet', { secretType: 'GOCHAIN', address })).status, 200);
  });

  it('takes one chain’s node down and brings it back with its state', async () => {
    const people = await Promise.all(LOCAL_CHAINS.map(newcomer));
    for (const { chain, address, network } of people) {
      const { secretType } = network;
      const balance = () => chain.balance(address, chain.node(network));
      const before = await balance();
      assert.equal((await post('/node', { secretType, down: true })).body['down'], true);
      await assert.rejects(balance(), { code: 'node.unreachable' });
      const told = (await (await fetch(`${demo.demo}/settings.json`)).json()) as Settings;
      const down = LOCAL_CHAINS.filter((each) => told.chains[each]!.down);
      assert.deepEqual(down, [secretType]);
      await post('/node', { secretType, down: false });
      assert.deepEqual(await balance(), before);
    }
    assert.equal((await post('/node', { secretType: 'NEO', down: true })).status, 400);
  });

  /** Ids of scenarios named after the warning that the approval must show. */
  const WARNINGS: Record<string, string> = {
    'reported-address': 'reported-address',
    'unlimited-approval': 'unlimited-approval',
    'approval-for-all': 'approval-for-all',
    'will-fail': 'will-fail',
    'fee-over-ceiling': 'fee-ceiling',
  };

  /** The transactions of a scenario, as the wallet gets them. */
  function requestsOf(payloads: Payloads, { action, ...fields }: Payload): ParsedRequest[] {
    const filled = (request: unknown) => ({ walletId: 'w', ...(request as object) });
    if (action === 'transfer') return [payloads.parseTransfer(filled(fields))];
    return ((fields['requests'] ?? [fields['request']]) as unknown[]).map((request) =>
      payloads.parse(filled(request)),
    );
  }

  for (const { secretType, ...of } of CHAINS)
    it(`has transactions of ${secretType} that can be drawn and signed`, async () => {
      const { chain, key, address, network, node } = await newcomer(secretType);
      const payloads = await loadPayloads(secretType);
      const { assets, ticketOf } = demo.local[secretType]!;
      await give(secretType, address, [...assets, assets[0]!]);
      let ticket: string | undefined;
      if (ticketOf) ticket = (await post('/faucet', { secretType, address, asset: 'NFT' })).body['tokenId'];
      const context: Context = { ...settings.chains[secretType]!, ticket, address };
      const known = { used: [], own: [address], reported: [REPORTED[secretType]!.toLowerCase()] };
      const networks = demoNetworks(network);

      const draft = (request: ParsedRequest): Promise<Draft> => {
        const choice = request['network'] as NetworkChoice | undefined;
        const asked = choice ? chain.node(networkFor(networks, { secretType }, choice, undefined)) : node;
        return chain.prepare(request, address, asked, known);
      };
      const check = async ({ id, fails, payload }: Scenario): Promise<void> => {
        for (const request of requestsOf(payloads, payload(context))) {
          if (fails) {
            await assert.rejects(draft(request), { code: fails }, id);
            continue;
          }
          const drawn = await draft(request);
          const { shortOf, warnings } = await chain.describe(drawn);
          assert.equal(shortOf !== undefined, id === 'insufficient-funds', `${id}: is something missing`);
          const codes = warnings.map(({ code }) => code);
          if (WARNINGS[id])
            assert.ok(
              codes.some((code) => code === WARNINGS[id]),
              `${id}: ${codes.join()}`,
            );
          else assert.ok(!codes.includes('will-fail'), `${id} will fail`);
          if (!shortOf) assert.ok((await chain.sign(drawn, key)).hash, id);
        }
      };
      const ready = [...of.transfer, ...of.transaction].filter(
        // The user fills in this one.
        ({ id }) => id !== 'transfer-form',
      );
      for (const scenario of ready) await check(scenario);

      for (const { id, fails, payload } of of.sign) {
        const { action: _, data, ...fields } = payload(context);
        // The action turns an object into JSON text.
        const text = typeof data === 'object' ? JSON.stringify(data) : data;
        const request = payloads.parseSigning({ walletId: 'w', ...fields, data: text });
        const scene = { origin: demo.demo, now: Date.now() };
        const described = chain.describeSigning!(request, address, node, known, scene);
        if (fails) {
          await assert.rejects(described, { code: fails }, id);
          continue;
        }
        assert.ok(await described, id);
        const annex = { domain: 'demo.example', timestamp: 1 };
        const { signature } = await chain.signData!(
          'annex' in request ? { ...request, annex } : request,
          key,
        );
        assert.match(signature, /^(0x([0-9a-f]{128}|[0-9a-f]{130})|[A-Za-z0-9+/]{86,}={0,2})$/, id);
      }
      for (const { payload } of of.read) {
        const { action, body, hash } = payload(context);
        if (action === 'build')
          assert.match(
            (await chain.build(payloads.parse({ ...(body as object), walletId: 'w' }), address, node)).type,
            /_TRANSACTION$/,
          );
        else assert.match(await chain.status(String(hash), node), /^(unknown|pending)$/);
      }
    });

  for (const secretType of CONTRACT_CHAINS)
    it(`has swaps of ${secretType} that its exchanges carry out`, async () => {
      const { chain, address, node } = await newcomer(secretType);
      await give(secretType, address, demo.local[secretType]!.assets);
      const context: Context = { ...settings.chains[secretType]!, ticket: undefined };
      const home = { toSecretType: secretType, walletId: 'w' };
      const reach = () => ({ chain, node });
      for (const { id, fails, payload } of swapGroups(secretType).flatMap((group) => group.scenarios)) {
        const { action, ...fields } = payload(context);
        if (action === 'createSwap') {
          const made = createSwap(
            { ...home, ...fields } as CreateSwap,
            { from: address, to: address },
            reach,
          );
          if (fails) await assert.rejects(made, { code: fails }, id);
          else assert.equal((await made).length, 1, id);
        } else if ('amount' in fields) {
          const { bestRate } = await swapRates({ ...home, ...fields } as RatesQuery, reach);
          // Above this the panel warns.
          assert.equal(bestRate!.priceImpact! > 3, id === 'swap-price-impact', id);
        }
      }
    });

  for (const { secretType, badInput } of CHAINS)
    it(`has bad requests of ${secretType} that are refused with the field’s path`, async () => {
      const payloads = await loadPayloads(secretType);
      const { chain, address, node } = await newcomer(secretType);
      const known = { used: [], own: [], reported: [] };
      for (const scenario of badInput) {
        const { cases } = scenario.payload({} as Context) as unknown as { cases: BadCase[] };
        assert.ok(cases.length > 0);
        // Schemas know neither which wallets exist, nor that NEO is unsupported.
        if (['bad-link', 'bad-wallet'].includes(scenario.id)) continue;
        for (const { name, code, path, payload } of cases) {
          // Callers in Node may say it; the page's own code refuses it.
          if (path === 'annex') continue;
          const { action, ...fields } = payload;
          const asked = (fields['request'] ?? fields['body'] ?? fields) as Record<string, unknown>;
          const filled: Record<string, unknown> = { walletId: 'w', ...asked };
          if (action === 'build' && filled['secretType'] !== secretType) continue;
          const ask = async (): Promise<unknown> => {
            if (action === 'sign')
              return chain.describeSigning!(payloads.parseSigning(filled), address, node, known);
            const parsed = action === 'transfer' ? payloads.parseTransfer(filled) : payloads.parse(filled);
            return chain.prepare(parsed, address, node, known);
          };
          await assert.rejects(
            ask(),
            (error: { code?: string; issues?: { path: string }[]; message?: string }) => {
              const where = `${scenario.id}, ${name}`;
              assert.equal(error.code, code, `${where}: ${error.message}`);
              if (path !== undefined)
                assert.ok(
                  error.issues?.some((issue) => issue.path === path),
                  `${where}: ${error.message}`,
                );
              return true;
            },
            `${scenario.id}, ${name} is not refused`,
          );
        }
      }
    });

  it('serves its pages under a policy that allows nothing inline', async () => {
    for (const url of [
      demo.demo,
      `${demo.demo}/playground`,
      `${demo.demo}/qa`,
      demo.demo.replace('localhost', '127.0.0.1'),
    ]) {
      const answer = await fetch(url);
      assert.equal(answer.status, 200);
      const policy = answer.headers.get('content-security-policy')!;
      assert.match(policy, /require-trusted-types-for 'script'/);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/);
      const html = await answer.text();
      assert.ok(html.includes(`<script type="module" src="${demo.frame}/connect.js"></script>`));
      assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)/);
    }
    for (const path of ['/index.html', '/qa.html', '/assets/../../connect.js', '/connect.js', '/frame/'])
      assert.equal((await fetch(demo.demo + path)).status, 404, path);
  });

  it('names a port that is in use', async () => {
    const taken = Number(new URL(demo.frame).port);
    const chains = ['AETERNITY'] as const;
    await assert.rejects(startDemo({ chains, ports: { frame: taken } }), {
      message: `port ${taken} (FRAME_PORT) is taken`,
    });
    await assert.rejects(startDemo({ chains, ports: { demo: taken } }), {
      message: `port ${taken} (DEMO_PORT) is taken`,
    });
    for (const chain of LOCAL_CHAINS) {
      const start = await LOCAL_NETWORKS[chain]!.load();
      await assert.rejects(start({ port: taken }), { message: `port ${taken} (${chain}_PORT) is taken` });
    }
  });

  it('refuses one origin for the page and the frame', async () => {
    await assert.rejects(startDemo({ ports: { demo: 4711, frame: 4711 } }), {
      message: 'DEMO_PORT and FRAME_PORT are both 4711: each part needs an origin of its own.',
    });
  });
});
