import { expect } from '@open-wc/testing';
import { networkFor } from '../../../src/chains/nodes/network-choice.ts';
import {
  type CustomNetwork,
  activeNetwork,
  isCustom,
  networkOf,
  networkOn,
  networksOf,
  nodeUrl,
  parseNetworks,
  splitNetwork,
  usableNetworks,
} from '../../../src/chains/nodes/networks.ts';
import { loadChain, loadPayloads, SECRET_TYPES, secretTypeOf } from '../../../src/chains/index.ts';
import type { Network } from '../../../src/chains/network.ts';
import { chainName } from '../../../src/chains/evm/well-known.ts';
import { RequestInvalidError } from '../../../src/base/errors.ts';

const local = {
  id: 'ethereum-local',
  secretType: 'ETHEREUM',
  name: 'Local Ethereum',
  kind: 'local',
  chainId: 31337,
  nodes: ['http://127.0.0.1:8545'],
};
const mainnet = {
  id: 'ethereum',
  secretType: 'ETHEREUM',
  name: 'Ethereum mainnet',
  kind: 'mainnet',
  chainId: 1,
  nodes: [],
  tokens: [{ address: `0x${'a'.repeat(40)}`, symbol: 'USDC', name: 'USD Coin', decimals: 6 }],
};
const closed = parseNetworks({ networks: [mainnet, local] });
const open = parseNetworks({ customNodes: true, networks: [mainnet, local] });
const PAGE = 'https://shop.example';

function refusal(work: () => unknown): { path: string; message: string } {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(RequestInvalidError);
    return (error as RequestInvalidError).issues[0]!;
  }
  throw new Error('was not refused');
}

describe('networks', () => {
  it('says what is wrong in a networks.json', () => {
    expect(() => parseNetworks({ networks: [{ ...local, nodes: ['nonsense'] }] })).to.throw(
      /networks\.0\.nodes/,
    );
    expect(parseNetworks(JSON.stringify({ networks: [local] })).networks).to.have.length(1);
  });

  it('uses the first network of a chain that has nodes', () => {
    expect(activeNetwork(closed, 'ETHEREUM').id).to.equal('ethereum-local');
    expect(() => activeNetwork(closed, 'TRON')).to.throw(/no node for Tron/);
  });

  it('has a wallet on every network of its kind with nodes, its default first; on Bitcoin and Litecoin on one', () => {
    const all = parseNetworks({
      networks: SECRET_TYPES.flatMap((secretType) =>
        ['a', 'b', 'c', 'off'].map((name, index) => ({
          ...local,
          id: `${secretType}-${name}`,
          secretType,
          chainId: index + 1,
          genesis: '0x00',
          nodes: name === 'off' ? [] : local.nodes,
        })),
      ),
    });
    for (const secretType of SECRET_TYPES) {
      const isOnOne = secretType === 'BITCOIN' || secretType === 'LITECOIN';
      const ids = (network?: string) =>
        networksOf(all, { secretType, network }).map(({ id }) => id.slice(-1));
      expect(ids(), secretType).to.deep.equal(isOnOne ? ['a'] : ['a', 'b', 'c']);
      expect(ids(`${secretType}-b`), secretType).to.deep.equal(isOnOne ? ['b'] : ['b', 'a', 'c']);
      expect(ids('gone'), secretType).to.deep.equal(isOnOne ? [] : ['a', 'b', 'c']);
      for (const other of SECRET_TYPES)
        for (const name of ['a', 'c', 'off', 'none']) {
          const read = () => networkOn(all, { secretType }, `${other}-${name}`).id;
          const isOn = other === secretType && (name === 'a' || (name === 'c' && !isOnOne));
          if (isOn) expect(read()).to.equal(`${other}-${name}`);
          else expect(refusal(read), `${secretType} ${other}-${name}`).to.include({ path: 'network' });
        }
      expect(networkOn(all, { secretType, network: `${secretType}-b` }, null).id).to.equal(`${secretType}-b`);
    }
  });

  it('takes a network’s id out of a request, and leaves a site’s own node in it', () => {
    const custom = { name: 'Mine', nodeUrl: 'https://node.example' };
    expect(splitNetwork({ to: 'x', network: 'base' })).to.deep.equal({
      networkId: 'base',
      body: { to: 'x' },
    });
    expect(splitNetwork({ to: 'x', network: custom })).to.deep.equal({
      networkId: undefined,
      body: { to: 'x', network: custom },
    });
    expect(splitNetwork({ to: 'x' })).to.deep.equal({ networkId: undefined, body: { to: 'x' } });
  });

  it('keeps a wallet’s default network, and the first for one that names none', () => {
    const sepolia = { ...local, id: 'ethereum-sepolia', kind: 'testnet', chainId: 11155111 };
    const several = parseNetworks({ networks: [mainnet, local, sepolia] });
    expect(usableNetworks(several, 'ETHEREUM').map(({ id }) => id)).to.deep.equal([local.id, sepolia.id]);
    expect(networkOf(several, { secretType: 'ETHEREUM' }).id).to.equal(local.id);
    expect(networkOf(several, { secretType: 'ETHEREUM', network: sepolia.id }).id).to.equal(sepolia.id);
    expect(networkFor(several, { secretType: 'ETHEREUM', network: sepolia.id }, undefined, PAGE).id).to.equal(
      sepolia.id,
    );
    for (const [secretType, network] of [
      ['ETHEREUM', 'vanished'],
      ['ETHEREUM', mainnet.id],
      ['TRON', sepolia.id],
    ] as const)
      expect(() => networkOf(several, { secretType, network })).to.throw(
        new RegExp(`networks.json.*“${network}”`),
      );
  });

  it('takes a node from a request only where the operator allows it', () => {
    const choice = { name: 'Test', nodeUrl: 'https://node.example/rpc', chainId: 1 };
    expect(networkFor(closed, { secretType: 'ETHEREUM' }, null, PAGE).id).to.equal('ethereum-local');
    expect(refusal(() => networkFor(closed, { secretType: 'ETHEREUM' }, choice, PAGE)).path).to.equal(
      'network',
    );
    expect(refusal(() => networkFor(open, { secretType: 'BITCOIN' }, choice, PAGE)).message).to.contain(
      'only supported for ETHEREUM',
    );
    const network = networkFor(open, { secretType: 'ETHEREUM' }, choice, PAGE);
    expect(isCustom(network)).to.equal(true);
    expect(network.nodes).to.deep.equal(['https://node.example/rpc']);
    expect(
      network.tokens.map((t) => t.symbol),
      'tokens of the real chain id',
    ).to.deep.equal(['USDC']);
  });

  it('takes a node on the user’s machine only for pages on it, or if it is listed', () => {
    const ask = (nodeUrl: string, origin: string | undefined) =>
      networkFor(open, { secretType: 'ETHEREUM' }, { name: 'Test', nodeUrl }, origin);
    for (const host of [
      'localhost',
      'LOCALHOST.',
      'node.localhost',
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '127.255.0.9',
      '0.0.0.0',
      '0',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:0.0.0.0]',
      '[::127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      'ip6-localhost',
      'ip6-loopback',
      'localhost6',
      'localhost.localdomain',
    ])
      for (const url of [`http://${host}:8546/`, `https://${host}/rpc`]) {
        expect(
          refusal(() => ask(url, PAGE)),
          url,
        ).to.deep.equal({
          path: 'network.nodeUrl',
          message: 'is on this machine, where only pages on it may name a node',
        });
        for (const page of [
          'http://localhost:5173',
          'http://shop.localhost',
          'http://127.0.0.1:8080',
          undefined,
        ])
          expect(ask(url, page).nodes, page).to.deep.equal([new URL(url).href]);
      }
    for (const host of [
      'node.example',
      'localhost.example',
      '128.0.0.1',
      '[::2]',
      '[64:ff9b::1]',
      '127.example',
    ])
      expect(ask(`https://${host}/`, PAGE).nodes).to.have.length(1);
    expect(ask(local.nodes[0]!, PAGE).nodes).to.deep.equal([new URL(local.nodes[0]!).href]);
    expect(refusal(() => ask(`${local.nodes[0]}other`, PAGE)).path).to.equal('network.nodeUrl');
  });

  it('gives a node that the site chose the coin and lowest tip of the listed network with its chain id', () => {
    const polygon = { ...local, id: 'polygon', chainId: 137, coin: { symbol: 'POL' }, minTip: '25000000000' };
    const networks = parseNetworks({ customNodes: true, networks: [local, polygon] });
    const at = (chainId: number | null) =>
      networkFor(
        networks,
        { secretType: 'ETHEREUM' },
        { name: 'Any', nodeUrl: 'https://node.example', chainId },
        PAGE,
      );
    expect(at(137)).to.deep.include({ coin: { symbol: 'POL' }, minTip: '25000000000' });
    expect(at(null)).to.not.have.any.keys('coin', 'minTip');
    const { named } = at(null) as CustomNetwork;
    expect(named).to.deep.equal(networks.networks);
  });

  it('needs the signed id of every network with nodes', () => {
    for (const [secretType, field, id] of [
      ['ETHEREUM', 'chainId', 1],
      ['GOCHAIN', 'chainId', 60],
      ['VECHAIN', 'genesis', `0x${'00'.repeat(31)}4a`],
      ['AETERNITY', 'genesis', 'ae_uat'],
    ] as const) {
      const bare = { id: 'n', secretType, name: 'N', kind: 'testnet', nodes: ['https://node.example'] };
      expect(() => parseNetworks({ networks: [bare] }), secretType).to.throw(
        new RegExp(`networks\\.0\\.${field}`),
      );
      expect(() => parseNetworks({ networks: [{ ...bare, nodes: [] }] })).not.to.throw();
      expect(() => parseNetworks({ networks: [{ ...bare, [field]: id }] })).not.to.throw();
    }
  });

  it('refuses node addresses that no page should send', () => {
    for (const [text, message] of [
      ['ftp://node.example', 'https://'],
      ['javascript:alert(1)', 'https://'],
      ['wss://node.example', 'https://'],
      ['https://user:secret@node.example', 'user name'],
      ['node.example', 'full URL'],
      ['', 'full URL'],
    ] as const) {
      const issue = refusal(() => nodeUrl(text));
      expect(issue.path).to.equal('network.nodeUrl');
      expect(issue.message).to.contain(message);
    }
    expect(nodeUrl('http://127.0.0.1:8545').host).to.equal('127.0.0.1:8545');
  });

  it('names a chain id itself, whatever a site calls it', () => {
    const [known] = parseNetworks({ networks: [local] }).networks as [Network];
    expect(chainName(1)?.name).to.equal('Ethereum mainnet');
    expect(chainName(1, [{ ...known, chainId: 1, name: 'Toy net' }])?.kind).to.equal('mainnet');
    const named = { ...known, chainId: 31337, name: 'Harbour' };
    expect(chainName(31337, [named])?.name).to.equal('Harbour');
    expect(chainName(31337, [{ ...named, coin: { symbol: 'HBR' } }])?.symbol).to.equal('HBR');
    expect(chainName(987654321)).to.equal(undefined);
  });

  it('knows the chain of every native type, and which chains are there', async () => {
    expect(secretTypeOf('ETH_TRANSACTION')).to.equal('ETHEREUM');
    expect(secretTypeOf('TRANSFER')).to.equal(undefined);
    expect(secretTypeOf('constructor')).to.equal(undefined);
    expect((await loadChain('ETHEREUM')).slip44).to.equal(60);
    expect((await loadPayloads('ETHEREUM')).transactions).to.have.property('ETH_TRANSACTION');
    for (const load of [loadChain, loadPayloads]) {
      for (const type of SECRET_TYPES) expect(await load(type)).to.be.an('object');
      for (const type of ['NEO', 'constructor']) {
        const error = await load(type as 'ETHEREUM').catch((e) => e);
        expect(error.code).to.equal('chain.not-supported');
      }
    }
  });
});
