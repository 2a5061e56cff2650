import { expect } from '@open-wc/testing';
import type { Network, Networks } from '../../../../src/chains/network.ts';
import type { TypedSigning } from '../../../../src/chains/approval/signing.ts';
import { deepAll, named } from '../scene.ts';
import { type Asked, NETWORKS, ORIGIN, RECIPIENT, settled, until, world, type World } from '../world.ts';

const [local] = NETWORKS.networks as [Network];
const live: Network = { ...local, id: 'live', name: 'Ethereum mainnet', kind: 'mainnet', chainId: 1 };
const base: Network = { ...live, id: 'base', name: 'Base', chainId: 8453 };
const several: Networks = { ...NETWORKS, networks: [live, base] };

/** A chain that names the network of its node. */
async function onSeveral(networks = several): Promise<World> {
  const w = await world({ networks });
  const { describe } = w.chain.chain;
  w.chain.chain.describe = async (draft) => ({
    ...(await describe(draft)),
    networkName: draft.network.name,
  });
  return w;
}

type Ask = (w: World, network: string) => Asked;
const ASKS: Record<string, Ask> = {
  transfer: (w, network) =>
    w.ask('transfer', {
      walletId: w.wallet.id,
      secretType: 'ETHEREUM',
      to: RECIPIENT,
      value: '0.2',
      network,
    }),
  call: (w, network) =>
    w.ask('execute', { type: 'ETH_TRANSACTION', walletId: w.wallet.id, to: RECIPIENT, value: '1', network }),
  signature: (w, network) =>
    w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: '0x5369676e20696e', network }),
  list: (w, network) => {
    const request = { type: 'ETH_TRANSACTION', walletId: w.wallet.id, to: RECIPIENT, value: '1', network };
    return w.ask('executeAll', { requests: [request] });
  },
};

const note = (w: World): HTMLElement | undefined => deepAll<HTMLElement>(w.shell, '[data-seen="network"]')[0];

async function approved(w: World, asked: Asked): Promise<void> {
  await w.approve();
  await settled(asked);
  expect(asked.error).to.equal(undefined);
  // The next one is later.
  await w.clock.pass(1);
}

describe('the network of an approval', () => {
  for (const [what, ask] of Object.entries(ASKS))
    it(`has to be seen in a ${what} if it is not that of the site’s last approval`, async () => {
      const w = await onSeveral();
      const first = ask(w, 'live');
      await w.approval();
      await w.seen();
      expect(note(w), 'there is no last one').to.equal(undefined);
      await approved(w, first);

      const second = ask(w, 'base');
      const line = await until(() => note(w));
      expect(line.textContent!.replace(/\s+/g, ' ').trim()).to.equal('Base Last time: Ethereum mainnet');
      // In view, but nobody can have read it yet.
      await until(() => deepAll(w.shell, '#why')[0]);
      expect(deepAll(w.shell, '#why')[0]!.textContent).to.not.equal('Enter your PIN');
      await approved(w, second);

      const third = ask(w, 'base');
      await w.approval();
      await w.seen();
      expect(note(w), 'the same as last time').to.equal(undefined);
      await approved(w, third);
    });

  it('is named by a button that scrolls there, while it is out of view', async () => {
    const w = await onSeveral();
    await approved(w, ASKS['transfer']!(w, 'live'));
    w.chain.signing = { kind: 'text', text: 'line\n'.repeat(400), hex: '0x' };
    ASKS['signature']!(w, 'base');
    const line = await until(() => note(w));
    const body = line.closest<HTMLElement>('.body')!;
    body.scrollTop = body.scrollHeight;
    await until(() =>
      deepAll(w.shell, '.pill').some(({ textContent }) => textContent!.includes('Show the network')),
    );
    expect(deepAll(w.shell, '#why')[0]!.textContent).to.equal('See the network first');
    await w.press('Show the network');
    await until(() => body.scrollTop < 100);
  });

  it('of each step of a list is its own, and the request is known by the latest', async () => {
    const w = await onSeveral();
    const step = (network: string) => ({
      type: 'ETH_TRANSACTION',
      walletId: w.wallet.id,
      to: RECIPIENT,
      value: '1',
      network,
    });
    const asked = w.ask('executeAll', { requests: [step('live'), step('base')] }, 'list-0001');
    await w.press('Continue');
    await w.approve();
    await until(() => w.chain.signed.length === 1);
    const line = await until(() => note(w));
    expect(line.textContent).to.include('Base').and.to.include('Last time: Ethereum mainnet');
    await w.approve();
    await settled(asked);
    expect(w.chain.drafts.map(({ network }) => network.id)).to.deep.equal(['live', 'base']);
    expect((await w.vault.journal.get(ORIGIN, 'list-0001'))?.networkId).to.equal('base');
  });

  it('is compared per site', async () => {
    const w = await onSeveral();
    await w.vault.journal.put({
      origin: 'https://other.example',
      requestId: 'request-0001',
      action: 'transfer',
      walletId: w.wallet.id,
      params: {},
      state: 'done',
      signed: [],
      networkId: 'live',
    });
    ASKS['transfer']!(w, 'base');
    await w.approval();
    await w.seen();
    expect(note(w)).to.equal(undefined);
  });

  it('of a site’s own node last time is no name that the site gave it', async () => {
    const w = await onSeveral();
    await w.vault.journal.put({
      origin: ORIGIN,
      requestId: 'request-0001',
      action: 'execute',
      walletId: w.wallet.id,
      params: {},
      state: 'done',
      signed: [],
      networkId: 'custom',
      customNode: { name: 'Base', nodeUrl: 'https://node.example', chainId: 999_999 },
    });
    ASKS['transfer']!(w, 'base');
    const line = await until(() => note(w));
    expect(line.textContent).to.include('Last time: another network');
  });

  it('takes a tick where typed data is for another one', async () => {
    const w = await onSeveral();
    const typed: TypedSigning = {
      kind: 'typed',
      terms: [],
      primaryType: 'Mail',
      domain: [{ name: 'chainId', type: 'uint256', value: 137n }],
      message: [{ name: 'text', type: 'string', value: 'Hello' }],
      names: {},
      digests: { digest: '0x1', domainHash: '0x2', messageHash: '0x3' },
      warnings: [
        {
          code: 'other-network',
          level: 'danger',
          params: { here: 'Base', there: 'Polygon', chainId: '137' },
        },
      ],
    };
    w.chain.signing = typed;
    const asked = ASKS['signature']!(w, 'base');
    await until(() => w.text().includes('This is valid on Polygon, not on Base, which this site uses.'));
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    (await w.find('I understand the risk: it takes effect on another network')).click();
    await approved(w, asked);
    const unnamed = { here: 'Base', chainId: '4711' };
    w.chain.signing = { ...typed, warnings: [{ code: 'other-network', level: 'danger', params: unnamed }] };
    ASKS['signature']!(w, 'base');
    await until(() => w.text().includes('valid on the network with the chain ID 4711, not on Base'));
  });
});
