import { expect } from '@open-wc/testing';
import type { SigningSummary } from '../../../../../src/chains/chain.ts';
import type { Warning } from '../../../../../src/chains/approval/summary.ts';
import { ApproveView } from '../../../../../src/frame/approve/approve-view.ts';
import { NotSentView } from '../../../../../src/frame/approve/outcome/not-sent-view.ts';
import { SendingView } from '../../../../../src/frame/approve/outcome/sending-view.ts';
import { SignatureView } from '../../../../../src/frame/approve/signature-view.ts';
import type { FrameView } from '../../../../../src/frame/ui/view.ts';
import { deepAll, named, show, type Scene } from '../../scene.ts';
import { CHAIN_SCENES } from '../../chain-scenes.ts';
import { until } from '../../world.ts';
import { wish } from '../../../media.ts';
import { drawingOf } from './drawing-of.ts';

const hash = `0x${'5e'.repeat(32)}`;

function approval(name: string): ApproveView {
  const { wallet, summary, heading = '' } = CHAIN_SCENES[name]!;
  const { secretType } = wallet;
  return Object.assign(new ApproveView(), {
    wallet,
    drawing: drawingOf(summary),
    own: [wallet],
    secretType,
    heading,
    armed: true,
  });
}

function signature(name: string, summary?: SigningSummary): SignatureView {
  const { wallet, summary: transaction } = CHAIN_SCENES[name]!;
  return Object.assign(new SignatureView(), {
    summary: summary ?? { kind: 'transaction', summary: transaction },
    wallet,
    own: [wallet],
    site: 'shop.example',
    networkName: transaction.networkName,
    armed: true,
  });
}

/** In the reader's own time zone and language. */
function here(date: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(date),
  );
}

/** Opens Details, and waits for what that loads. */
async function openDetails({ view, settle }: Scene<FrameView>): Promise<string> {
  const [details] = deepAll<HTMLDetailsElement>(view, 'details.fold').filter((one) =>
    one.textContent?.includes('Details'),
  );
  details!.open = true;
  await until(() => details!.querySelector('.kv'));
  await settle();
  return flat(details!);
}

function flat(node: Element): string {
  return (node.textContent ?? '').replace(/\s+/g, ' ');
}

async function bodyOf(view: FrameView, act?: (view: FrameView) => void): Promise<string> {
  const scene = await show(view);
  act?.(view);
  await scene.settle();
  return [...view.shadowRoot!.querySelectorAll('.body, .sum dt, .sum dd')].map(flat).join(' ');
}

const SCENES: Record<string, { view: () => FrameView; act?: (scene: Scene<FrameView>) => unknown }> = {
  ...Object.fromEntries(
    Object.keys(CHAIN_SCENES).map((name) => [name, { view: () => approval(name), act: openDetails }]),
  ),
  'clauses with the pad open': {
    view: () => approval('vechain clauses with a sum'),
    act: ({ view }) => named(view, 'Show PIN pad').click(),
  },
  'sign a VeChain transaction': { view: () => signature('vechain clauses that differ') },
  'not sent in time': { view: () => Object.assign(new NotSentView(), { hash, expired: true, retry: false }) },
};

describe('approvals in the chains’ own terms are accessible', () => {
  before(() => wish({ reducedMotion: 'reduce' }));
  after(() => wish({ reducedMotion: 'no-preference' }));
  for (const [name, { view, act }] of Object.entries(SCENES))
    for (const theme of ['light', 'dark'] as const)
      it(`${name}, ${theme}`, async () => {
        const scene = await show(view(), theme, 360);
        await act?.(scene);
        await scene.settle();
        await expect(scene.shell).to.be.accessible();
        const body = scene.view.shadowRoot!.querySelector('.body')!;
        expect(body.scrollWidth, 'nothing is cut off').to.be.at.most(body.clientWidth);
      });
});

describe('an approval says', () => {
  const cases: [name: string, ...texts: string[]][] = [
    ['bitcoin', 'Fee rate 10 sat/vB', 'Comes back to you 0.0103259 BTC', 'Total at most 0.0025141 BTC'],
    [
      'tron',
      'Order 4711',
      'everybody can read it',
      'Bandwidth 2680.267 TRX',
      'Opens the recipient’s account 1.1 TRX',
    ],
    ['tron token', 'Bandwidth 345free', 'Energy 65,00013.5 TRX', 'The most this call may cost 30 TRX'],
    ['vechain token', '5 VTHO', 'Expected fee 0.210 VTHO', 'Maximum fee 0.420 VTHO'],
    ['vechain', 'Maximum fee 0.420 VTHO', 'Total at most 2.5 VET + 0.420 VTHO'],
    ['litecoin speed-up', 'Speed up transaction', 'by paying a higher fee (RBF)'],
    ['aeternity', '0x67696674e280ae21', 'As text: gift', 'U+202E'],
  ];
  for (const [name, ...texts] of cases)
    it(`${name}: ${texts.join(', ')}`, async () => {
      const body = await bodyOf(approval(name));
      for (const text of texts) expect(body).to.include(text);
    });

  for (const [name, total] of [
    ['vechain token', '5.420 VTHO'],
    ['vechain token clauses', '10.420 VTHO'],
    ['vechain coins and tokens', '5.420 VTHO + 2.5 VET'],
  ])
    it(`one figure an asset as the total: ${total}`, async () => {
      const { view } = await show(approval(name!));
      expect(flat(view.shadowRoot!.querySelector('.sum .total')!).trim()).to.equal(`Total at most${total}`);
    });

  it('nothing about a balance after the change', async () => {
    expect(await bodyOf(approval('bitcoin sweep'))).to.not.include('after this');
    expect(await bodyOf(approval('bitcoin'))).to.include('Main wallet after this');
  });

  it('behind Details, the smallest units and the rest', async () => {
    const told = async (name: string): Promise<string> => openDetails(await show(approval(name)));
    expect(await told('bitcoin'))
      .to.include('Size 141 vB')
      .and.include('Coins spent together 1')
      .and.include('Amount in satoshi 250000')
      .and.include('Maximum fee in satoshi 1410');
    expect(await told('ethereum')).to.include('Amount in wei 250000000000000000');
    expect(await told('tron'))
      .to.include('in sun 2500000')
      .and.include(`Must be in a block by ${here('2026-11-21T15:24:00.000Z')}`);
    expect(await told('tron token')).to.include('Amount in smallest units 5000000');
    expect(await told('aeternity'))
      .to.include('in aettos')
      .and.include('block 1,094,210');
    expect(await told('vechain'))
      .to.include('Gas limit 121,000')
      .and.include('Gas price 0.00001 VTHO');
    expect(await told('litecoin speed-up')).to.include('in satoshi');
    expect(await told('raw vechain that waits')).to.include(`Only after transaction 0x${'7c'.repeat(32)}`);
    expect(await told('raw ethereum with an access list')).to.include(
      `Access list 0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063 0x${'01'.repeat(32)} 0x${'02'.repeat(32)}`,
    );
  });
});

describe('several clauses', () => {
  const list = 'vechain clauses that differ';
  it('are each shown with amount, recipient, contract and call', async () => {
    const scene = await show(approval(list));
    const items = deepAll(scene.view, '.clauses > li');
    expect(items.map((item) => flat(item).includes('of 3'))).to.deep.equal([true, true, true]);
    const [pay, tip, allow] = items.map(flat) as [string, string, string];
    expect(pay).to.include('2.5 VET you send');
    expect(tip).to.include('5 VTHO you send').and.include('Reported address');
    expect(allow).to.include('Unlimited DEMO').and.include('approve').and.include('Raw data');
    const addresses = deepAll(scene.view, '.clauses .groups').map((one) => one.textContent);
    for (const { to, contract } of CHAIN_SCENES[list]!.summary.parts!) {
      expect(addresses).to.include(to);
      if (contract) expect(addresses).to.include(contract);
    }
  });

  it('have a headline of their own where they have no sum', async () => {
    const body = await bodyOf(approval(list));
    expect(body).to.include('3 clauses').and.include('together or not at all');
    expect(await bodyOf(approval('vechain clauses with a sum')))
      .to.include('7.5 VET')
      .and.include('in 3 clauses');
  });

  it('keep every recipient in view while the pad is open', async () => {
    const scene = await show(approval(list));
    named(scene.view, 'Show PIN pad').click();
    await scene.settle();
    const addresses = deepAll(scene.view, '.groups').map((one) => one.textContent);
    for (const { to } of CHAIN_SCENES[list]!.summary.parts!) expect(addresses).to.include(to);
    for (const address of deepAll<HTMLElement>(scene.view, '.clauses .groups'))
      expect(address.getBoundingClientRect().height).to.be.greaterThan(20);
    expect(flat(scene.view.shadowRoot!.querySelector('.sum')!)).to.include('5 VTHO + 2.5 VET');
  });

  it('are named by the warnings', async () => {
    const body = await bodyOf(approval(list));
    expect(body).to.include('This contract could take all your DEMO');
    expect(body).to.include('Clause 3 was refused in a trial run').and.include('“not enough DEMO”');
    expect(body, 'somebody else pays').to.not.include('You would still pay the fee');
    expect(await bodyOf(approval('vechain clauses with a sum'))).to.include('0x66a9…');
  });
});

describe('a warning', () => {
  const text = (warning: Warning, name = 'tron token'): Promise<string> => {
    const view = approval(name);
    view.drawing = drawingOf({ ...view.summary!, warnings: [warning] });
    return bodyOf(view);
  };
  it('quotes others on one line, and no more than fits', async () => {
    const reason = `call\u202e\n\nus${'!'.repeat(500)}`;
    const body = await text({ code: 'will-fail', level: 'danger', params: { reason } });
    expect(body).to.include('“call□ us!').and.include('!…”').and.include('You would still pay the fee.');
    expect(body).to.not.include('\u202e');
    const declined = { host: 'sponsor.example', reason: 'quota used up' };
    expect(await text({ code: 'sponsor-declined', level: 'caution', params: declined }))
      .to.include('sponsor.example does not pay it.')
      .and.include('“quota used up”');
  });

  it('fits the chain', async () => {
    expect(await text({ code: 'no-code', level: 'danger' })).to.include('no token at this address');
    expect(await text({ code: 'no-code', level: 'danger' }, 'vechain')).to.include(
      'no contract at this address',
    );
    const reason = 'generalized_account_cant_sign_non_meta_tx';
    const body = await text({ code: 'will-fail', level: 'danger', params: { reason } }, 'aeternity');
    expect(body).to.include('A contract signs for this account').and.not.include('still pay');
  });
});

describe('a signature', () => {
  it('of a VeChain transaction shows its clauses and terms', async () => {
    const body = await bodyOf(signature('vechain clauses that differ'));
    expect(body).to.include('Clause 2 of 3').and.include('Fee paid by sponsor.vechain.energy');
  });

  it('of bytes and hashes asks for a tick, whatever the chain', async () => {
    for (const name of ['gochain', 'vechain'])
      for (const reason of ['bytes', 'hash', 'transaction'] as const) {
        const view = signature(name, { kind: 'blind', hex: `0x${'1c'.repeat(32)}`, reason });
        expect(await bodyOf(view)).to.include('You cannot read what you sign');
        expect(deepAll(view, 'input.check')).to.have.length(1);
      }
  });
});

describe('what became of a transaction', () => {
  it('is shown with its fee and its own text', async () => {
    expect(await bodyOf(Object.assign(new NotSentView(), { expired: true }))).to.include(
      'It expired before a block included it. Nothing was spent.',
    );
  });

  it('is expected to take as long as the chain does', async () => {
    const sending = (secretType: 'BITCOIN' | 'TRON') =>
      bodyOf(Object.assign(new SendingView(), { secretType, stage: 'confirming' }));
    expect(await sending('BITCOIN')).to.include('10 to 60 minutes');
    expect(await sending('TRON')).to.include('a few seconds. You can close this window.');
  });
});
