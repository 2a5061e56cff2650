/** Two THORNodes that answer over a fake network. */
import { ThorNodes } from '../../../../src/swaps/cross-chain/thorchain/nodes.ts';
import { Offers } from '../../../../src/swaps/cross-chain/thorchain/offer.ts';
import { swapOnce } from '../../../../src/swaps/cross-chain/thorchain/pricing.ts';
import { TestClock } from '../../clock.ts';

export const VAULTS: Record<string, string> = {
  BTC: 'bc1qumc2r7a58jy3jmw0e0hctyy0rx45chmuz730rp',
  LTC: 'ltc1qumc2r7a58jy3jmw0e0hctyy0rx45chmuxzttm3',
  ETH: '0xb30ec53f98ff5947ede720d32ac2da7e52a5f56b',
  TRON: 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR',
};
export const ROUTER = '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146';
export const ROUTERS = [{ network: 'ethereum', address: ROUTER, codeHash: `0x${'0'.repeat(64)}` }];
export const USDC = 'ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48';
export const TO_ETH = '0x388C818CA8B9251b393131C08a736A67ccB19297';
export const TO_BTC = 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu';

export const clock = new TestClock();

export type Body = Record<string, unknown>;
/** What a node answers, by path: each test changes what it is about. */
export interface Answers {
  pools: Body[];
  inbound_addresses: Body[];
  'vaults/asgard': Body[];
  mimir: Body;
  block: { header: Body };
  quote: (question: URLSearchParams) => { status: number; body: unknown };
}

const MIN_SLIP = 5;
export const DEPTHS: Record<string, [asset: string, rune: string]> = {
  'BTC.BTC': ['81439552768', '863897777396922'],
  'LTC.LTC': ['8143955276800', '163897777396922'],
  'ETH.ETH': ['2500000000000', '800000000000000'],
  [USDC]: ['500000000000000', '50000000000000'],
  'TRON.TRX': ['90000000000000000', '90000000000000'],
};

function honest(): Answers {
  const answers: Answers = {
    pools: Object.entries(DEPTHS).map(([asset, [balance_asset, balance_rune]]) => ({
      asset,
      balance_asset,
      balance_rune,
      status: 'Available',
      decimals: asset === USDC ? 6 : 8,
      short_code: 'a field that nothing uses',
    })),
    inbound_addresses: Object.entries(VAULTS).map(([chain, address]) => ({
      chain,
      address,
      ...(chain === 'ETH' && { router: ROUTER }),
      halted: false,
      global_trading_paused: false,
      chain_trading_paused: false,
      chain_lp_actions_paused: true,
      outbound_fee: '40000',
      dust_threshold: chain === 'ETH' ? '1' : '10000',
    })),
    'vaults/asgard': [
      { status: 'RetiringVault', addresses: [{ chain: 'BTC', address: 'bc1qold' }], routers: [] },
      {
        status: 'ActiveVault',
        addresses: Object.entries(VAULTS).map(([chain, address]) => ({ chain, address })),
        routers: [{ chain: 'ETH', router: ROUTER }],
      },
    ],
    mimir: { L1SLIPMINBPS: MIN_SLIP, NODEPAUSECHAINGLOBAL: 5, HALTTRADING: 20_000_000, HALTSIGNINGLTC: 0 },
    block: {
      header: { chain_id: 'thorchain-1', height: 10_000_000, time: new Date(clock.date()).toISOString() },
    },
    quote: (question) => ({ status: 200, body: quoteOf(question, answers) }),
  };
  return answers;
}

/** As the node computes it; tokens cost half of what a coin does. */
function quoteOf(question: URLSearchParams, { pools }: Answers): Body {
  const [from, to] = [question.get('from_asset')!, question.get('to_asset')!];
  const depths = (asset: string): [bigint, bigint] => {
    const pool = pools.find((each) => each.asset === asset);
    const [kept, rune] = DEPTHS[asset]!;
    return [BigInt((pool?.balance_asset as string) ?? kept), BigInt((pool?.balance_rune as string) ?? rune)];
  };
  const [fromAsset, fromRune] = depths(from);
  const [toAsset, toRune] = depths(to);
  const minSlip = BigInt(MIN_SLIP);
  const rune = swapOnce(BigInt(question.get('amount')!), fromAsset, fromRune, minSlip).output;
  const gross = swapOnce(rune, toRune, toAsset, minSlip).output;
  const fee = to === USDC ? 64_000_000n : 40_000n;
  const name = to === USDC ? 'ETH.USDC' : to;
  return {
    inbound_address: VAULTS[from.split('.')[0]!],
    ...(from.startsWith('ETH.') && { router: ROUTER.toLowerCase() }),
    expiry: Math.floor(clock.date() / 1000) + 900,
    recommended_min_amount_in: '160000',
    dust_threshold: '10000',
    expected_amount_out: `${gross - fee}`,
    fees: { asset: to, outbound: `${fee}`, liquidity: '1', total: '1', slippage_bps: 1, total_bps: 1 },
    ...(question.has('destination') && { memo: `=:${name}:${question.get('destination')}` }),
    inbound_confirmation_seconds: 600,
    outbound_delay_seconds: 60,
    warning: 'Do not cache this response.',
    notes: '',
  };
}

export class Network {
  readonly answers: Record<string, Answers> = { 'one.example': honest(), 'other.example': honest() };
  /** In order: `one.example/thorchain/pools`. */
  readonly asked: string[] = [];
  /** What happens first at a node, and what it answers instead, if anything. */
  readonly faults: Record<string, () => Response | Promise<Response | void>> = {};
  readonly nodes = new ThorNodes(
    { nodes: Object.keys(this.answers).map((host) => ({ url: `https://${host}`, operator: host })) },
    { clock, fetch: (input) => this.fetch(input) },
  );
  readonly offers = new Offers(this.nodes);

  async fetch(input: Parameters<typeof fetch>[0]): Promise<Response> {
    const { host, pathname, searchParams } = new URL(String(input));
    this.asked.push(`${host}${pathname}`);
    // All of a round are asked before the first is answered.
    await Promise.resolve();
    const fault = await this.faults[host]?.();
    if (fault) return fault;
    const answers = this.answers[host]!;
    const path = pathname.replace('/thorchain/', '');
    if (path === 'quote/swap') {
      const { status, body } = answers.quote(searchParams);
      return new Response(JSON.stringify(body), { status });
    }
    return new Response(JSON.stringify(answers[path as 'pools']));
  }

  get one(): Answers {
    return this.answers['one.example']!;
  }

  /** Both nodes. */
  each(change: (answers: Answers) => void): this {
    for (const answers of Object.values(this.answers)) change(answers);
    return this;
  }
}
