import { sha256 } from '@noble/hashes/sha2.js';
import { expect } from '@open-wc/testing';
import { bytesOf, hexDigits, hexOf, utf8 } from '../../../../src/base/bytes.ts';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { NOBODY } from '../../../../src/chains/contracts/calls.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import type { Network } from '../../../../src/chains/network.ts';
import type { Draft } from '../../../../src/chains/terms.ts';
import { addressOf, toEvm } from '../../../../src/chains/tron/address.ts';
import { decodeAddress } from '../../../../src/chains/utxo/address.ts';
import { dataScript } from '../../../../src/chains/utxo/script.ts';
import type { ThorchainEntry } from '../../../../src/swaps/cross-chain/thorchain/entry.ts';
import {
  type OrderTerms,
  readCallOrder,
  readOrder,
} from '../../../../src/swaps/cross-chain/thorchain/terms.ts';
import vectors from '../../../vectors/thorchain.vectors.json';

const OWN = 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu';
const VAULT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const TRON_VAULT = 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt';
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ETH_VAULT = checksum('0xb30ec53f98ff5947ede720d32ac2da7e52a5f56b');
const ROUTER = '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const RECIPIENT = '0x388C818CA8B9251b393131C08a736A67ccB19297';
const MEMO = `=:e:${RECIPIENT}:271000000`;

function network(secretType: Network['secretType']): Network {
  const tokens = [
    { address: USDC, symbol: 'USDC', name: 'Dollar', decimals: 6, logo: '' },
    { address: USDT, symbol: 'USDT', name: 'Dollar', decimals: 6, logo: '' },
  ];
  return { id: secretType.toLowerCase(), secretType, name: '', kind: 'mainnet', nodes: [], tokens };
}
const ENTRIES = [
  { name: 'THORChain', assets: ['bitcoin', 'ethereum', 'tron'].map((id) => ({ network: id, name: id })) },
] as unknown as ThorchainEntry[];

const scriptOf = (address: string): string => decodeAddress(BITCOIN, address)!.script;

type Output = { value: bigint; script: string };

function bitcoin(memo: string | Output[], to = VAULT): OrderTerms | undefined {
  const carried = typeof memo === 'string' ? [{ value: 0n, script: dataScript(hexOf(utf8(memo))) }] : memo;
  const outputs = [
    { value: 10_000_000n, script: scriptOf(VAULT) },
    { value: 5n, script: scriptOf(OWN) },
    ...carried,
  ];
  const draft = { secretType: 'BITCOIN', network: network('BITCOIN'), from: OWN, to, outputs };
  return readOrder(draft as unknown as Draft, ENTRIES);
}

function tron(contract: object, memo = MEMO): OrderTerms | undefined {
  const draft = { secretType: 'TRON', network: network('TRON'), contract, memo: hexOf(utf8(memo)) };
  return readOrder(draft as unknown as Draft, ENTRIES);
}

function deposit(asset: string, amount: bigint, { memo = MEMO, expiry = [1_800_000_000n] } = {}): string {
  const types = ['address', 'address', 'uint256', 'string', ...expiry.map(() => 'uint256')];
  const name = expiry.length ? 'depositWithExpiry' : 'deposit';
  return encodeCall(name, types, [ETH_VAULT, asset, amount, memo, ...expiry]);
}

function ethereum(data: string, value = 0n, to = ROUTER): OrderTerms | undefined {
  const call = { to, value, data };
  const read = readCallOrder(call, network('ETHEREUM'), ENTRIES);
  const draft = { secretType: 'ETHEREUM', network: network('ETHEREUM'), ...call };
  expect(readOrder(draft as unknown as Draft, ENTRIES)).to.deep.equal(read);
  return read;
}

const ORDER = {
  asset: 'ETH.ETH',
  recipient: RECIPIENT,
  refundTo: undefined,
  limit: 271_000_000n,
  streaming: undefined,
  affiliates: [],
};

describe('the order in a payment', () => {
  it('is read from the outputs of Bitcoin: the vault, what goes there, and the memo', () => {
    expect(bitcoin(MEMO)).to.deep.equal({
      exchange: 'THORChain',
      network: 'bitcoin',
      input: { raw: 10_000_000n, symbol: 'BTC', decimals: 8 },
      vault: VAULT,
      text: MEMO,
      memo: ORDER,
    });
  });

  it('can be kept by a browser', () => {
    expect(structuredClone(bitcoin(MEMO))).to.deep.equal(bitcoin(MEMO));
  });

  it('believes scripts only, not what the draft says of the recipient', () => {
    expect(bitcoin(MEMO, 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqtyr5qk')?.vault).to.equal(scriptOf(VAULT));
  });

  it('is found however the bytes are pushed, and in whatever case', () => {
    const hex = (text: string): string => hexOf(utf8(text)).slice(2);
    const size = MEMO.length.toString(16).padStart(2, '0');
    const half = MEMO.slice(0, 30);
    const rest = MEMO.slice(30);
    const output = (script: string): Output => ({ value: 0n, script });
    for (const outputs of [
      [output(`0x6a4c${size}${hex(MEMO)}`)],
      [output(`0x6a4d${size}00${hex(MEMO)}`)],
      [output(`0x6a4e${size}000000${hex(MEMO)}`)],
      [output(`0x6a00${size}${hex(MEMO)}`)],
      [output(`0x6a1e${hex(half)}${rest.length.toString(16)}${hex(rest)}`)],
      [output(dataScript(`0x${hex(half)}`)), output(dataScript(`0x${hex(rest)}`))],
    ])
      expect(bitcoin(outputs)?.memo, outputs[0]!.script).to.deep.equal(ORDER);
    for (const action of ['s', 'S', 'swap', 'SwAp'])
      expect(bitcoin(MEMO.replace('=', action))?.memo, action).to.deep.equal(ORDER);
  });

  it('is unreadable behind blanks, with what is no text, and of other kinds', () => {
    for (const [memo, part] of [
      [` ${MEMO}`, 'text'],
      [`\0\n${MEMO}`, 'text'],
      [`\ufeff${MEMO}`, 'text'],
      [`${MEMO}\u00e9`, 'text'],
      [MEMO.replace('=', '=<'), 'order'],
    ] as const)
      expect(bitcoin(memo)?.memo, memo).to.deep.equal({ unreadable: part });
    const [, ...broken] = utf8(`${MEMO}`);
    const script = dataScript(hexOf(Uint8Array.of(0x3d, ...broken, 0xff)));
    expect(bitcoin([{ value: 0n, script }])?.memo).to.deep.equal({ unreadable: 'text' });
  });

  it('is not in what merely accompanies a payment', () => {
    for (const memo of ['', 'thanks', 'order 7', '+:BTC.BTC', 'SWAPPED:e:0x'])
      expect(bitcoin(memo), memo).to.equal(undefined);
    expect(bitcoin([])).to.equal(undefined);
  });

  it('is read from coins and tokens of Tron', () => {
    const coins = tron({ kind: 'coin', to: TRON_VAULT, amount: 7n });
    expect(coins?.input).to.deep.equal({ raw: 7n, symbol: 'TRX', decimals: 6 });
    expect([coins?.vault, coins?.exchange, coins?.memo]).to.deep.equal([TRON_VAULT, 'THORChain', ORDER]);
    const data = encodeCall('transfer', ['address', 'uint256'], [toEvm(TRON_VAULT), 9n]);
    const tokens = tron({ kind: 'call', to: USDT, value: 0n, data });
    expect(tokens?.input).to.deep.equal({ raw: 9n, symbol: 'USDT', decimals: 6, token: USDT });
    expect(tokens?.vault).to.equal(TRON_VAULT);
    expect(tron({ kind: 'coin', to: TRON_VAULT, amount: 7n }, 'thanks')).to.equal(undefined);
  });

  it('is read from a deposit that another wallet has sent on Tron, and nothing else is in its bytes', () => {
    const { amount, data, hash, rawData, toAddress } = vectors.tronDeposit;
    expect(hexDigits(sha256(bytesOf(`0x${rawData}`)))).to.equal(hash);
    expect(rawData).to.include(`523a${data}`);
    const to = addressOf(bytesOf(`0x${toAddress}`));
    const memo = new TextDecoder().decode(bytesOf(`0x${data}`));
    const order = tron({ kind: 'coin', to, amount: BigInt(amount) }, memo);
    expect(order?.input.raw).to.equal(200_000_000n);
    expect(order?.vault).to.equal(to);
    expect(order?.memo).to.deep.include({
      asset: 'TRON.USDT',
      recipient: 'TNAwd1WFe7GHTxovGU9MeT6mi3J4KAZMvP',
      limit: 0n,
      affiliates: [{ name: 'g1', share: 50 }],
    });
  });

  it('moves nothing by another call of Tron, of which THORChain notices nothing', () => {
    const data = encodeCall(
      'transferFrom',
      ['address', 'address', 'uint256'],
      [toEvm(TRON_VAULT), ROUTER, 9n],
    );
    expect(tron({ kind: 'call', to: USDT, value: 0n, data })?.input.raw).to.equal(0n);
  });

  it('is read from deposits of coins and tokens at any contract', () => {
    const coins = ethereum(deposit(NOBODY, 0n), 5n);
    expect(coins).to.deep.equal({
      exchange: 'THORChain',
      network: 'ethereum',
      input: { raw: 5n, symbol: 'ETH', decimals: 18 },
      vault: ETH_VAULT,
      router: ROUTER,
      text: MEMO,
      memo: ORDER,
      expiry: 1_800_000_000n,
    });
    expect(ethereum(deposit(USDC, 8n))?.input).to.deep.equal({
      raw: 8n,
      symbol: 'USDC',
      decimals: 6,
      token: USDC,
    });
    expect(ethereum(deposit(USDC, 8n, { memo: 'ADD:ETH.ETH' }))?.memo).to.deep.equal({ unreadable: 'order' });
  });

  it('has no deadline in a deposit without one, and no vault where a contract could read another', () => {
    expect(ethereum(deposit(NOBODY, 1n, { expiry: [] }), 1n)).to.include({
      router: ROUTER,
      expiry: undefined,
    });
    const dirty = ethereum(`${deposit(NOBODY, 1n)}00`, 1n);
    expect([dirty?.vault, dirty?.memo]).to.deep.equal(['', { unreadable: 'order' }]);
  });

  it('is also the memo of coins that go to a vault without the router', () => {
    const plain = ethereum(hexOf(utf8(MEMO)), 5n, ETH_VAULT);
    expect([plain?.vault, plain?.router, plain?.memo]).to.deep.equal([ETH_VAULT, undefined, ORDER]);
    expect(ethereum('0x', 5n, ETH_VAULT)).to.equal(undefined);
    expect(ethereum(encodeCall('approve', ['address', 'uint256'], [ROUTER, 1n]))).to.equal(undefined);
  });

  it('is of no exchange on a network that none is listed for', () => {
    const call = { to: ROUTER, value: 5n, data: deposit(NOBODY, 0n) };
    expect(readCallOrder(call, { ...network('ETHEREUM'), id: 'custom' }, ENTRIES)?.exchange).to.equal(
      undefined,
    );
  });
});
