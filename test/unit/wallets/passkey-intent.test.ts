import { expect } from '@open-wc/testing';
import { chainOf, challengeOf, encodeIntent, type Intent } from '../../../src/wallets/passkey-intent.ts';

const INTENT: Intent = {
  action: 'send',
  walletId: 'w-1',
  origin: 'https://shop.example',
  chain: 'ETHEREUM mainnet 1',
  requestId: 'request-0001',
  content: {
    to: '0x00',
    value: 15n,
    data: new Uint8Array([1, 0xab]),
    gas: 21000,
    none: undefined,
    list: [null],
  },
};

/** Made by hand: `printf 'carabiner.passkey.v1\n[…]' | sha256sum`. */
const VECTORS: [string, Intent, string, string][] = [
  [
    'a draft',
    INTENT,
    'carabiner.passkey.v1\n["send","w-1","https://shop.example","ETHEREUM mainnet 1","request-0001",{"data":0x01ab,"gas":21000,"list":[null],"to":"0x00","value":15n}]',
    '4d310d3eb1cbe71c01b976e3ac20792b91a74c5a674feda03b1edbc8e1ce9a0c',
  ],
  [
    'a request to sign',
    { ...INTENT, action: 'sign', content: { type: 'ETHEREUM_RAW', walletId: 'w-1', data: '0x48656c6c6f' } },
    'carabiner.passkey.v1\n["sign","w-1","https://shop.example","ETHEREUM mainnet 1","request-0001",{"data":"0x48656c6c6f","type":"ETHEREUM_RAW","walletId":"w-1"}]',
    '7fec25c773f25fcab0cd10e5f9ca91a8c811a1b7374a7c851f4740efea65bc1e',
  ],
  [
    'what concerns the whole vault',
    {
      action: 'open',
      walletId: '',
      origin: 'https://wallet.example',
      chain: '',
      requestId: 'r',
      content: null,
    },
    'carabiner.passkey.v1\n["open","","https://wallet.example","","r",null]',
    '112de7a91f7e3fd1f87e299fd52b0f13bb017c24c6e368344c4e3b500c93df71',
  ],
];

const hex = async (intent: Intent): Promise<string> =>
  Array.from(await challengeOf(intent), (byte) => byte.toString(16).padStart(2, '0')).join('');

describe('the challenge of a passkey', () => {
  for (const [name, intent, text, challenge] of VECTORS)
    it(`for ${name} is what it always was`, async () => {
      expect(encodeIntent(intent)).to.equal(text);
      expect(await hex(intent)).to.equal(challenge);
    });

  it('does not depend on the order in which a draft was put together', async () => {
    const { to, value, data, gas, list } = INTENT.content as Record<string, unknown>;
    expect(await hex({ ...INTENT, content: { list, gas, data, value, to } })).to.equal(await hex(INTENT));
  });

  const content = INTENT.content as Record<string, unknown>;
  const others: Record<string, Partial<Intent>> = {
    'another action': { action: 'sign' },
    'another wallet': { walletId: 'w-2' },
    'another site': { origin: 'https://shop.example.evil' },
    'another chain': { chain: 'ETHEREUM sepolia 11155111' },
    'another request': { requestId: 'request-0002' },
    'one byte of the data': { content: { ...content, data: new Uint8Array([1, 0xaa]) } },
    'one wei': { content: { ...content, value: 16n } },
    'a text in place of a number': { content: { ...content, value: '15n' } },
    'a text in place of bytes': { content: { ...content, data: '0x01ab' } },
    'a number in place of a bigint': { content: { ...content, value: 15 } },
    'a field more': { content: { ...content, nonce: 0 } },
    'a part moved into the next one': { walletId: 'w-1","https://shop.example', origin: '' },
  };
  for (const [name, change] of Object.entries(others))
    it(`is another one for ${name}`, async () => {
      expect(await hex({ ...INTENT, ...change })).not.to.equal(await hex(INTENT));
    });

  it('is not made for values that cannot be serialized', () => {
    expect(() => encodeIntent({ ...INTENT, content: { when: new Date(0) } })).to.throw(TypeError);
  });

  it('names chain and network', () => {
    expect(chainOf({ secretType: 'ETHEREUM', id: 'mainnet', chainId: 1 })).to.equal('ETHEREUM mainnet 1');
    expect(chainOf({ secretType: 'BITCOIN', id: 'testnet' })).to.equal('BITCOIN testnet ');
  });
});
