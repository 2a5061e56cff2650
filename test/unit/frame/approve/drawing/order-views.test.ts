import { expect } from '@open-wc/testing';
import type { PaidOrder, Summary } from '../../../../../src/chains/approval/summary.ts';
import { ApproveView } from '../../../../../src/frame/approve/approve-view.ts';
import { ApprovalDrawing } from '../../../../../src/frame/approve/drawing/approve-drawing.ts';
import { deepAll, MAIN_WALLET as wallet, RECIPIENT, show } from '../../scene.ts';

const ADDRESS = wallet.address;
const wei = (raw: bigint) => ({ symbol: 'ETH', decimals: 18, raw });
const usdc = (raw: bigint) => ({ symbol: 'USDC', decimals: 6, token: ADDRESS, raw });

const signed: PaidOrder = {
  state: 'signed',
  merchant: 'Fernhill Outfitters',
  total: 3100,
  currency: 'USD',
  reference: 'A-1042',
  items: 2,
  expires: 1_800_000_000_000,
};

async function shown(order: PaidOrder, warnings: Summary['warnings'] = []): Promise<string> {
  const summary: Summary = {
    kind: 'transfer',
    networkName: 'Ethereum',
    amount: usdc(31_000_000n),
    from: ADDRESS,
    to: RECIPIENT,
    fee: { expected: wei(2n * 10n ** 14n), maximum: wei(25n * 10n ** 13n) },
    total: wei(25n * 10n ** 13n),
    balance: wei(10n ** 18n),
    order,
    warnings,
  };
  const drawing = await ApprovalDrawing.load(summary);
  const view = Object.assign(new ApproveView(), { drawing, wallet, own: [wallet] });
  const { shell } = await show(view);
  await view.updateComplete;
  return deepAll(shell, '*')
    .filter((element) => !element.children.length && element.localName !== 'style')
    .map((element) => element.textContent!.trim())
    .concat(
      deepAll(shell, 'h1, dt, dd, p, span').map((element) =>
        element.textContent!.replace(/\s+/g, ' ').trim(),
      ),
    )
    .join(' | ');
}

describe('a payment at a checkout', () => {
  it('says who is paid, how much and for which order above a good signature', async () => {
    const text = await shown(signed);
    expect(text).to.match(/Pay .*31[.,]00/);
    for (const part of [
      'Fernhill Outfitters',
      'Address verified by the merchant’s signature',
      'A-1042 · 2 items',
      'Price holds until',
    ])
      expect(text).to.include(part);
  });

  it('shows the number of the order whole, however long, and no id of ours in its place', async () => {
    const text = await shown({ ...signed, reference: undefined });
    expect(text).to.include('| 2 items');
    const id = `cs_test_${'o7beWqXZ'.repeat(8)}`.slice(0, 66);
    await shown({ ...signed, reference: id });
    const row = deepAll(document.body, '.party').find((each) => each.textContent!.includes(id))!;
    expect(row.scrollWidth, 'it wraps').to.be.at.most(row.clientWidth);
    const { right } = row.querySelector('dd')!.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(row.querySelector('dd')!);
    expect(range.getBoundingClientRect().right).to.be.at.most(right + 1);
  });

  it('names no merchant when the order is not signed', async () => {
    const text = await shown({ state: 'unsigned' }, [{ code: 'order-unsigned', level: 'caution' }]);
    expect(text).to.include('The merchant did not sign this order');
    expect(text).not.to.include('verified');
    expect(text).to.include('Send 31');
  });

  for (const [reason, words] of [
    ['amount', 'The merchant signed a different amount or address.'],
    ['signature', 'its signature does not match'],
    ['expired', 'Its price no longer holds.'],
  ] as const)
    it(`cannot be approved when its signature is wrong: ${reason}`, async () => {
      const text = await shown({
        state: 'wrong',
        reason,
        reference: 'A-1042',
        signed: { to: RECIPIENT, amount: usdc(310_000_000n) },
      });
      expect(text).to.include('The signature is not for this order');
      expect(text).to.include(words);
      if (reason === 'amount') expect(text).to.include('310 USDC');
      expect(deepAll(document.body, 'button[aria-label^="Approve"]')).to.have.length(0);
      expect(
        deepAll<HTMLElement>(document.body, 'footer button').map(({ innerText }) => innerText),
      ).to.deep.equal(['Close']);
      expect(deepAll(document.body, 'cbf-pin-field')).to.have.length(0);
    });
});
