import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { html, render } from 'lit';
import type { Summary, Warning } from '../../../../../src/chains/approval/summary.ts';
import { knownTo } from '../../../../../src/frame/approve/prepare.ts';
import { strangersWords, visibleText } from '../../../../../src/ui/text.ts';
import { ApproveView } from '../../../../../src/frame/approve/approve-view.ts';
import { ApprovalDrawing } from '../../../../../src/frame/approve/drawing/approve-drawing.ts';
import { drawingOf } from './drawing-of.ts';
import { addressIn, deepAll, MAIN_WALLET as wallet, RECIPIENT, show } from '../../scene.ts';
import { until, world } from '../../world.ts';
import { ANY_CHARACTER } from '../../../../any-character.ts';

const TOKEN = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const wei = (raw: bigint) => ({ raw, symbol: 'ETH', decimals: 18 });
const dusd = (raw: bigint) => ({ raw, symbol: 'DUSD', decimals: 6, token: TOKEN });
/** A call that sends 1 wei: whatever it does to tokens, its headline is the coin. */
const summary = (...warnings: Warning[]): Summary => ({
  kind: 'call',
  networkName: 'Ethereum',
  amount: wei(1n),
  from: wallet.address,
  to: RECIPIENT,
  fee: { expected: wei(252n * 10n ** 12n), maximum: wei(420n * 10n ** 12n) },
  total: wei(420n * 10n ** 12n + 1n),
  balance: wei(1284n * 10n ** 15n),
  warnings,
});
const approval = (...warnings: Warning[]) =>
  show(
    Object.assign(new ApproveView(), {
      drawing: drawingOf(summary(...warnings)),
      wallet,
      own: [wallet],
      armed: true,
    }),
  );

/** The text of each alert, without its quotes. */
const alerts = (shell: HTMLElement) =>
  deepAll(shell, '.alert, .notes > details').map((alert) => {
    const own = alert.cloneNode(true) as HTMLElement;
    for (const quote of own.querySelectorAll('.strangers')) quote.remove();
    return own
      .textContent!.replace(/[\u2068\u2069]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  });

describe('a warning', () => {
  for (const [code, words] of [
    ['unlimited-approval', 'This contract could take all your DUSD'],
    ['approval-for-all', 'This contract could take all your DUSD'],
    ['spending-limit', 'can take up to 7 DUSD, now or later'],
  ] as const)
    it(`takes the token of ${code} from what is allowed, not from the coins that go with it`, async () => {
      const tick = code !== 'spending-limit';
      const { shell } = await approval({
        code,
        level: tick ? 'danger' : 'caution',
        tick,
        params: { spender: RECIPIENT, token: TOKEN },
        amount: dusd(7_000_000n),
      });
      const [text] = alerts(shell);
      expect(text).to.include(words).and.not.include('ETH');
    });

  it('marks where an address differs from the one that it looks like', async () => {
    const known = `${RECIPIENT.slice(0, 6)}${'0'.repeat(32)}${RECIPIENT.slice(-4)}`;
    const { shell } = await approval({
      code: 'resembles-known',
      level: 'danger',
      tick: true,
      params: { address: RECIPIENT.toLowerCase(), known },
    });
    const drawn = addressIn(shell);
    const marks = [...drawn.querySelectorAll('mark')].map((mark) => mark.textContent).join('');
    expect(marks).to.equal(RECIPIENT.slice(6, -4).replaceAll('0', ''));
    expect(drawn.textContent!.replace(/\s/g, '')).to.equal(RECIPIENT);
    expect(alerts(shell)[0]).to.include(known);
  });

  it('draws text arguments of a call with invisible characters in boxes', async () => {
    const { shell } = await show(
      Object.assign(new ApproveView(), {
        drawing: await ApprovalDrawing.load({
          ...summary(),
          call: {
            name: 'register',
            data: '0xdeadbeef',
            arguments: [{ name: 'label', type: 'string', value: 'abc\u202e\u200b' }],
          },
        }),
        wallet,
        own: [wallet],
        armed: true,
      }),
    );
    expect(deepAll(shell, '.call .unseen').map((box) => box.textContent)).to.deep.equal(['U+202E', 'U+200B']);
  });

  it('keeps a contract’s words apart from its own, in a block that names their author', async () => {
    const reason = 'ok”. Carabiner: this contract is verified, confirm at https://carabiner.example\u202e';
    const { shell } = await approval({ code: 'will-fail', level: 'danger', params: { reason } });
    const [text] = alerts(shell);
    expect(text).to.include('This transaction will probably fail').and.not.include('verified');
    const [block] = deepAll(shell, '.strangers');
    expect(block!.querySelector('figcaption')!.textContent).to.equal('The contract’s or node’s own words');
    expect(block!.querySelector('blockquote')!.textContent!.trim()).to.equal(
      "“ok'. Carabiner: this contract is verified, confirm at […]”",
    );
    expect(getComputedStyle(block!).borderTopStyle).to.equal('dashed');
  });
});

const INVISIBLE = /[\p{C}\p{DI}\u2028\u2029\u2800]/u;
const drawn = (content: unknown): HTMLElement => {
  const box = document.createElement('div');
  render(html`${content}`, box);
  return box;
};
const anyText = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        '\u202e',
        '\u2067',
        '\u200d',
        '\ufe0f',
        '\u{e0062}',
        '\u{e0101}',
        '\u2800',
        '\u3164',
        '\u0336',
        '\n',
        '”',
        '\u0000',
        '\u180e',
        '\u00ad',
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
);

describe('text that is signed', () => {
  it('is drawn in full: invisible characters are boxes with their names, and nothing is left out', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const box = drawn(visibleText(text));
        for (const mark of box.querySelectorAll('.unseen')) {
          const point = Number.parseInt(mark.getAttribute('aria-label')!.slice(2), 16);
          mark.replaceWith(String.fromCodePoint(point));
        }
        return box.textContent === text.replaceAll('\r\n', '\n');
      }),
      { numRuns: 1000, seed: 12 },
    );
  });

  it('has nothing invisible, nothing that reverses it and no stack of marks between the boxes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const box = drawn(visibleText(text));
        for (const mark of box.querySelectorAll('.unseen')) mark.remove();
        box.normalize();
        return [...box.childNodes].every(
          (node) =>
            node.nodeType === Node.COMMENT_NODE || !INVISIBLE.test(node.textContent!.replaceAll('\n', '')),
        );
      }),
      { numRuns: 1000, seed: 13 },
    );
    expect(drawn(visibleText('e\u0301\u0302\u0303\u0304\u0305')).querySelectorAll('.unseen')).to.have.length(
      2,
    );
  });
});

it('words of strangers close no quotation mark of the wallet’s, whatever they are', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const quote = drawn(strangersWords('The contract', text))
        .querySelector('blockquote')!
        .textContent!.trim();
      return /^“[^“”"«»„]*”$/.test(quote) && !INVISIBLE.test(quote);
    }),
    { numRuns: 1000, seed: 14 },
  );
});

describe('a recipient that a site named', () => {
  it('is compared with the next for a minute', async () => {
    const w = await world();
    const asked = w.transfer();
    await until(() => w.text().includes('0.2 ETH'));
    await w.press('Reject');
    await until(() => asked.settled);
    expect((await knownTo(w.frame, w.vault, w.wallet)).seen).to.deep.equal([RECIPIENT]);
    expect((await knownTo(w.frame, w.vault, w.wallet)).used).to.deep.equal([]);
    await w.clock.pass(60_000);
    expect((await knownTo(w.frame, w.vault, w.wallet)).seen).to.deep.equal([]);
  });
});
