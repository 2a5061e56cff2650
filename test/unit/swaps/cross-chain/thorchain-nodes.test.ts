import { expect } from '@open-wc/testing';
import { StatusAnswer, VaultsAnswer } from '../../../../src/swaps/cross-chain/thorchain/answers.ts';
import { NotAvailable } from '../../../../src/swaps/cross-chain/thorchain/assets.ts';
import {
  ANSWERS_MS,
  checkAtTwoNodes,
  OFFER_MS,
  requireFresh,
} from '../../../../src/swaps/cross-chain/thorchain/check.ts';
import { readMemo } from '../../../../src/swaps/cross-chain/thorchain/memo.ts';
import type { Offer, OfferQuestion } from '../../../../src/swaps/cross-chain/thorchain/offer.ts';
import vectors from '../../../vectors/thorchain.vectors.json';
import {
  type Answers,
  type Body,
  clock,
  DEPTHS,
  Network,
  ROUTER,
  ROUTERS,
  TO_BTC,
  TO_ETH,
  USDC,
  VAULTS,
} from './thor-network.ts';

const QUESTION: OfferQuestion = {
  from: 'BTC.BTC',
  to: 'ETH.ETH',
  amount: 10_000_000n,
  recipient: TO_ETH,
  slippage: 5_000n,
};

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof NotAvailable) return error.reason;
    throw error;
  }
  return 'available';
}

describe('an offer of THORChain', () => {
  it('takes 4 requests in one round, then 1, then 4 in two rounds if the pools have moved', async () => {
    const network = new Network();
    const offer = await network.offers.offer(QUESTION);
    expect(network.asked).to.have.members(
      ['pools', 'inbound_addresses', 'mimir', 'quote/swap'].map((path) => `one.example/thorchain/${path}`),
    );
    expect(offer.limit).to.equal((offer.price.output * 995n) / 1000n);
    expect(offer.memo).to.equal(`=:e:${TO_ETH}:${offer.limit}`);
    expect(offer.vault).to.equal(VAULTS.BTC);
    expect(offer.router).to.equal(undefined);

    await network.offers.offer(QUESTION);
    expect(network.nodes.requests).to.equal(5);
    network.each(({ pools }) => Object.assign(pools[2]!, { balance_rune: '780000000000000' }));
    const moved = await network.offers.offer(QUESTION);
    expect(network.nodes.requests).to.equal(9);
    expect(moved.price.output > offer.price.output).to.equal(true);

    await clock.pass(10_000);
    await network.offers.offer(QUESTION);
    expect(network.nodes.requests).to.equal(13);
  });

  it('is of the vault that has taken over since the pools were read', async () => {
    const network = new Network();
    await network.offers.offer(QUESTION);
    network.each((answers) => {
      Object.assign(answers.inbound_addresses[0]!, { address: 'bc1qnew' });
      changeQuote(answers, () => ({ inbound_address: 'bc1qnew' }));
    });
    expect((await network.offers.offer(QUESTION)).vault).to.equal('bc1qnew');
    expect(network.nodes.requests).to.equal(8);
  });

  it('is there for every pair', async () => {
    const network = new Network();
    const recipients: Record<string, string> = {
      'BTC.BTC': TO_BTC,
      'LTC.LTC': 'ltc1qp0esmcpjymjahn3aptwtpf82axyq2g36kzgrng',
      'ETH.ETH': TO_ETH,
      [USDC]: TO_ETH,
      'TRON.TRX': 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt',
    };
    for (const from of Object.keys(DEPTHS))
      for (const to of Object.keys(DEPTHS).filter((each) => each !== from)) {
        const { amount, recipient } = {
          amount: from === USDC || from === 'TRON.TRX' ? 10n ** 13n : 10n ** 9n,
          recipient: recipients[to]!,
        };
        const offer = await network.offers.offer({ ...QUESTION, from, to, amount, recipient });
        expect(offer.router, from).to.equal(from.startsWith('ETH.') ? ROUTER : undefined);
        expect(offer.limit > 0n).to.equal(true);
        expect(readMemo(offer.memo)).to.deep.include({ streaming: undefined, affiliates: [] });
      }
  });

  it('is swapped at once and within its own limit, whatever parts and limit a node writes', async () => {
    for (const terms of ['1/1/0', '0/3/5', '0/0/1', '0', '']) {
      const network = new Network();
      const asked: string[] = [];
      network.each((answers) => {
        const { quote } = answers;
        answers.quote = (question) => {
          asked.push(...question.keys());
          return quote(question);
        };
        changeQuote(answers, () => ({ memo: `=:e:${TO_ETH}:${terms}` }));
      });
      const offer = await network.offers.offer(QUESTION);
      expect(offer.memo, terms).to.equal(`=:e:${TO_ETH}:${offer.limit}`);
      expect(asked).to.deep.equal(['from_asset', 'to_asset', 'amount', 'destination']);
    }
  });

  const changes: [name: string, change: (answers: Answers) => void, reason: string][] = [
    [
      'a node that promises more',
      (a) =>
        changeQuote(a, (q) => ({ expected_amount_out: `${BigInt(q.expected_amount_out as string) * 2n}` })),
      'price-differs',
    ],
    [
      'fees in another asset',
      (a) => changeQuote(a, (q) => ({ fees: { ...(q.fees as Body), asset: USDC } })),
      'price-differs',
    ],
    [
      'another recipient',
      (a) => changeQuote(a, () => ({ memo: '=:e:0x0000000000000000000000000000000000000001' })),
      'memo',
    ],
    ['another asset', (a) => changeQuote(a, () => ({ memo: `=:ETH.USDC:${TO_ETH}` })), 'memo'],
    ['an affiliate', (a) => changeQuote(a, () => ({ memo: `=:e:${TO_ETH}:1:t:100` })), 'memo'],
    ['no order', (a) => changeQuote(a, () => ({ memo: undefined })), 'memo'],
    ['another vault', (a) => changeQuote(a, () => ({ inbound_address: 'bc1qother' })), 'vault'],
    ['no vault', (a) => changeQuote(a, () => ({ inbound_address: undefined })), 'vault'],
    ['two vaults', ({ inbound_addresses: all }) => all.push(all[0]!), 'vault'],
    ['no pool', ({ pools }) => Object.assign(pools[2]!, { asset: 'DOGE.DOGE' }), 'pool'],
    ['a staged pool', ({ pools }) => Object.assign(pools[2]!, { status: 'Staged' }), 'pool'],
    ['a halted pool', ({ pools }) => Object.assign(pools[0]!, { trading_halted: true }), 'pool'],
    [
      'a higher minimum',
      (a) => changeQuote(a, () => ({ recommended_min_amount_in: '10000001' })),
      'below-minimum',
    ],
    [
      'higher fees for refunds',
      ({ inbound_addresses: all }) => Object.assign(all[0]!, { outbound_fee: '2500001' }),
      'below-minimum',
    ],
    [
      'more dust',
      ({ inbound_addresses: all }) => Object.assign(all[0]!, { dust_threshold: '10000000' }),
      'dust',
    ],
    ['an amount that is a number', ({ pools }) => Object.assign(pools[0]!, { balance_rune: 863 }), 'nodes'],
    ['an amount with a sign', ({ pools }) => Object.assign(pools[0]!, { balance_rune: '-5' }), 'nodes'],
    ['a missing field', ({ inbound_addresses: all }) => delete all[0]!.halted, 'nodes'],
    ['a vote that is text', ({ mimir }) => Object.assign(mimir, { L1SLIPMINBPS: 'five' }), 'nodes'],
  ];
  for (const [name, change, reason] of changes)
    it(`is not made of ${name}`, async () => {
      expect(await reasonOf(new Network().each(change).offers.offer(QUESTION))).to.equal(reason);
    });

  it('is not made without a router on Ethereum', async () => {
    const question = { ...QUESTION, from: 'ETH.ETH', to: 'BTC.BTC', amount: 10n ** 9n, recipient: TO_BTC };
    expect(await reasonOf(new Network().offers.offer(question))).to.equal('available');
    const network = new Network().each((a) => changeQuote(a, () => ({ router: `0x${'1'.repeat(40)}` })));
    expect(await reasonOf(network.offers.offer(question))).to.equal('router');
  });

  const refusals: [text: string, reason: string][] = [
    ["failed to simulate swap: trading is halted, can't process swap: invalid request", 'halted'],
    ['failed to simulate handler: trading is halted', 'halted'],
    ['amount less than dust threshold', 'dust'],
    ['failed to simulate swap: emit asset 5 less than price limit 7', 'fees-exceed-output'],
    ['outbound amount does not meet requirements (1/2)', 'fees-exceed-output'],
    ['pool does not exist', 'pool'],
    ['bad to asset: invalid', 'pool'],
    ['bad destination address: unable to parse', 'memo'],
    ['failed to simulate swap: bad from asset: invalid symbol', 'pool'],
    ['destination address is not the same chain as the target asset', 'memo'],
    ['generated memo too long for source chain', 'memo'],
  ];
  for (const [text, reason] of refusals)
    it(`tells what a node means by “${text}”, in either form, and asks no other`, async () => {
      for (const [status, body] of [
        [500, { code: 2, message: text, details: [] }],
        [400, { code: 3, message: text, details: [] }],
        [500, { error: text }],
      ] as const) {
        const network = new Network().each((a) => (a.quote = () => ({ status, body })));
        expect(await reasonOf(network.offers.offer(QUESTION))).to.equal(reason);
        expect(network.asked.every((path) => path.startsWith('one.'))).to.equal(true);
      }
    });

  it('asks the next node if one is busy, down, or answers something else', async () => {
    const faults: (() => Response | Promise<Response>)[] = [
      () => new Response('', { status: 429 }),
      () => new Response('', { status: 503 }),
      () => new Response('<html>', { status: 500 }),
      () => new Response('<html>'),
      () => new Response('[]'),
      () => new Response(`"${'x'.repeat(5_000_000)}"`),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ];
    for (const fault of faults) {
      const network = new Network();
      network.faults['one.example'] = fault;
      expect(await reasonOf(network.offers.offer(QUESTION))).to.equal('available');
      network.faults['other.example'] = fault;
      expect(await reasonOf(network.offers.offer(QUESTION))).to.equal('nodes');
    }
  });
});

function changeQuote(answers: Answers, change: (quote: Body) => Body): void {
  const { quote } = answers;
  answers.quote = (question) => {
    const { status, body } = quote(question);
    return { status, body: { ...(body as Body), ...change(body as Body) } };
  };
}

describe('checking at two nodes', () => {
  const ETH_QUESTION = { ...QUESTION, from: 'ETH.ETH', to: 'BTC.BTC', amount: 10n ** 9n, recipient: TO_BTC };

  async function offered(question = QUESTION): Promise<[Network, Offer]> {
    const network = new Network();
    const offer = await network.offers.offer(question);
    network.asked.length = 0;
    return [network, offer];
  }

  it('takes 8 requests in one round', async () => {
    const [network, offer] = await offered();
    const checked = await checkAtTwoNodes(offer, network.nodes, ROUTERS);
    expect(checked).to.deep.equal({ offer, at: clock.date() });
    expect(network.asked).to.have.length(8);
    expect(new Set(network.asked).size).to.equal(8);
    const [again, ethOffer] = await offered(ETH_QUESTION);
    expect(await reasonOf(checkAtTwoNodes(ethOffer, again.nodes, ROUTERS))).to.equal('available');
  });

  const inboundOf = ({ inbound_addresses: all }: Answers, chain: string): Body =>
    all.find((each) => each.chain === chain)!;
  const voted =
    (name: string, value: unknown) =>
    ({ mimir }: Answers) =>
      void Object.assign(mimir, { [name]: value });

  /** What one node alone says. */
  const changes: [name: string, change: (answers: Answers) => void, reason: string][] = [
    ['another address', (a) => Object.assign(inboundOf(a, 'BTC'), { address: 'bc1qother' }), 'nodes-differ'],
    [
      'another network',
      ({ block }) => Object.assign(block.header, { chain_id: 'thorchain-2' }),
      'nodes-differ',
    ],
    ['no active vault', (a) => Object.assign(a['vaults/asgard'][1]!, { status: 'RetiringVault' }), 'vault'],
    [
      'a vault that does not sign',
      (a) => Object.assign(a['vaults/asgard'][1]!, { frozen: ['BTC'] }),
      'vault',
    ],
    ['no chain', ({ inbound_addresses: all }) => all.shift(), 'vault'],
    ['the source halted', (a) => Object.assign(inboundOf(a, 'BTC'), { halted: true }), 'halted'],
    ['the destination halted', (a) => Object.assign(inboundOf(a, 'ETH'), { halted: true }), 'halted'],
    ['a pause', (a) => Object.assign(inboundOf(a, 'ETH'), { global_trading_paused: true }), 'halted'],
    [
      'a pause of the chain',
      (a) => Object.assign(inboundOf(a, 'BTC'), { chain_trading_paused: true }),
      'halted',
    ],
    ...['HALTTRADING', 'HALTETHTRADING', 'HALTCHAINGLOBAL', 'HALTBTCCHAIN', 'SOLVENCYHALTETHCHAIN'].map(
      (vote): (typeof changes)[number] => [vote, voted(vote, 1), 'halted'],
    ),
    ['a vote as text', voted('HALTTRADING', '10000000'), 'halted'],
    ['a pause by a validator', voted('NODEPAUSECHAINGLOBAL', 10_000_000), 'halted'],
    ['no signing', voted('HALTSIGNING', 1), 'signing-halted'],
    ['no signing for the destination', voted('HALTSIGNINGETH', 1), 'signing-halted'],
    ['no signing of refunds', voted('HALTSIGNINGBTC', 1), 'signing-halted'],
    ['an asset that is given up', voted('RAGNAROK-ETH-ETH', 1), 'pool'],
    ['a vote that is no number', voted('HALTTRADING', true), 'nodes'],
    [
      'a block of a minute ago',
      ({ block }) => Object.assign(block.header, { time: new Date(clock.date() - 60_000).toISOString() }),
      'node-behind',
    ],
    [
      'a block of the future',
      ({ block }) => Object.assign(block.header, { time: new Date(clock.date() + 60_000).toISOString() }),
      'node-behind',
    ],
    ['an older height', ({ block }) => Object.assign(block.header, { height: 9_999_989 }), 'node-behind'],
    ['more dust', (a) => Object.assign(inboundOf(a, 'BTC'), { dust_threshold: '10000000' }), 'dust'],
    [
      'a fee that leaves nothing of a refund',
      (a) => Object.assign(inboundOf(a, 'BTC'), { outbound_fee: '9990000' }),
      'below-minimum',
    ],
    ['no height', ({ block }) => delete block.header.height, 'nodes'],
  ];
  for (const [name, change, reason] of changes)
    it(`stops at ${name}, whichever node says it`, async () => {
      for (const host of ['one.example', 'other.example']) {
        const [network, offer] = await offered();
        change(network.answers[host]!);
        expect(await reasonOf(checkAtTwoNodes(offer, network.nodes, ROUTERS))).to.equal(reason);
      }
    });

  it('does not stop at votes for later, at other chains, or at liquidity', async () => {
    const [network, offer] = await offered();
    network.each((answers) => {
      for (const vote of ['HALTTRADING', 'HALTSIGNING', 'HALTBTCCHAIN']) voted(vote, 10_000_001)(answers);
      for (const vote of ['HALTLTCTRADING', 'HALTSIGNINGTRON', 'PAUSELP', 'RAGNAROK-LTC-LTC'])
        voted(vote, 1)(answers);
      Object.assign(inboundOf(answers, 'TRON'), { halted: true });
    });
    expect(await reasonOf(checkAtTwoNodes(offer, network.nodes, ROUTERS))).to.equal('available');
  });

  it('stops at an address that has changed since the offer, and at routers', async () => {
    const [network, offer] = await offered();
    network.each((answers) => Object.assign(inboundOf(answers, 'BTC'), { address: 'bc1qnew' }));
    expect(await reasonOf(checkAtTwoNodes(offer, network.nodes, ROUTERS))).to.equal('vault');

    const [changed, ethOffer] = await offered(ETH_QUESTION);
    expect(await reasonOf(checkAtTwoNodes(ethOffer, changed.nodes, []))).to.equal('router');
    changed.each((answers) => Object.assign(inboundOf(answers, 'ETH'), { router: `0x${'1'.repeat(40)}` }));
    expect(await reasonOf(checkAtTwoNodes(ethOffer, changed.nodes, ROUTERS))).to.equal('router');
    Object.assign(inboundOf(changed.one, 'ETH'), { router: ROUTER });
    expect(await reasonOf(checkAtTwoNodes(ethOffer, changed.nodes, ROUTERS))).to.equal('nodes-differ');
  });

  it('needs two nodes: one that does not answer is none', async () => {
    const [network, offer] = await offered();
    network.faults['other.example'] = () => new Response('', { status: 503 });
    expect(await reasonOf(checkAtTwoNodes(offer, network.nodes, ROUTERS))).to.equal('nodes');
  });

  it('counts no answer older than 20 s, and no offer that has expired or is older than 10 minutes', async () => {
    const [network, offer] = await offered();
    const checked = await checkAtTwoNodes(offer, network.nodes, ROUTERS);
    const at = (milliseconds: number) =>
      reasonOf((async () => requireFresh(checked, clock.date() + milliseconds))());
    expect(await at(ANSWERS_MS)).to.equal('available');
    expect(await at(ANSWERS_MS + 1)).to.equal('answers-old');
    expect(await at(-1)).to.equal('answers-old');

    // While they answer.
    network.faults['one.example'] = () => clock.pass(ANSWERS_MS + 1);
    expect(await reasonOf(checkAtTwoNodes(offer, network.nodes, ROUTERS))).to.equal('answers-old');
    delete network.faults['one.example'];

    const expired = { ...offer, expiry: Math.floor(clock.date() / 1000) };
    expect(await reasonOf(checkAtTwoNodes(expired, network.nodes, ROUTERS))).to.equal('expired');
    const old = { ...offer, at: clock.date() - OFFER_MS - 1 };
    expect(await reasonOf(checkAtTwoNodes(old, network.nodes, ROUTERS))).to.equal('expired');
    const little = { ...offer, amount: offer.minimum - 1n };
    expect(await reasonOf(checkAtTwoNodes(little, network.nodes, ROUTERS))).to.equal('below-minimum');
  });
});

describe('answers of nodes', () => {
  it('are read as another wallet recorded them', () => {
    for (const [name, body] of Object.entries(vectors.statuses)) {
      const { success, data } = StatusAnswer.safeParse(body);
      expect(success, name).to.equal(true);
      expect(data!.tx!.coins![0]!.amount).to.equal(BigInt(body.tx.coins[0]!.amount));
    }
    const { planned_out_txs, out_txs, stages } = StatusAnswer.parse(vectors.statuses.ltc_to_tron_usdt);
    expect(planned_out_txs![0]!.coin.amount).to.equal(7_915_842_900n);
    expect(out_txs![1]!.memo).to.match(/^OUT:FBEEBA21/);
    expect(stages.inbound_observed.final_count).to.equal(103);
    const partly = StatusAnswer.parse(vectors.statuses.tcy_to_eth_usdt);
    expect(partly.planned_out_txs!.map(({ refund }) => refund)).to.deep.equal([false, true, false]);
    const unknown = StatusAnswer.parse({
      stages: { inbound_observed: { started: false, final_count: 0, completed: false } },
    });
    expect(unknown.stages.inbound_observed.started).to.equal(false);
  });

  it('are asked for by hashes as THORChain writes them', async () => {
    const network = new Network();
    network.faults['one.example'] = () => new Response(JSON.stringify(vectors.statuses.ltc_to_eth));
    const { tx } = await network.nodes.first((node) => node.status(`0x${'ab'.repeat(32)}`));
    expect(tx!.chain).to.equal('LTC');
    expect(network.asked).to.deep.equal([`one.example/thorchain/tx/status/${'AB'.repeat(32)}`]);
  });

  it('have vaults with the addresses of each chain', () => {
    const vaults = vectors.vaults.map((vault) => ({ status: 'ActiveVault', ...vault }));
    const [first] = VaultsAnswer.parse(vaults);
    expect(first!.addresses[1]).to.deep.equal({
      chain: 'ETH',
      address: '0xb30ec53f98ff5947ede720d32ac2da7e52a5f56b',
    });
  });
});
