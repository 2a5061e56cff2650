import { expect } from '@open-wc/testing';
import type { Node } from '../../../../src/chains/terms.ts';
import { ensRecord, namehash, UNIVERSAL_RESOLVER } from '../../../../src/chains/names/registers.ts';
import { aensAddress } from '../../../../src/chains/names/registers.ts';
import { lookUp, NameProblem, normalized } from '../../../../src/chains/names/look-up.ts';
import { BITCOIN } from '../../../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../../../src/chains/litecoin/profile.ts';
import { addressOfRecord, FORMS } from '../../../../src/chains/names/records.ts';
import { RESOLVERS, vetAddress } from '../../../../src/chains/names/registers.ts';
import type { Network } from '../../../../src/chains/network.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import vectors from '../../../vectors/ensip15.vectors.json' with { type: 'json' };

const ADA = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const word = (hex: string): string => hex.padStart(64, '0');
const packed = (hex: string): string =>
  word((hex.length / 2).toString(16)) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
/** `(bytes, address)`, as the Universal Resolver answers. */
const answer = (result: string): string => `0x${word('40')}${word('aa')}${packed(result)}`;

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof NameProblem) return [error.reason, error.where].filter(Boolean).join(': ');
    return (error as { code?: string }).code ?? String(error);
  }
  return 'an address';
}

function network(secretType: SecretType, more: Partial<Network> = {}): Network {
  const name = `${secretType.toLowerCase()} net`;
  return { id: name, secretType, name, kind: 'mainnet', nodes: ['https://n.example'], tokens: [], ...more };
}

/** A node whose answer to the call is given, or thrown. */
function rpcNode(reply: unknown, at = network('ETHEREUM', { chainId: 1 })) {
  const calls: { to: string; data: string }[] = [];
  const call = async (_method: string, params: { to: string; data: string }) => {
    calls.push(params);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return { calls, node: { network: at, host: '', rounds: 0, call } as unknown as Node };
}

const rpcError = (data: string | undefined, message = 'execution reverted'): Error =>
  Object.assign(new Error(message), { name: 'RpcError', data });

describe('a name is normalised as ENSIP-15 says', () => {
  for (const { name, norm, error, comment } of vectors.vectors as {
    name: string;
    norm?: string;
    error?: boolean;
    comment: string;
  }[])
    it(`${comment}: ${JSON.stringify(name)}`, async () => {
      if (error) expect(await reasonOf(normalized(name))).to.equal('form');
      else expect(await normalized(name)).to.equal(norm);
    });
});

describe('ENS', () => {
  // https://eips.ethereum.org/EIPS/eip-137#namehash-algorithm (CC0)
  it('hashes names as EIP-137 does', () => {
    expect(namehash('eth')).to.equal('0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae');
    expect(namehash('foo.eth')).to.equal(
      '0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f',
    );
  });

  it('is asked once, for the name in DNS form and its address', async () => {
    const { node, calls } = rpcNode(answer(word(ADA.slice(2))));
    expect(await ensRecord(node, 'foo.eth', 60)).to.equal(ADA.slice(2).toLowerCase());
    const hash = namehash('foo.eth').slice(2);
    expect(calls).to.deep.equal([
      {
        to: UNIVERSAL_RESOLVER,
        data: `0x9061b923${word('40')}${word('80')}${packed('03666f6f0365746800')}${packed(`3b3b57de${hash}`)}`,
      },
    ]);
  });

  it('is asked for the coin type of another chain, and never gives Ether’s address for it', async () => {
    const script = '001462e907b15cbf27d5425399ebf6f0fb50ebb88f18';
    const { node, calls } = rpcNode(answer(word('20') + packed(script)));
    expect(await ensRecord(node, 'foo.eth', 2)).to.equal(script);
    expect(calls[0]!.data).to.include(`f1cb7e06${namehash('foo.eth').slice(2)}${word('2')}`);
    const none = rpcNode(answer(word('20') + word('0')));
    expect(await reasonOf(ensRecord(none.node, 'foo.eth', 2))).to.equal('unknown');
  });

  for (const [what, reply, reason] of [
    ['no record', answer(word('0')), 'unknown'],
    ['no resolver', rpcError('0x77209fe8'), 'unknown'],
    ['a revert without data', rpcError(undefined), 'unknown'],
    ['a name that a gateway keeps', rpcError(`0x556f1830${word('20')}`), 'gateway'],
    ['a network without the contract', '0x', 'no-registry: ethereum net'],
    ['a node that cannot answer', rpcError(undefined, 'header not found'), 'node.unreachable'],
    ['an answer that is none', answer(word('1')).slice(0, 100), 'node.unreachable'],
    ['no bytes at all', null, 'node.unreachable'],
    ['an address behind other bytes', answer(`01${word(ADA.slice(2)).slice(2)}`), 'node.unreachable'],
    ['bytes behind an address', answer(`${word(ADA.slice(2))}00`), 'node.unreachable'],
    ['bytes behind the answer', `${answer(word(ADA.slice(2)))}00`, 'node.unreachable'],
  ] as const)
    it(`says of ${what}: ${reason}`, async () => {
      expect(await reasonOf(ensRecord(rpcNode(reply).node, 'foo.eth', 60))).to.equal(reason);
    });

  it('takes no address of another chain from a record that is not written as the ABI says', async () => {
    const script = '001462e907b15cbf27d5425399ebf6f0fb50ebb88f18';
    const padded = packed(script);
    for (const record of [`${word('20')}${padded.slice(0, -1)}1`, `${word('40')}${word('0')}${padded}`])
      expect(await reasonOf(ensRecord(rpcNode(answer(record)).node, 'foo.eth', 2))).to.equal(
        'node.unreachable',
      );
  });
});

describe('an address record', () => {
  // Examples of ENSIP-9 (https://docs.ens.domains/ensip/9, CC0).
  for (const [secretType, record, address] of [
    ['BITCOIN', '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['BITCOIN', 'a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1887', '3Ai1JZ8pdJb2ksieUV8FsxSNVJCpoPi8W6'],
    ['BITCOIN', '0014751e76e8199196d454941c45d1b3a323f1433bd6', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['LITECOIN', '76a914a5f4d12ce3685781b227c1f39548ddef429e978388ac', 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'],
  ] as const)
    it(`of ${secretType} is read: ${record.slice(0, 12)}…`, async () => {
      expect(await addressOfRecord(record, network(secretType))).to.equal(address);
    });

  it('of another form is none', async () => {
    for (const script of ['00', `0014${'00'.repeat(32)}`, `5114${'00'.repeat(20)}`])
      expect(await addressOfRecord(script, network('BITCOIN')), script).to.equal(undefined);
  });

  it('has the forms of the chains’ own parameters', () => {
    for (const { secretType, hrp, p2pkh, p2sh } of [BITCOIN, LITECOIN])
      expect(FORMS[secretType]).to.deep.equal({ hrp, p2pkh, p2sh });
  });
});

describe('a .vet name', () => {
  const at = network('VECHAIN');
  const node = (data: unknown, reverted = false, where = at) => {
    const posts: unknown[] = [];
    const post = async (path: string, body: unknown) => {
      posts.push([path, body]);
      return [{ data, reverted }];
    };
    return { posts, node: { network: where, host: '', rounds: 0, post } as unknown as Node };
  };
  const found = `0x${word('20')}${word('1')}${word(ADA.slice(2))}`;

  it('is asked of the contract of its network', async () => {
    const { node: asked, posts } = node(found);
    expect(await vetAddress(asked, 'ada.vet')).to.equal(ADA.toLowerCase());
    const data = `0xcffe244a${word('20')}${word('1')}${word('20')}${packed('6164612e766574')}`;
    expect(posts).to.deep.equal([
      ['/accounts/*?revision=best', { clauses: [{ to: RESOLVERS.mainnet, value: '0x0', data }] }],
    ]);
  });

  it('without an address, contract or sense is none', async () => {
    expect(
      await reasonOf(vetAddress(node(found.replace(ADA.slice(2), '0'.repeat(40))).node, 'a.vet')),
    ).to.equal('unknown');
    expect(await reasonOf(vetAddress(node('0x', true).node, 'a.vet'))).to.equal('unknown');
    expect(await reasonOf(vetAddress(node('0x').node, 'a.vet'))).to.equal('no-registry: vechain net');
    expect(await reasonOf(vetAddress(node('0x12').node, 'a.vet'))).to.equal('node.unreachable');
    const local = network('VECHAIN', { kind: 'local' });
    expect(await reasonOf(vetAddress(node(found, false, local).node, 'a.vet'))).to.equal(
      'no-registry: vechain net',
    );
  });
});

describe('a .chain name', () => {
  const AK = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
  const node = (reply: unknown) => {
    const gets: string[] = [];
    const get = async (path: string, read: (answer: unknown) => unknown) => {
      gets.push(path);
      if (reply instanceof Error) throw reply;
      return read(reply);
    };
    return { gets, node: { network: network('AETERNITY'), host: '', rounds: 0, get } as unknown as Node };
  };

  it('is the account that it points to', async () => {
    const pointers = [
      { key: 'oracle_pubkey', id: 'ok_1' },
      { key: 'account_pubkey', id: AK },
    ];
    const { node: asked, gets } = node({ pointers });
    expect(await aensAddress(asked, 'Ada.chain')).to.equal(AK);
    expect(gets).to.deep.equal(['/v3/names/ada.chain']);
  });

  it('without an account, or against the rules, is none', async () => {
    expect(await reasonOf(aensAddress(node({ pointers: [] }).node, 'ada.chain'))).to.equal('unknown');
    const other = await aensAddress(node({ message: 'Welcome' }).node, 'ada.chain').catch((e: unknown) => e);
    expect(other, 'not a node’s answer').to.be.instanceOf(TypeError);
    const gone = Object.assign(new Error(), { name: 'RestError', status: 404 });
    expect(await reasonOf(aensAddress(node(gone).node, 'ada.chain'))).to.equal('unknown');
    for (const name of [
      'a.b.chain',
      '-a.chain',
      'a-.chain',
      'ab--c.chain',
      'аda.chain',
      '💩.chain',
      'a/../b.chain',
    ])
      expect(await reasonOf(aensAddress(node({}).node, name)), name).to.equal('form');
  });
});

describe('looking a name up', () => {
  const ethereum = network('ETHEREUM', { chainId: 1, id: 'main' });
  const networks = (...all: Network[]) => ({ customNodes: false, reported: [], networks: all });
  const directory = (reply: unknown, all: Network[]) => {
    const asked: string[] = [];
    const calls: { to: string; data: string }[] = [];
    return {
      asked,
      calls,
      networks: networks(...all),
      async node(at: Network) {
        asked.push(at.id);
        const made = rpcNode(reply, at);
        made.calls.push = (...more) => calls.push(...more);
        return made.node;
      },
    };
  };

  it('answers the normalised name, the address as it is shown, and the network of the register', async () => {
    const at = directory(answer(word(ADA.slice(2).toLowerCase())), [ethereum]);
    expect(await lookUp(' Ada.eth ', ethereum, at)).to.deep.equal({
      name: 'ada.eth',
      address: ADA,
      network: 'ethereum net',
    });
  });

  it('asks Ethereum for the address on another chain, and on a network on top of it', async () => {
    const vechain = network('VECHAIN');
    const base = network('ETHEREUM', { chainId: 8453, id: 'base', name: 'Base' });
    const at = directory(answer(word('20') + packed(ADA.slice(2).toLowerCase())), [base, ethereum, vechain]);
    expect((await lookUp('ada.eth', vechain, at)).address).to.equal(ADA);
    expect((await lookUp('ada.eth', base, at)).address).to.equal(ADA);
    expect(at.asked).to.deep.equal(['main', 'main']);
    expect(at.calls[0]!.data).to.include(word((818).toString(16)));
    expect(at.calls[1]!.data).to.include(word((0x80000000 + 8453).toString(16)));
  });

  it('reads Tron’s records, whose bytes are the whole address', async () => {
    const record = '418840e6c55b9ada326d211d818c34a994aeced808';
    const at = directory(answer(word('20') + packed(record)), [ethereum]);
    const { address } = await lookUp('ada.eth', network('TRON'), at);
    expect(address).to.equal('TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL');
    const hex = directory(answer(word('20') + packed(ADA.slice(2).toLowerCase())), [ethereum]);
    expect(await reasonOf(lookUp('ada.eth', network('TRON'), hex))).to.equal('unknown');
  });

  it('refuses by name what has no register, and names of another chain', async () => {
    const at = directory('0x', [ethereum]);
    const test = network('BITCOIN', { kind: 'testnet', name: 'Bitcoin testnet' });
    expect(await reasonOf(lookUp('ada.eth', test, at))).to.equal('no-registry: Bitcoin testnet');
    expect(await reasonOf(lookUp('ada.eth', network('AETERNITY'), at))).to.equal(
      'no-registry: aeternity net',
    );
    expect(await reasonOf(lookUp('ada.vet', ethereum, at))).to.equal('other-chain: VeChain');
    expect(await reasonOf(lookUp('ada.chain', network('TRON'), at))).to.equal('other-chain: Aeternity');
    expect(at.asked).to.deep.equal([]);
  });
});
