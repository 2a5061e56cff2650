import { expect } from '@open-wc/testing';
import { visibleText } from '../../../../src/frame/ui/visible-text.ts';
import { html, render } from 'lit';
import { deepAll, named } from '../ui/scene.ts';
import { ORIGIN, PIN, settled, unreachable, until, world, type Asked, type World } from './world.ts';

const ask = (w: World, id?: string): Asked =>
  w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: '0x5369676e20696e' }, id);

describe('signing', () => {
  it('shows the message with its line breaks, and answers the signature', async () => {
    const w = await world();
    w.chain.signing = { kind: 'text', text: 'Sign in\n\nNonce: 4f', hex: '0x' };
    const asked = ask(w, 'sign-0001');
    await w.title('Approve signature');
    const message = await until(() => deepAll<HTMLElement>(w.shell, '.message')[0]);
    expect(message.innerText).to.equal('Sign in\n\nNonce: 4f');
    await w.approve();
    await settled(asked);
    expect(asked.result).to.deep.equal({
      success: true,
      result: { r: '0x01', s: '0x02', v: '0x1b', signature: '0x01021b' },
    });
    expect(asked.progress).to.deep.equal(['approval', 'signing']);
    expect([...w.chain.keys[0]!]).to.deep.equal(Array(32).fill(0));
    const again = ask(w, 'sign-0001');
    await settled(again);
    expect(again.result).to.deep.equal(asked.result);
    expect(w.chain.signed).to.have.length(1);
    await w.closed();
  });

  it('takes a tick before the PIN for what nobody can read', async () => {
    const w = await world();
    w.chain.signing = { kind: 'blind', hex: '0x1c8a', reason: 'hash' };
    const asked = ask(w);
    await until(() => w.text().includes('You cannot read what you sign'));
    expect(named(w.shell, 'Data to sign').textContent).to.equal('0x1c8a');
    await until(() => named(w.shell, 'PIN').getAttribute('aria-disabled') === 'true');
    (await w.find('I understand the risk and trust shop.example')).click();
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('draws a raw transaction like any other', async () => {
    const w = await world();
    const summary = w.chain.describe({ from: w.wallet.address, nonce: 0, maximum: 4n } as never);
    w.chain.signing = { kind: 'transaction', summary };
    ask(w);
    await until(() => w.text().includes('0.2 ETH'));
    expect(w.text()).to.include('shop.example can send this transaction at any time once you sign it.');
    expect(w.text()).to.include('Maximum fee');
  });

  it('is rejected, and refuses what does not fit, and waits for its node', async () => {
    const w = await world();
    const bad = w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: 'hello' });
    await settled(bad);
    expect(bad.error?.code).to.equal('request.invalid');
    const describeSigning = w.chain.chain.describeSigning;
    let down = true;
    w.frame.chain = async () => ({
      ...w.chain.chain,
      describeSigning: (...given) => (down ? Promise.reject(unreachable()) : describeSigning!(...given)),
    });
    const asked = ask(w);
    await w.title('Cannot reach Ethereum');
    down = false;
    await w.press('Retry');
    await w.title('Approve signature');
    await w.press('Reject');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect(w.chain.signed).to.have.length(0);
    expect(await w.vault.journal.get(ORIGIN, asked.request.id)).to.equal(undefined);
  });

  it('counts wrong PINs', async () => {
    const w = await world();
    const asked = ask(w);
    await w.approve('9999');
    await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
    await w.approve(PIN);
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });
});

describe('a message with marks that hide or reorder words', () => {
  it('shows each as a box with its name', () => {
    const box = document.createElement('div');
    render(html`${visibleText('pay\u202eeno\u0000 \u200bme\r\nnow\ttab')}`, box);
    const marks = [...box.querySelectorAll('.unseen')].map((mark) => [
      mark.getAttribute('aria-label'),
      mark.textContent,
    ]);
    expect(marks).to.deep.equal([
      ['U+202E', 'U+202E'],
      ['U+0000', '␀'],
      ['U+200B', 'U+200B'],
      ['U+0009', '␉'],
    ]);
    expect(box.textContent).to.include('me\nnow');
  });
});
