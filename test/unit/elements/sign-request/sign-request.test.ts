import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { ConnectError, UserRejectedError } from '../../../../src/base/errors.ts';
import { expectAccessible } from '../../axe.ts';
import { type FakeConnect, MAIN, TRAVEL, VAULT } from '../fake-connect.ts';
import {
  all,
  control,
  focused,
  loaded,
  maybe,
  nameOf,
  outcome,
  settle,
  show,
  text,
  textOf,
  until,
} from '../page.ts';

const SIGNATURE = `0x8a4c61f2${'00'.repeat(58)}77be1c`;
const SIGNED = { success: true, result: { r: '0x01', s: '0x02', v: '0x1b', signature: SIGNATURE } };

describe('sign-request', () => {
  it('works from its attributes; prefix and hash have three states', async () => {
    const { element, connect } = await show('sign-request');
    const request = { type: 'ETHEREUM_RAW', walletId: 'w', data: '0x01' };
    element.setAttribute('type', request.type);
    element.setAttribute('wallet-id', request.walletId);
    element.setAttribute('data', request.data);
    const params = async () => {
      await settle(element);
      const answer = element.sign();
      connect.last.resolve(SIGNED);
      await answer;
      return connect.last.params;
    };
    expect(await params()).to.deep.equal(request);
    element.setAttribute('prefix', 'false');
    element.setAttribute('hash', 'true');
    expect(await params()).to.deep.equal({ ...request, prefix: false, hash: true });
    expect([element.messagePrefix, element.hashData]).to.deep.equal([false, true]);
    element.removeAttribute('prefix');
    element.hashData = false;
    expect(await params()).to.deep.equal({ ...request, hash: false });
    element.setAttribute('network', 'base');
    expect(await params()).to.deep.equal({ ...request, network: 'base', hash: false });
    element.dispatchEvent(new Event('pointerover'));
    await settle(element);
    expect(connect.preloaded).to.deep.equal(['ETHEREUM']);
  });

  it('asks for messages and certificates by their own attributes, and shows what has no r and no s', async () => {
    const { element, connect } = await show('sign-request');
    const attributes = { type: 'VECHAIN_CERTIFICATE', 'wallet-id': 'w', data: '0x01', purpose: 'agreement' };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    await settle(element);
    const answer = element.sign();
    const annex = { domain: 'shop.example', timestamp: 1, signer: '0x' };
    connect.last.resolve({ success: true, result: { annex, signature: SIGNATURE } });
    expect((await answer).result).to.deep.equal({ annex, signature: SIGNATURE });
    expect(connect.last.params).to.deep.equal({
      type: 'VECHAIN_CERTIFICATE',
      walletId: 'w',
      data: '0x01',
      purpose: 'agreement',
    });
    await settle(element);
    expect(text(element)).to.include('0x8a4c61f2…77be1c');
    element.setAttribute('type', 'BITCOIN_MESSAGE');
    element.setAttribute('format', 'bip137');
    element.removeAttribute('purpose');
    element.sign().catch(() => {});
    expect(connect.last.params).to.deep.equal({
      type: 'BITCOIN_MESSAGE',
      walletId: 'w',
      data: '0x01',
      format: 'bip137',
    });
  });

  it('says what it waits for and shows the signature, with the focus on its button', async () => {
    const { element, connect } = await show('sign-request', {
      type: 'ETHEREUM_RAW',
      walletId: 'w',
      data: '0x01',
    });
    control(element, 'Sign').focus();
    await sendKeys({ press: ' ' });
    await settle(element);
    const status = all(element, '[role=status]')[0]!;
    expect(textOf(status)).to.include('Waiting for your approval');
    connect.last.resolve(SIGNED);
    await settle(element);
    expect(textOf(status)).to.include('Message signed');
    expect(textOf(status)).to.include('0x8a4c61f2…77be1c');
    expect(nameOf(focused()!)).to.equal('Sign');
    expect(maybe(element, 'Copy signature')).not.to.equal(undefined);
  });

  describe('without a wallet-id', () => {
    const MESSAGE = { type: 'ETHEREUM_RAW', data: '0x01' } as const;
    const asked = (connect: FakeConnect): unknown => (connect.last.params as { walletId: string }).walletId;

    it('uses the only linked wallet of the chain, and asks nothing', async () => {
      for (const walletId of [undefined, '']) {
        const { element, connect } = await show('sign-request', { ...MESSAGE, walletId }, [TRAVEL, MAIN]);
        expect(all(element, '.picker')).to.have.length(0);
        control(element, 'Sign').click();
        expect(connect.last.params).to.deep.equal({ type: 'ETHEREUM_RAW', walletId: 'main', data: '0x01' });
      }
    });

    it('shows a choice among several, the primary one first, which stands once it is asked', async () => {
      const wallets = [VAULT, MAIN, TRAVEL];
      const { element, connect, events } = await show('sign-request', MESSAGE, wallets);
      await until(element, () => all(element, '.picker').length > 0);
      const picker = all(element, '.picker button')[0]!;
      expect(textOf(picker)).to.include('Main wallet');
      expect(nameOf(picker)).to.match(/^Wallet Main wallet/);
      picker.click();
      await until(element, () => all(element, '[role=option]').length > 0);
      expect(all(element, '[role=option]').map(textOf).join()).to.match(/^Vault.*Main wallet/);
      all(element, '[role=option]')[0]!.click();
      await settle(element);
      await expectAccessible(element);
      control(element, 'Sign').click();
      expect(asked(connect)).to.equal('vault');
      await settle(element);
      const fixed = all<HTMLButtonElement>(element, '.picker button')[0]!;
      expect([fixed.disabled, textOf(fixed).startsWith('Vault')]).to.deep.equal([true, true]);
      connect.last.resolve(SIGNED);
      await settle(element);
      // The chosen one was unlinked.
      connect.setWallets([MAIN, TRAVEL]);
      await settle(element);
      expect(all(element, '.picker')).to.have.length(0);
      control(element, 'Sign').click();
      expect(asked(connect)).to.equal('main');
      expect(events).to.deep.equal(['request', 'result', 'request']);
    });

    it('asks for the one that the page names, though there are several', async () => {
      const { element, connect } = await show('sign-request', { ...MESSAGE, walletId: 'vault' }, [
        MAIN,
        VAULT,
      ]);
      await loaded(element);
      expect(all(element, '.picker')).to.have.length(0);
      control(element, 'Sign').click();
      expect(asked(connect)).to.equal('vault');
    });

    it('says that none is linked', async () => {
      const { element, connect } = await show('sign-request', MESSAGE, [TRAVEL]);
      expect(await outcome(element.sign())).to.equal('wallet.forbidden');
      expect(connect.asked).to.deep.equal([]);
      await until(element, () => text(element).includes('not linked to this site'));
    });
  });

  it('lets the user try again', async () => {
    const { element, connect } = await show('sign-request', {
      type: 'ETHEREUM_RAW',
      walletId: 'w',
      data: '0x01',
    });
    element.sign().catch(() => {});
    connect.last.reject(new UserRejectedError());
    await settle(element);
    expect(text(element)).to.include('You rejected the request').and.include('Nothing was signed.');
    control(element, 'Try again').click();
    connect.last.reject(new ConnectError('frame.unreachable', 'gone'));
    await until(element, () => text(element).includes('Could not sign'));
    const alert = all(element, '[role=alert]')[0]!;
    expect(textOf(alert)).to.include('Could not sign');
    expect(textOf(alert)).to.include('The wallet does not answer. Try again in a moment.');
    control(element, 'Try again').click();
    expect(connect.asked).to.have.length(3);
  });
});
