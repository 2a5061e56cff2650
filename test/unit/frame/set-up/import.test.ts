import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import { loadChain } from '../../../../src/chains/index.ts';
import type { NetworkKind, Networks } from '../../../../src/chains/network.ts';
import { SECRET_TYPES, type SecretType } from '../../../../src/chains/secret-type.ts';
import keystores from '../../../vectors/keystore-v3.vectors.json' with { type: 'json' };
import { type ImportKind, ImportView } from '../../../../src/frame/set-up/import-view.ts';
import { deepAll, named, show, type } from '../scene.ts';
import { PIN, settled, until, world, type World } from '../world.ts';

function networksOf(kind: NetworkKind): Networks {
  return {
    customNodes: false,
    reported: [],
    networks: SECRET_TYPES.map((secretType) => ({
      id: secretType.toLowerCase(),
      secretType,
      name: secretType,
      kind,
      nodes: ['http://node.invalid'],
      tokens: [],
    })),
  };
}

async function importing(chain: SecretType, kind: NetworkKind = 'mainnet') {
  const w = await world({ networks: networksOf(kind), chains: loadChain });
  const asked = w.ask('manageWallets', { chain });
  await w.press('Import wallet');
  await w.title('Import wallet');
  return { w, asked };
}

async function giveKey(w: World, key: string): Promise<void> {
  type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]), key);
  await w.press('Import wallet');
}

/** Waits until the file is read; the password completes the form. */
async function giveFile(w: World, text: string, password: string): Promise<void> {
  const input = await until(() => deepAll<HTMLInputElement>(w.shell, 'input[type=file]')[0]);
  const data = new DataTransfer();
  data.items.add(new File([text], 'key.json'));
  input.files = data.files;
  input.dispatchEvent(new Event('change'));
  await until(() => !deepAll(w.shell, '#error').length);
  type(named<HTMLInputElement>(w.shell, 'Password of the file'), password);
  await w.press('Import wallet');
}

async function finish(w: World): Promise<void> {
  await w.pin(PIN);
  await w.press('Continue');
}

const ONE = `${'0'.repeat(63)}1`;

/** Of BIP-39's test vectors. */
const VECTOR = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

async function typed(kinds: readonly ImportKind[], text: string): Promise<string> {
  const view = Object.assign(new ImportView(), { kinds, check: () => true });
  const { shell, settle } = await show(view);
  type(deepAll<HTMLTextAreaElement>(shell, 'textarea')[0]!, text);
  await settle();
  expect(named(shell, 'Import wallet').getAttribute('aria-disabled')).to.equal('true');
  return deepAll(shell, '#error')[0]?.textContent?.trim() ?? '';
}

describe('importing what belongs into another field', () => {
  for (const text of [VECTOR, VECTOR.replaceAll(' ', '\n'), `1. ${VECTOR.replaceAll(' ', ', ')}`])
    it(`says at once that ${JSON.stringify(text.slice(0, 13))} are words and no private key`, async () => {
      expect(await typed(['key', 'phrase'], text)).to.equal(
        'These are the words of a recovery phrase. Choose “12 words” above.',
      );
      expect(await typed(['key'], text)).to.equal(
        'These are the words of a recovery phrase. Only a private key can be imported here.',
      );
    });

  it('says at once that a private key is no phrase', async () => {
    for (const key of [ONE, `0x${ONE}`, 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn']) {
      expect(await typed(['phrase', 'key'], key)).to.equal(
        'This is a private key. Choose “Private key” above.',
      );
      expect(await typed(['phrase'], key)).to.equal('This is a private key, not the 12 words.');
    }
  });
});

describe('importing a private key', () => {
  for (const [chain, key, address] of [
    ['ETHEREUM', `0x${ONE}`, '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
    ['GOCHAIN', ONE, '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
    ['VECHAIN', ONE, '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
    ['TRON', ONE, 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC'],
    // BIP-173's example.
    [
      'BITCOIN',
      'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ],
    [
      'LITECOIN',
      'T33ydQRKp4FCW5LCLLUB7deioUMoveiwekdwUwyfRDeGZm76aUjV',
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    ],
    // aepp-sdk-js test/unit/memory-account.ts (ISC).
    [
      'AETERNITY',
      'sk_2CuofqWZHrABCrM7GY95YSQn8PyFvKQadnvFnpwhjUnDCFAWmf',
      'ak_21A27UVVt3hDkBE5J7rhhqnH5YNb4Y1dqo4PnSybrH85pnWo7E',
    ],
  ] as const)
    it(`of ${chain} gives its address`, async () => {
      const { w, asked } = await importing(chain);
      await giveKey(w, key);
      await finish(w);
      await settled(asked);
      expect((asked.result as Wallet).address).to.equal(address);
    });

  it('takes the keys of test networks where the wallet is on one', async () => {
    const { w, asked } = await importing('BITCOIN', 'testnet');
    await giveKey(w, 'cTPnaF52x4w4Tq6afPxRHux3wbYb86thS7S45A7r3oZc1AHTQ6Qm');
    await finish(w);
    await settled(asked);
    expect((asked.result as Wallet).address).to.match(/^tb1q/);
  });

  // Keys: bitcoin/bitcoin and litecoin-project/litecoin src/test/data/key_io_valid.json (MIT).
  for (const [what, chain, key, words] of [
    ['other text', 'ETHEREUM', 'not a key', 'This is not a private key for Ethereum.'],
    ['a part', 'ETHEREUM', '0xabc', 'A private key does not have 3 characters.'],
    ['0', 'ETHEREUM', '0'.repeat(64), 'This is not a valid private key.'],
    ['a key file’s text', 'VECHAIN', '{"crypto":{}}', 'Choose “Key file” above'],
    ['a key file’s text, where none is read', 'TRON', '{"crypto":{}}', 'Only the private key itself'],
    [
      'a mistyped WIF key',
      'BITCOIN',
      'L195WBrf2G3nCnun4CLxrb8XKk9LbCqH43THh4n4QrL5SzRzpq9k',
      'A character of this key is mistyped',
    ],
    [
      'an uncompressed WIF key',
      'BITCOIN',
      '5KcrFZvJ2p4dM6QVUPu53cKXcCfozA1PJLHm1mNAxkDYhgThLu4',
      'older, uncompressed form',
    ],
    [
      'a WIF key of a test network',
      'BITCOIN',
      'cTPnaF52x4w4Tq6afPxRHux3wbYb86thS7S45A7r3oZc1AHTQ6Qm',
      'This key is of a test network',
    ],
    [
      'a WIF key of Litecoin',
      'BITCOIN',
      'T5MZ5z9WqJxzVxYyVPecTJUSDkzDWrUYe1JuSX2AqJ9jKmLJrvTE',
      'This is a Litecoin key, not a Bitcoin one.',
    ],
    ['an encrypted WIF key', 'LITECOIN', `6P${'a'.repeat(56)}`, 'encrypted with a password'],
    ['an extended key', 'LITECOIN', `xprv${'a'.repeat(107)}`, 'stands for many addresses'],
    [
      'an address',
      'AETERNITY',
      'ak_21A27UVVt3hDkBE5J7rhhqnH5YNb4Y1dqo4PnSybrH85pnWo7E',
      'This is an address.',
    ],
    [
      'a mistyped secret',
      'AETERNITY',
      'sk_2CuofqWZHrABCrM7GY95YSQn8PyFvKQadnvFnpwhjUnDCFAWmg',
      'A character of this key is mistyped',
    ],
    ['a secret with a wrong public half', 'AETERNITY', '46'.repeat(64), 'does not belong to the first'],
  ] as const)
    it(`says of ${what} for ${chain} what it is`, async () => {
      const { w, asked } = await importing(chain);
      await giveKey(w, key);
      await until(() => w.text().includes(words), words);
      expect(deepAll(w.shell, '#error'), 'in one place').to.have.length(1);
      expect(asked.settled).to.equal(false);
    });
});

describe('importing a key file', () => {
  const { keystore, password, privateKey } = keystores.vectors.find(({ name }) => name === 'mycrypto')!;
  const chooseFile = async (w: World): Promise<void> => {
    (await w.find('Key file')).click();
    await w.find('Password of the file');
  };

  it('is offered if the chain’s wallets save key files', async () => {
    for (const chain of SECRET_TYPES) {
      const { w } = await importing(chain);
      const offered = deepAll<HTMLInputElement>(w.shell, 'input[type=radio]').length;
      expect(offered, chain).to.equal(/ETHEREUM|GOCHAIN|VECHAIN|AETERNITY/.test(chain) ? 2 : 0);
    }
  });

  it('opens it with its password', async () => {
    const { w, asked } = await importing('VECHAIN');
    await chooseFile(w);
    await giveFile(w, JSON.stringify(keystore), password!);
    await finish(w);
    await settled(asked);
    const chain = await loadChain('VECHAIN');
    const address = chain.address(await chain.importKey(privateKey!), 'mainnet');
    expect((asked.result as Wallet).address).to.equal(address);
  });

  it('says what is wrong with a file', async () => {
    const { w } = await importing('ETHEREUM');
    await chooseFile(w);
    for (const [text, words] of [
      ['{}', 'This key file cannot be opened.'],
      ['hello', 'This is not a key file.'],
      [JSON.stringify(keystore), 'This password does not open the key file.'],
      [
        '{"public_key":"ak_21A27UVVt3hDkBE5J7rhhqnH5YNb4Y1dqo4PnSybrH85pnWo7E","crypto":{}}',
        'This key file belongs to Aeternity, not to Ethereum.',
      ],
      ['{"address":"TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"}', 'This key file belongs to Tron'],
    ] as const) {
      await giveFile(w, text, 'guess');
      await until(() => w.text().includes(words), words);
    }
  });
});
