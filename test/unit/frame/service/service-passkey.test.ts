import { expect } from '@open-wc/testing';
import type { PasskeyAnswer } from '../../../../src/api/passkey.ts';
import type { Vault } from '../../../../src/wallets/types.ts';
import { Authenticator } from '../../wallets/authenticator.ts';
import { CODE, FakeService, NEXT_CODE, serviceWallet } from '../../wallets/service/fake-service.ts';
import { deepAll, type } from '../scene.ts';
import { type Asked, ORIGIN, RECIPIENT, settled, until, world, type World } from '../world.ts';

const APPROVED = '/api/transactions/approved';
const SERVICE_PIN = '739154';
const NEXT_PIN = '846207';

describe('the passkey of an account at the wallet service', () => {
  let w: World;
  let vault: Vault;
  let service: FakeService;
  let device: Authenticator;
  let unplug: () => void;

  beforeEach(async () => {
    device = new Authenticator();
    unplug = device.plug();
    service = new FakeService();
    service.credentialId = device.name;
    service.pin = SERVICE_PIN;
    service.wallets = [serviceWallet('savings', { primary: true, alias: 'Savings' })];
    service.links.add('savings');
    w = await world({ service });
    vault = await w.frame.vault();
    await vault.service!.enrol(SERVICE_PIN, CODE);
  });
  afterEach(() => unplug());

  const add = (): Promise<void> => vault.service!.addPasskey(SERVICE_PIN);
  const transfer = (id = 'order-0001'): Asked =>
    w.ask('transfer', { walletId: 'savings', secretType: 'ETHEREUM', to: RECIPIENT, value: '0.2' }, id);
  const answers = (path: string): (PasskeyAnswer | undefined)[] =>
    service.to(path).map(({ body }) => body['passkey'] as PasskeyAnswer | undefined);
  const typeCode = async (text: string): Promise<void> =>
    type((await w.find<HTMLTextAreaElement>('Recovery code')) as unknown as HTMLInputElement, text);
  async function settings(): Promise<Asked> {
    const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Settings');
    await w.title('Settings');
    return asked;
  }
  const isOn = async (): Promise<boolean> => (await w.find<HTMLInputElement>('Service passkey')).checked;
  async function approveByPasskey(): Promise<void> {
    await w.approval();
    await w.seen();
    await w.press('Approve with passkey');
  }
  async function choosePin(pin: string): Promise<void> {
    await w.pin(pin, 'PIN');
    await w.press('Continue');
    await w.pin(pin, 'Confirm PIN');
    await w.press('Continue');
  }

  it('is added in the settings, with the PIN', async () => {
    const managing = await settings();
    expect(await isOn()).to.equal(false);
    await w.press('Service passkey');
    await until(() => w.text().includes('your recovery code removes it'));
    await w.pin(SERVICE_PIN);
    await w.press('Continue');
    await until(() => w.text().includes('Passkey added'));
    expect(await isOn()).to.equal(true);
    expect(device.asked.create[0]!.user.name).to.equal('Carabiner wallet service');
    managing.abort.abort();
  });

  it('approves a transfer in the place of the PIN', async () => {
    await add();
    const asked = transfer();
    await approveByPasskey();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    expect(service.to(APPROVED)[0]!.body).not.to.have.property('pincode');
    expect(answers(APPROVED)[0]!.secret).to.equal(service.secret);
  });

  it('is not left on the device where the PIN was wrong', async () => {
    await settings();
    await w.press('Service passkey');
    await w.pin('111111');
    await w.press('Continue');
    await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
    expect(device.dropped).to.deep.equal([device.name]);
    await w.press('Back');
    expect(await isOn()).to.equal(false);
  });

  it('keeps the approval open when its dialog is closed, and nothing is stored', async () => {
    await add();
    const asked = transfer();
    device.mode = 'cancel';
    await approveByPasskey();
    await until(() => device.asked.get.length === 1);
    await w.find('Approve with passkey');
    expect(await w.vault.journal.get(ORIGIN, 'order-0001')).to.equal(undefined);
    device.mode = 'at once';
    await w.press('Approve with passkey');
    await settled(asked);
    expect(service.signed.size).to.equal(1);
  });

  it('makes the approval draw the transaction again when its dialog was open for longer than 90 s', async () => {
    await add();
    const asked = transfer();
    device.during = async () => {
      device.during = () => {};
      await w.clock.pass(91_000);
    };
    await approveByPasskey();
    await until(() => w.text().includes('The transaction changed meanwhile.'));
    expect(service.to(APPROVED)).to.have.length(0);
    await approveByPasskey();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    expect(service.signed.size).to.equal(1);
  });

  it('closes its dialog when the site withdraws the request', async () => {
    await add();
    const asked = transfer();
    device.during = () => new Promise(() => {});
    await approveByPasskey();
    await until(() => device.asked.get.length === 1);
    asked.abort.abort();
    await until(() => asked.settled);
    expect(service.to(APPROVED)).to.have.length(0);
  });

  it('signs data and shows a private key', async () => {
    await add();
    const asked = w.ask('sign', { walletId: 'savings', type: 'ETHEREUM_RAW', data: '0x5369676e20696e' });
    await approveByPasskey();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    void w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('More for Savings');
    await w.press('Export');
    (await until(() => deepAll<HTMLInputElement>(w.shell, 'input[type=checkbox]')[0])).click();
    await w.press('Show private key with passkey');
    await w.title('Private key of Savings');
  });

  it('recovers a lost answer, asked again', async () => {
    await add();
    service.loses[APPROVED] = 1;
    const asked = transfer();
    await approveByPasskey();
    await w.title('No answer yet');
    await w.press('Later');
    await settled(asked);
    const resumed = w.ask('resume', { requestId: 'order-0001' });
    await w.press('Continue with passkey');
    await settled(resumed);
    expect(resumed.error).to.equal(undefined);
    expect(service.signed.size).to.equal(1);
  });

  it('changes PIN and recovery code', async () => {
    await add();
    await settings();
    await w.press('Change service PIN');
    await choosePin(NEXT_PIN);
    await w.press('Continue with passkey');
    await until(() => service.pin === NEXT_PIN);
    await w.title('Settings');
    await w.press('New recovery code');
    await w.press('Continue with passkey');
    await w.title('Your recovery code');
    expect(answers('/api/pincode')[0]).not.to.equal(undefined);
  });

  it('gives a wallet a PIN of its own, which is then asked for beside it', async () => {
    await add();
    void w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('More for Savings');
    await w.press('Own PIN');
    await w.press('Continue');
    await choosePin(NEXT_PIN);
    await w.press('Continue with passkey');
    await w.title('Your recovery code');
    expect(service.ownPins.get('savings')).to.equal(NEXT_PIN);
  });

  it('creates no wallet: that takes the PIN', async () => {
    await add();
    const asked = w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Create wallet');
    await w.press('At the wallet service');
    await w.pin(SERVICE_PIN);
    await w.press('Continue');
    await settled(asked);
    expect(asked.error).to.equal(undefined);
    expect(device.asked.get).to.have.length(0);
  });

  it('is removed by itself', async () => {
    await add();
    await settings();
    await w.press('Service passkey');
    await w.press('Continue with passkey');
    await until(() => service.passkey === undefined);
    await w.title('Settings');
    expect(await isOn()).to.equal(false);
  });

  it('is removed by the recovery code once it is lost', async () => {
    await add();
    await settings();
    await w.press('Service passkey');
    await w.title('Use your passkey');
    await w.press('Use recovery code');
    await w.title('Remove the lost passkey');
    await typeCode(NEXT_CODE);
    await w.press('Remove passkey');
    await until(() => w.text().includes('This is not your recovery code.'));
    expect(service.passkey).not.to.equal(undefined);
    await typeCode(CODE);
    await w.press('Remove passkey');
    await w.title('Settings');
    expect(service.passkey).to.equal(undefined);
    expect(service.code).to.equal(CODE);
  });

  it('lets another device sign, with the recovery code', async () => {
    await add();
    service.devices.clear();
    await vault.service!.reload();
    const asked = w.ask('linkWallets', {});
    await w.press('Use them here');
    await w.title('Use your service wallets here');
    await typeCode(CODE);
    await w.press('Continue with passkey');
    await until(() => service.devices.size === 1);
    expect(service.to('/api/devices').at(-1)!.body).to.have.keys(['recoveryCode', 'passkey']);
    await w.find('Link wallets');
    asked.abort.abort();
  });

  it('does not keep another device out once it is lost: the recovery code sets a new PIN and removes it', async () => {
    await add();
    service.devices.clear();
    await vault.service!.reload();
    const asked = w.ask('linkWallets', {});
    await w.press('Use them here');
    await w.press('I lost my passkey');
    await w.title('Choose a new PIN');
    await typeCode(CODE);
    await w.press('Continue');
    await choosePin(NEXT_PIN);
    await w.title('Your recovery code');
    await w.press('Close');
    await until(() => service.passkey === undefined);
    expect(service.pin).to.equal(NEXT_PIN);
    await w.find('Link wallets');
    asked.abort.abort();
  });
});
