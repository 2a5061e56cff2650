/** Keys from other wallets: each chain's own formats, the addresses by its own SDK, and coins on a Bitcoin key's older address. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encode, Encoding, MemoryAccount } from '@aeternity/aepp-sdk';
import { Address, keystore, Secp256k1 } from '@vechain/sdk-core';
import { payments } from 'bitcoinjs-lib';
import { encryptKeystoreJson, Wallet as EthersWallet } from 'ethers';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import aeternityKeystore from '../vectors/aeternity-keystore.vectors.json' with { type: 'json' };
import { CASES, ECPair, ENCODINGS, missing, p2wpkh } from './chain-cases.ts';
import { openWorld, PIN, type Visitor, type WalletView, type World } from './harness.ts';
import { pathOf } from './hosts.ts';
import { onEveryChain } from './parts.ts';
import { EVERY_CHAIN } from './variants.ts';

const PASSWORD = 'correct horse';
let world: World;
let visitor: Visitor;
before(async () => {
  world = await openWorld({
    chains: EVERY_CHAIN ? ['VECHAIN', 'BITCOIN', 'LITECOIN', 'AETERNITY'] : ['BITCOIN'],
  });
  visitor = await world.visit('iframe');
  await visitor.createWallet();
});
after(() => world.close());

/** Opens the import view of a chain. */
async function importing(chain: SecretType): Promise<WalletView> {
  await visitor.open(pathOf(chain));
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.clickAtRest('Import wallet');
  return view;
}

async function giveKey(view: WalletView, key: string): Promise<void> {
  await view.box('Private key').fill(key);
  await view.clickAtRest('Import wallet');
}

/** Enters the PIN, after which the wallet closes or offers something. */
async function keep(view: WalletView): Promise<void> {
  await view.type('PIN', PIN);
  await view.press('Continue');
}

async function imported(chain: SecretType, address: string): Promise<void> {
  await visitor.event('result', 'manageWallets');
  const found = (await visitor.wallets()).find((wallet) => wallet.address === address);
  assert.equal(found?.secretType, chain, `no wallet has ${address}`);
}

for (const chain of EVERY_CHAIN ? (['BITCOIN', 'LITECOIN'] as const) : (['BITCOIN'] as const))
  test(`a WIF key of ${chain}; one of the uncompressed form is refused`, {
    skip: missing(chain),
  }, async () => {
    const network = ENCODINGS[chain];
    const pair = ECPair.makeRandom({ network });
    const view = await importing(chain);
    await giveKey(view, ECPair.fromPrivateKey(pair.privateKey!, { network, compressed: false }).toWIF());
    await view.text(/^This WIF key is of the older, uncompressed form/).waitFor();
    await giveKey(view, pair.toWIF());
    await keep(view);
    await view.gone();
    await imported(chain, p2wpkh(pair.publicKey, network));
  });

test('a WIF key with coins on its older address: they are moved', { skip: missing('BITCOIN') }, async () => {
  const network = ENCODINGS.BITCOIN;
  const pair = ECPair.makeRandom({ network });
  const older = payments.p2pkh({ pubkey: pair.publicKey, network }).address!;
  const own = p2wpkh(pair.publicKey, network);
  const local = world.local.BITCOIN as LocalUtxo;
  await local.fund(older, 5_000_000n);
  const view = await importing('BITCOIN');
  await giveKey(view, pair.toWIF());
  await keep(view);
  await view.heading('Coins on the older address').waitFor();
  await imported('BITCOIN', own);
  assert.ok(await view.address(older).isVisible());
  await view.button('Move it here').click();
  await view.root.getByText('Move coins here', { exact: true }).waitFor();
  const paid = await view.pay(8);
  await view.done();
  assert.equal(await CASES.BITCOIN.holds(local, older), 0n);
  assert.equal(await CASES.BITCOIN.holds(local, own), 5_000_000n - paid);
});

const KEY_FILES: [SecretType, () => Promise<{ file: string; address: string; password?: string }>][] = [
  [
    'ETHEREUM',
    async () => {
      const { privateKey, address } = EthersWallet.createRandom();
      const file = await encryptKeystoreJson({ privateKey, address }, PASSWORD, { scrypt: { N: 4096 } });
      return { file, address };
    },
  ],
  [
    'VECHAIN',
    async () => {
      const key = await Secp256k1.generatePrivateKey();
      const address = Address.ofPrivateKey(key).toString();
      return {
        file: JSON.stringify(await keystore.encrypt(key, PASSWORD)),
        address,
      };
    },
  ],
  [
    'AETERNITY',
    async () => {
      const { keystore: file, secretKey, password } = aeternityKeystore;
      const secret = Buffer.from(secretKey.slice(0, 64), 'hex');
      const { address } = new MemoryAccount(encode(secret, Encoding.AccountSecretKey));
      return { file: JSON.stringify(file), address, password };
    },
  ],
];
for (const [chain, made] of KEY_FILES)
  (chain === 'ETHEREUM' ? test : onEveryChain)(
    `a key file of ${chain}; a wrong password is told`,
    async () => {
      const { file, address, password: own = PASSWORD } = await made();
      const view = await importing(chain);
      await view.root.getByRole('radio', { name: 'Key file' }).check();
      const upload = { name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(file) };
      await view.root.locator('input[type=file]').setInputFiles(upload);
      const password = view.box('Password of the file');
      await password.fill('wrong');
      await view.clickAtRest('Import wallet');
      await view.text('This password does not open the key file.').first().waitFor();
      await password.fill(own);
      await view.clickAtRest('Import wallet');
      await keep(view);
      await view.gone();
      await imported(chain, address);
    },
  );

onEveryChain('a secret of Aeternity', async () => {
  const { secretKey, address } = MemoryAccount.generate();
  const view = await importing('AETERNITY');
  await giveKey(view, secretKey);
  await keep(view);
  await view.gone();
  await imported('AETERNITY', address);
});

onEveryChain('<link-wallets secret-types> offers the wallets of these chains alone', async () => {
  const all = await visitor.wallets();
  const own = all.filter(({ secretType }) => secretType === 'VECHAIN');
  assert.ok(own.length > 0 && own.length < all.length);
  for (const { id } of all) await visitor.evaluate((each) => window.connect.unlink(each), id);
  await visitor.open(pathOf('VECHAIN'));
  const view = await visitor.linking(() => visitor.button('Connect wallet').click());
  const boxes = view.root.getByRole('checkbox', { name: /, / });
  await boxes.first().waitFor();
  assert.equal(await boxes.count(), own.length);
  for (const box of await boxes.all()) await box.check();
  await view.leave('Link wallets');
  assert.deepEqual(
    (await visitor.wallets()).map(({ address }) => address),
    own.map(({ address }) => address),
  );
});
