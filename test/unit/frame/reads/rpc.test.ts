import { expect } from '@open-wc/testing';
import { SigningKey } from 'ethers/crypto';
import { hashMessage } from 'ethers/hash';
import { computeAddress } from 'ethers/transaction';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { Networks } from '../../../../src/chains/network.ts';
import { MAX_PARAMS } from '../../../../src/channel/node-methods.ts';
import type { RpcAnswer } from '../../../../src/channel/messages.ts';
import { readParams } from '../../../../src/channel/read-schema.ts';
import type { HostRequest } from '../../../../src/channel/link.ts';
import type { ConnectError } from '../../../../src/base/errors.ts';
import type { NodeReader } from '../../../../src/frame/frame.ts';
import { read } from '../../../../src/frame/reads/reads.ts';
import { type Answers, fakeNode, NETWORK } from '../../chains/fake-node.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER = { ...NETWORK, id: 'other', name: 'Other', chainId: 5 };
const NAMED = { ...NETWORK, id: 'named', chainId: 7, nodes: [] };

function page(answers: Answers, more: Partial<Networks> = {}, origin = 'https://shop.example') {
  const clients: string[] = [];
  const chain = {
    node(network: typeof NETWORK) {
      clients.push(`${network.id} ${network.nodes.join()}`);
      return fakeNode(answers, network).node;
    },
  } as unknown as Chain;
  const tokens = [{ address: TOKEN, symbol: 'DUSD', name: 'Dollar', decimals: 6, logo: '' }];
  const frame = {
    link: { origin },
    networks: {
      customNodes: false,
      reported: [],
      networks: [{ ...NETWORK, tokens }, OTHER, NAMED],
      ...more,
    },
    chain: async () => chain,
  } as unknown as NodeReader;
  const ask = (method: string, params: unknown[] = [], where: object = {}): Promise<RpcAnswer> => {
    const all = readParams('rpc', { secretType: 'ETHEREUM', method, params, ...where });
    return new Promise((resolve, reject) => {
      void read(frame, { action: 'rpc', params: all, resolve, reject } as unknown as HostRequest);
    });
  };
  return { ask, clients };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    ({ code }: ConnectError) => code,
  );
}

describe('JSON-RPC for a page’s provider', () => {
  it('says who signed a message, in lower case', async () => {
    const { ask, clients } = page({});
    const key = new SigningKey(`0x${'11'.repeat(32)}`);
    const { serialized } = key.sign(hashMessage('Hello'));
    const signer = computeAddress(key).toLowerCase();
    expect(await ask('carabiner_signer', ['0x48656c6c6f', serialized])).to.deep.equal({ result: signer });
    for (const params of [
      ['Hello', serialized],
      ['0x48', '0x99'],
      ['0x48'],
      ['0x48', `0x${'ff'.repeat(65)}`],
    ])
      expect(await codeOf(ask('carabiner_signer', params))).to.equal('request.invalid');
    expect(clients).to.deep.equal([]);
  });

  it('goes to the network’s own nodes, whose refusals are answers', async () => {
    const reverted = Object.assign(new Error('execution reverted'), { cause: '0x08c379a0' });
    const { ask, clients } = page({ eth_chainId: '0x7a69', eth_gasPrice: '0x1', eth_call: reverted });
    expect(await ask('eth_gasPrice')).to.deep.equal({ result: '0x1' });
    expect(await ask('eth_call', [{ to: TOKEN }, 'latest'])).to.deep.equal({
      error: { code: 3, message: 'execution reverted', data: '0x08c379a0' },
    });
    // One client, so that a node is asked for its chain id once.
    expect(clients).to.deep.equal(['ethereum-local http://one.example']);
    // It answers for the chain id of the first network.
    expect(await codeOf(ask('eth_gasPrice', [], { network: 'other' }))).to.equal('node.unreachable');
    expect(await codeOf(ask('eth_gasPrice', [], { network: 'unknown' }))).to.equal('chain.not-supported');
  });

  it('names the networks that have nodes, and the tokens that they list', async () => {
    const { ask } = page({});
    const networks = [
      { id: 'ethereum-local', chainId: 31337, name: 'Local Ethereum', kind: 'local' },
      { id: 'other', chainId: 5, name: 'Other', kind: 'local' },
    ];
    expect(await ask('carabiner_networks')).to.deep.equal({
      result: { networks, customNodes: false, portable: true },
    });
    expect(await ask('carabiner_listed', [TOKEN.toLowerCase()])).to.deep.equal({ result: true });
    expect(await ask('carabiner_listed', [TOKEN], { network: 'other' })).to.deep.equal({ result: false });
  });

  it('says of other chains which networks there are, and asks their nodes nothing', async () => {
    const { chainId: _, ...tron } = { ...NETWORK, id: 'tron', secretType: 'TRON' as const, genesis: '00ab' };
    const { ask, clients } = page({}, { networks: [tron] });
    const { result } = (await ask('carabiner_networks', [], { secretType: 'TRON' })) as { result: object };
    expect(JSON.parse(JSON.stringify(result))).to.deep.equal({
      networks: [{ id: 'tron', genesis: '00ab', name: NETWORK.name, kind: 'local' }],
      customNodes: false,
      portable: true,
    });
    expect(await codeOf(ask('eth_gasPrice', [], { secretType: 'TRON' }))).to.equal('request.invalid');
    expect(clients).to.deep.equal([]);
  });

  it('makes no transactions for external wallets that make them themselves', async () => {
    const { ask } = page({});
    expect(await codeOf(ask('carabiner_unsigned', [{}, TOKEN]))).to.equal('chain.not-supported');
  });

  it('asks the page’s own node only where the operator allows that', async () => {
    const custom = { name: 'Five', nodeUrl: 'https://five.example/', chainId: 31337 };
    const answers = { eth_chainId: '0x7a69', eth_blockNumber: '0x10' };
    expect(await codeOf(page(answers).ask('eth_blockNumber', [], { custom }))).to.equal('request.invalid');
    const { ask, clients } = page(answers, { customNodes: true });
    expect(await ask('eth_blockNumber', [], { custom })).to.deep.equal({ result: '0x10' });
    expect(clients).to.deep.equal(['custom https://five.example/']);
    const own = { ...custom, nodeUrl: 'http://localhost:8545/' };
    expect(await codeOf(ask('eth_blockNumber', [], { custom: own }))).to.equal('request.invalid');
    const onMachine = page(answers, { customNodes: true }, 'http://localhost:5173');
    expect(await onMachine.ask('eth_blockNumber', [], { custom: own })).to.deep.equal({ result: '0x10' });
  });

  it('takes only listed methods, of a bounded size', () => {
    const params = { secretType: 'ETHEREUM', method: 'eth_call', params: [] as unknown[] };
    expect(() => readParams('rpc', params)).not.to.throw();
    for (const method of [
      'eth_sendRawTransaction',
      'eth_sign',
      'debug_traceCall',
      'anvil_setBalance',
      'eth_newFilter',
    ])
      expect(() => readParams('rpc', { ...params, method }), method).to.throw(/^method: /);
    expect(() => readParams('rpc', { ...params, secretType: 'NONE' })).to.throw(/^secretType: /);
    const large = 'a'.repeat(MAX_PARAMS);
    expect(() => readParams('rpc', { ...params, params: [large] })).to.throw(/^params: must be at most/);
    expect(() => readParams('rpc', { ...params, params: Array.from({ length: 9 }) })).to.throw(/^params: /);
  });
});
