import { expect } from '@open-wc/testing';
import { eachBalance } from '../../../../src/chains/contracts/token-balances.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { Node } from '../../../../src/chains/terms.ts';
import type { Network, Token } from '../../../../src/chains/network.ts';
import {
  type Held,
  heldUnlisted,
  readHoldings,
  sortHeld,
  totalOf,
} from '../../../../src/frame/wallets/holdings.ts';

const OWNER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const token = (digit: string, symbol: string, name = symbol, decimals = 6): Token => ({
  address: `0x${digit.repeat(40)}`,
  symbol,
  name,
  decimals,
  logo: '',
});
const USDC = token('a', 'USDC', 'USD Coin');
const DAI = token('b', 'DAI', 'Dai Stablecoin', 18);
const LISTED = [USDC, DAI];

const network: Network = {
  id: 'local',
  secretType: 'ETHEREUM',
  name: 'Local Ethereum',
  kind: 'local',
  nodes: [],
  tokens: LISTED,
};
const tron = (tokens: Token[]): Node =>
  ({ network: { ...network, secretType: 'TRON', tokens } }) as unknown as Node;

const coin = (raw: bigint, on = network): Held => ({
  amount: { symbol: 'ETH', decimals: 18, raw },
  network: on,
  name: '',
  logo: '',
});
const held = ({ address, symbol, decimals, name }: Token, raw: bigint, on = network): Held => ({
  amount: { token: address, symbol, decimals, raw },
  network: on,
  name,
  logo: '',
});
const symbols = (list: readonly Held[]) => list.map(({ amount }) => amount.symbol);
const free = () => undefined;

describe('a token that nobody lists', () => {
  it('is hidden if its symbol or name could be taken for a coin or a listed token', () => {
    for (const [one, like] of [
      [token('1', 'USDС'), 'USDC'],
      [token('2', 'US0C', 'Fun'), undefined],
      [token('3', 'FUN', 'USD Coin'), 'USD Coin'],
      [token('4', 'FUN', 'Ethereum'), 'Ethereum'],
      [token('5', 'ETH', 'Fun'), 'ETH'],
    ] as const) {
      const found = heldUnlisted(one, 5n, network);
      expect(found.imitates, one.symbol + one.name).to.equal(like);
      if (like) expect(sortHeld([coin(1n), found], free, 0).hidden).to.deep.equal([found]);
    }
  });

  it('is hidden if its name leads to a site, or is nothing that can be read', () => {
    for (const one of [
      token('1', 'WAX', 'claim at wax-bonus.io'),
      token('2', 'WAX', 'https://x'),
      token('3', '０x'),
    ])
      expect(sortHeld([coin(1n), heldUnlisted(one, 5n, network)], free, 0).hidden, one.name).to.have.length(
        1,
      );
    const plain = heldUnlisted(token('4', 'WAX', 'Wax v2.1'), 5n, network);
    expect(plain).to.include({ unknown: true }).and.not.include.keys('imitates', 'unclear');
  });

  it('comes last, whatever a source says it is worth, and counts for nothing', () => {
    const wax = heldUnlisted(token('4', 'WAX'), 5_000_000n, network);
    const list = [coin(10n ** 18n), held(DAI, 10n ** 18n), held(USDC, 2_000_000n), wax];
    const worth = ({ amount }: Held) => ({ ETH: 1, USDC: 2, WAX: 1000 })[amount.symbol];
    const { shown } = sortHeld(list, worth, 0.1);
    expect(symbols(shown)).to.deep.equal(['ETH', 'USDC', 'DAI', 'WAX']);
    expect(totalOf(list, shown, worth)).to.deep.equal({ value: 3, unpriced: 2 });
    expect(totalOf(list, shown, free)).to.equal(undefined);
  });
});

describe('what is hidden', () => {
  it('is empty or dust: by its worth, else below the sixth place', () => {
    const list = [coin(0n), held(USDC, 99_999n), held(DAI, 10n ** 12n - 1n)];
    const worth = ({ amount: { symbol, raw } }: Held) => (symbol === 'USDC' ? Number(raw) / 1e6 : undefined);
    expect(symbols(sortHeld(list, worth, 0.1).hidden)).to.deep.equal(['USDC', 'DAI']);
    const more = [coin(0n), held(USDC, 100_000n), held(DAI, 10n ** 12n)];
    expect(symbols(sortHeld(more, worth, 0.1).shown)).to.deep.equal(['ETH', 'USDC', 'DAI']);
  });

  it('is never the wallet’s own coin', () => {
    expect(symbols(sortHeld([coin(0n)], free, 0).shown)).to.deep.equal(['ETH']);
  });
});

describe('holdings', () => {
  const node = tron([USDC]);
  const chain = (more: Partial<Chain>): Chain =>
    ({
      secretType: 'TRON',
      coin: { symbol: 'TRX', decimals: 6 },
      gasCoin: { symbol: 'TRX', decimals: 6 },
      balance: async () => ({ rawBalance: '7', rawGasBalance: '7' }),
      tokenBalances: async (_: string, tokens: Token[]) =>
        tokens.map(({ address }) => ({ tokenAddress: address, rawBalance: '5' })),
      token: async (address: string) => {
        if (address.endsWith('f')) throw new Error('no token');
        return { ...token('c', 'WAX'), address };
      },
      ...more,
    }) as unknown as Chain;

  it('say which part could not be read, and keep the other', async () => {
    const away = async () => Promise.reject(new Error('away'));
    const noTokens = await readHoldings(chain({ tokenBalances: away }), OWNER, node, []);
    expect(noTokens.failed).to.deep.equal(['tokens']);
    expect(symbols(noTokens.held)).to.deep.equal(['TRX']);
    const noCoins = await readHoldings(chain({ balance: away }), OWNER, node, []);
    expect(noCoins.failed).to.deep.equal(['coins']);
    expect(symbols(noCoins.held)).to.deep.equal(['USDC']);
  });

  it('keep the tokens that could be read beside one that could not, and name it', async () => {
    const listed = tron([USDC, DAI]);
    const { tokenBalances } = chain({});
    const some = (owner: string, tokens: readonly Token[]) =>
      eachBalance(tokens, async (one) => {
        if (one === DAI) throw new ConnectError('node.unreachable', 'The node is over its limit.');
        return (await tokenBalances(owner, [one], listed))[0]!;
      });
    const now = await readHoldings(chain({ tokenBalances: some }), OWNER, listed, []);
    expect(symbols(now.held)).to.deep.equal(['TRX', 'USDC']);
    expect(now.failed).to.deep.equal([]);
    expect(now.unread).to.deep.equal([DAI]);
  });

  it('hold tokens that the wallet used, each once, without those that are listed or none', async () => {
    const used = ['0xCC', '0xcc', '0xff', USDC.address.toUpperCase().replace('X', 'x')];
    const { held: found } = await readHoldings(chain({}), OWNER, node, used);
    expect(symbols(found)).to.deep.equal(['TRX', 'USDC', 'WAX']);
  });
});
