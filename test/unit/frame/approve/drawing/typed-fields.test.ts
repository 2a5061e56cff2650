import { expect } from '@open-wc/testing';
import type { TypedField, TypedSigning } from '../../../../../src/chains/approval/signing.ts';
import { ApproveView } from '../../../../../src/frame/approve/approve-view.ts';
import { ApprovalDrawing } from '../../../../../src/frame/approve/drawing/approve-drawing.ts';
import { PIECE } from '../../../../../src/frame/approve/drawing/long-text.ts';
import { typedDrawing } from '../../../../../src/frame/approve/drawing/typed-drawing.ts';
import { SignatureView } from '../../../../../src/frame/approve/signature-view.ts';
import { CHAIN_SCENES } from '../../chain-scenes.ts';
import { frame } from '../../../turns.ts';
import { deepAll, MAIN_WALLET, named, RECIPIENT, show } from '../../scene.ts';
import { until } from '../../world.ts';

const HIDDEN = '\u200b';
/** A piece's nodes. The first one of a value lies in a piece of the fields. */
const A_FRAME = PIECE.boxes * 8 * 2;

const text = (name: string, value: string): TypedField => ({ name, type: 'string', value });
const known: TypedSigning['deed'] = {
  kind: 'pay',
  amounts: [{ amount: { raw: 5n, decimals: 0, symbol: 'USDC' } }],
  to: RECIPIENT,
};

function signing(message: TypedField[], deed?: TypedSigning['deed']): SignatureView {
  const summary: TypedSigning = {
    kind: 'typed',
    deed,
    terms: [],
    primaryType: 'Note',
    domain: [{ name: 'chainId', type: 'uint256', value: 1n }],
    message,
    names: {},
    digests: { digest: '0x01', domainHash: '0x02', messageHash: '0x03' },
    warnings: [],
  };
  const around = { wallet: MAIN_WALLET, own: [], site: 'shop.example', networkName: 'Ethereum' };
  return Object.assign(new SignatureView(), { summary, draws: typedDrawing, ...around });
}

function nodesIn(element: Element): number {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ALL);
  let count = 0;
  while (walker.nextNode()) count++;
  return count;
}

/** The most nodes that one animation frame added while `scroller` was scrolled to its end again and again. */
async function mostAtOnce(element: Element, scroller: Element): Promise<number> {
  let most = 0;
  for (let turn = 0, before = nodesIn(element); turn < 20; turn++) {
    scroller.scrollTo(0, scroller.scrollHeight);
    await frame();
    const now = nodesIn(element);
    most = Math.max(most, now - before);
    before = now;
  }
  return most;
}

describe('the fields of typed data', () => {
  for (const [what, message] of [
    ['one value of 120,000 invisible characters', [text('note', HIDDEN.repeat(120_000))]],
    [
      '300 values of 400 invisible characters',
      Array.from({ length: 300 }, (_, i) => text(`note${i}`, HIDDEN.repeat(400))),
    ],
    [
      'a list of 1,900 values, ten levels deep',
      Array.from({ length: 10 }).reduce<TypedField[]>(
        (value) => [{ name: 'list', type: 'Inner', value }],
        Array.from({ length: 1900 }, (_, i) => text(String(i), 'x')),
      ),
    ],
  ] as const)
    it(`of an unknown form are drawn as they are read, and their end comes last: ${what}`, async () => {
      const { view } = await show(signing([...message]));
      const [tree] = deepAll(view, '.tree');
      // Some frames have passed.
      expect(nodesIn(tree!)).to.be.below(A_FRAME * 4);
      const most = await mostAtOnce(tree!, deepAll(view, '.body')[0]!);
      expect(most, 'it goes on').to.be.above(100);
      expect(most).to.be.below(A_FRAME);
      const ends = deepAll<HTMLElement>(tree!, '.end[data-seen="end"]');
      expect(ends.length).to.equal(deepAll(tree!, '.end').length);
      expect(ends.some(({ hidden }) => hidden)).to.equal(true);
    });

  it('of a known form show the beginning of a value, and all of it in pieces when it is opened', async () => {
    const { view } = await show(signing([text('note', HIDDEN.repeat(120_000))], known));
    const [tree] = deepAll(view, '.tree');
    expect(nodesIn(tree!)).to.be.below(A_FRAME);
    tree!.closest('details')!.open = true;
    await until(() => deepAll(tree!, '.long').length);
    const before = nodesIn(tree!);
    deepAll<HTMLElement>(tree!, '.long > summary')[0]!.click();
    await until(() => nodesIn(tree!) > before);
    expect(nodesIn(tree!) - before).to.be.below(A_FRAME);
    expect(await mostAtOnce(tree!, deepAll(view, '.body')[0]!)).to.be.below(A_FRAME);
  });

  it('keep their nesting, and no part of them is drawn twice when the view is', async () => {
    const list: TypedField = { name: 'list', type: 'string[]', value: [text('0', 'one'), text('1', 'two')] };
    const { view, settle } = await show(signing([list, { name: 'none', type: 'string[]', value: [] }]));
    view.requestUpdate();
    await settle();
    const tree = named(view, 'Data to sign');
    expect(tree.textContent!.replace(/\s+/g, ' ').trim()).to.equal(
      'Notelist 0 one 1 two none empty listdomain chainId 1',
    );
    const depth = (name: string): number => {
      const at = deepAll(tree, '.mono').find((one) => one.textContent === name)!;
      let count = 0;
      for (let up = at.closest('.within'); up; up = up.parentElement!.closest('.within')) count++;
      return count;
    };
    expect(['Note', 'list', '0', 'none'].map(depth)).to.deep.equal([0, 1, 2, 1]);
  });
});

it('a note of 40,000 invisible characters in a transaction is drawn as it is read', async () => {
  const { wallet, summary } = CHAIN_SCENES['aeternity']!;
  const value = `0x${'e2808b'.repeat(40_000)}`;
  const view = Object.assign(new ApproveView(), {
    wallet,
    drawing: await ApprovalDrawing.load({ ...summary, facts: [{ code: 'memo', value }] }),
    own: [wallet],
    secretType: wallet.secretType,
  });
  await show(view);
  const [memo] = await until(() => {
    const found = deepAll<HTMLElement>(view, '.memo');
    return found.length ? found : undefined;
  });
  expect(memo!.textContent).to.include('As text:').and.include('U+200B');
  expect(nodesIn(memo!)).to.be.below(A_FRAME);
  const most = await mostAtOnce(memo!, memo!);
  expect(most).to.be.above(0);
  expect(most).to.be.below(A_FRAME);
});
