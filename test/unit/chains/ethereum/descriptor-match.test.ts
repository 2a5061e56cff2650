/** Which contracts the operator's words are for: only those whose code the node has as it is listed. */
import { expect } from '@open-wc/testing';
import { keccak256 } from 'ethers/crypto';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { NOTHING_KNOWN } from '../../../../src/chains/approval/known.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import type { DescriptorEntry } from '../../../../src/chains/descriptors/descriptor.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { networkFor } from '../../../../src/chains/nodes/network-choice.ts';
import { parseNetworks } from '../../../../src/chains/nodes/networks.ts';
import { ethereum, ethereumPayloads as payloads } from '../../../families.ts';
import { type Answers, type Asked, fakeNode, NETWORK, QUIET } from '../fake-node.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(ethereum, payloads);
const ME = `0x${'ab'.repeat(20)}`;
const POOL = `0x${'70'.repeat(20)}`;
const LOGIC = `0x${'71'.repeat(20)}`;
const [CODE, LOGIC_CODE] = ['0x6001', '0x6002'];
const SHA256 = 'ab'.repeat(32);
const NONE = `0x${'0'.repeat(64)}`;
const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const UNKNOWN = encodeCall('claimReward77', ['uint256'], [5n]);
const slotOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;

const entry: DescriptorEntry = {
  file: 'pool.json',
  sha256: SHA256,
  address: POOL,
  codeHash: keccak256(CODE),
};
const proxy: DescriptorEntry = {
  ...entry,
  implementation: { address: LOGIC, codeHash: keccak256(LOGIC_CODE) },
};
const on = (...descriptors: DescriptorEntry[]): Network => ({ ...NETWORK, descriptors });

/** A node with the pool's code, and what is in its slots. */
const having = (slots: Record<string, string> = {}, more: Answers = {}): Answers => ({
  ...QUIET,
  eth_getCode: ({ params: [address] }: Asked) => ({ [POOL]: CODE, [LOGIC]: LOGIC_CODE })[address] ?? '0x',
  eth_getStorageAt: ({ params: [, slot] }: Asked) => slots[slot] ?? NONE,
  ...more,
});
const pointing = (to: string): Record<string, string> => ({
  [slotNamed('eip1967.proxy.implementation')]: slotOf(to),
});

/** As the standard derives it: the hash of the name, less one. */
function slotNamed(name: string): string {
  const hash = BigInt(keccak256(new TextEncoder().encode(name)));
  return `0x${(hash - 1n).toString(16).padStart(64, '0')}`;
}

async function summaryOf(
  network: Network,
  answers: Answers,
  data = UNKNOWN,
): Promise<Summary & { requests: string[][] }> {
  const { node, requests } = fakeNode(answers, network);
  const request = {
    type: 'ETH_TRANSACTION',
    walletId: 'w',
    to: POOL,
    value: 0,
    data,
  };
  return { ...(await chain.describe(await chain.prepare(request, ME, node, NOTHING_KNOWN))), requests };
}

const describedBy = async (network: Network, answers: Answers): Promise<string | undefined> =>
  (await summaryOf(network, answers)).call!.descriptor;

describe('the words that an operator lists for a contract', () => {
  it('are for its code', async () => {
    expect(await describedBy(on(entry), having())).to.equal(SHA256);
    const upper = { ...entry, address: POOL.toUpperCase().replace('0X', '0x'), codeHash: entry.codeHash };
    expect(await describedBy(on(upper), having())).to.equal(SHA256);
  });

  it('are for what a proxy runs, too', async () => {
    expect(await describedBy(on(proxy), having(pointing(LOGIC)))).to.equal(SHA256);
    const later = { ...proxy, sha256: 'cd'.repeat(32), implementation: { address: ME, codeHash: NONE } };
    expect(await describedBy(on(later, proxy), having(pointing(LOGIC)))).to.equal(SHA256);
  });

  const others: [string, Network, Answers][] = [
    ['another contract', on({ ...entry, address: LOGIC }), having()],
    ['other code', on({ ...entry, codeHash: keccak256('0x6003') }), having()],
    ['a contract that has become a proxy', on(entry), having(pointing(LOGIC))],
    ['a proxy that has become none', on(proxy), having()],
    ['a proxy that runs another contract', on(proxy), having(pointing(ME))],
    [
      'a proxy whose implementation has other code',
      on({ ...proxy, implementation: { address: LOGIC, codeHash: keccak256(CODE) } }),
      having(pointing(LOGIC)),
    ],
    [
      'an implementation without code',
      on({ ...proxy, implementation: { address: ME, codeHash: keccak256('0x') } }),
      having(pointing(ME)),
    ],
    ['a proxy by a beacon', on(entry), having({ [BEACON]: slotOf(LOGIC) })],
    ['slots that the node does not tell', on(entry), having({}, { eth_getStorageAt: new Error('no') })],
    ['slots that are nonsense', on(entry), having({}, { eth_getStorageAt: '0x' })],
    [
      'an account that runs another’s code',
      on({ ...entry, codeHash: keccak256(`0xef0100${LOGIC.slice(2)}`) }),
      having({}, { eth_getCode: `0xef0100${LOGIC.slice(2)}` }),
    ],
  ];
  for (const [name, network, answers] of others)
    it(`are not for ${name}`, async () => {
      expect(await describedBy(network, answers)).to.equal(undefined);
    });

  it('name the slots of the standard', () => {
    expect(slotNamed('eip1967.proxy.beacon')).to.equal(BEACON);
  });

  it('change nothing that the wallet finds itself, and cost no round trip', async () => {
    const plain = await summaryOf(NETWORK, having());
    const worded = await summaryOf(on(entry), having());
    expect(worded.warnings).to.deep.equal(plain.warnings);
    expect(worded.warnings.find(({ code }) => code === 'unknown-call')).to.include({
      level: 'danger',
      tick: true,
    });
    expect({ ...worded.call, descriptor: undefined }).to.deep.equal({ ...plain.call, descriptor: undefined });
    expect(worded.requests).to.have.length(plain.requests.length);
    expect(plain.requests.flat()).to.not.include('eth_getStorageAt');
  });

  it('are not asked for where the wallet knows the call', async () => {
    const unlimited = encodeCall('approve', ['address', 'uint256'], [LOGIC, 2n ** 256n - 1n]);
    const { call, kind, warnings, requests } = await summaryOf(on(entry), having(), unlimited);
    expect([kind, call!.name, call!.descriptor]).to.deep.equal(['approval', 'approve', undefined]);
    expect(warnings.find(({ code }) => code === 'unlimited-approval')).to.include({
      level: 'danger',
      tick: true,
    });
    expect(requests.flat()).to.not.include('eth_getStorageAt');
  });

  it('are not for a node of the site’s own', () => {
    const networks = parseNetworks({ customNodes: true, networks: [on(entry)] });
    const choice = { name: 'Mine', nodeUrl: 'https://mine.example', chainId: NETWORK.chainId };
    expect(networks.networks[0]!.descriptors).to.have.length(1);
    const custom = networkFor(networks, { secretType: 'ETHEREUM' }, choice, 'https://shop.example');
    expect(custom).to.not.have.property('descriptors');
  });
});
