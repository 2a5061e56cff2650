import { expect } from '@open-wc/testing';
import { concat } from '../../../src/base/bytes.ts';
import {
  hashOf,
  objectId,
  type SlotKeys,
  slotKeys,
  type VaultKeys,
  vaultKeys,
} from '../../../src/sync/keys.ts';
import {
  isAuthentic,
  openSlot,
  openVaultObject,
  readObject,
  sealSlot,
  sealTombstone,
  sealVault,
} from '../../../src/sync/objects.ts';
import type { Bytes } from '../../../src/wallets/records.ts';
import { failure } from '../wallets/setup.ts';

const RP = 'wallet.example';
const fill = (byte: number) => new Uint8Array(32).fill(byte);
const utf8 = (text: string) => new TextEncoder().encode(text);
const CONTENT = utf8('{"wallets":[]}');

interface Made {
  slot: SlotKeys;
  vault: VaultKeys;
  slotBytes: Bytes;
  vaultBytes: Bytes;
  readSlot(bytes: Bytes): Promise<Bytes>;
  readVault(bytes: Bytes): Promise<Bytes>;
}

async function made(): Promise<Made> {
  const slot = await slotKeys(fill(1), RP);
  const vault = await vaultKeys(fill(2), RP);
  const owner = slot.signer.publicKey;
  const writer = vault.signer.publicKey;
  const address = { open: slot.opening.publicKey, commitment: slot.commitment };
  return {
    slot,
    vault,
    slotBytes: await sealSlot(address, { rpId: RP, owner, writer, counter: 1n }, fill(2)),
    vaultBytes: await sealVault(vault, { rpId: RP, owner: writer, counter: 1n }, CONTENT),
    readSlot: async (bytes) => openSlot(readObject(bytes, { kind: 'slot', rpId: RP, owner }), slot),
    readVault: async (bytes) =>
      openVaultObject(readObject(bytes, { kind: 'vault', rpId: RP, owner: writer }), vault),
  };
}

describe('an object of the copy', () => {
  it('has the bytes of the format, field by field', async () => {
    const { slot, vault, slotBytes, vaultBytes } = await made();
    const site = hashOf(utf8(RP));
    const owner = slot.signer.publicKey;
    const expected = concat(
      utf8('CBSY'),
      Uint8Array.of(1, 1, 0, 0),
      site,
      objectId('slot', owner),
      owner,
      vault.signer.publicKey,
      Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1),
      new Uint8Array(32),
      slot.commitment,
    );
    expect(expected).to.have.length(208);
    expect(slotBytes.slice(0, 208)).to.deep.equal(expected);
    expect(slotBytes).to.have.length(208 + 32 + 48);
    expect(vaultBytes.slice(0, 8)).to.deep.equal(concat(utf8('CBSY'), Uint8Array.of(1, 2, 0, 0)));
    expect(vaultBytes.slice(104, 136), 'no writer').to.deep.equal(new Uint8Array(32));
    expect(vaultBytes).to.have.length(208 + 12 + 1024 + 16);
  });

  it('opens for its keys, and never shows R or the content', async () => {
    const { slotBytes, vaultBytes, readSlot, readVault } = await made();
    expect(await readSlot(slotBytes)).to.deep.equal(fill(2));
    expect(await readVault(vaultBytes)).to.deep.equal(CONTENT);
    expect(String(slotBytes)).not.to.contain(String(fill(2)));
    expect(String(vaultBytes)).not.to.contain(String(CONTENT));
  });

  it('with any byte of its header changed is refused', async () => {
    const { slotBytes, vaultBytes, readSlot, readVault } = await made();
    const codes = new Set<unknown>();
    for (let i = 0; i < 208; i++) {
      for (const [bytes, read] of [
        [slotBytes, readSlot],
        [vaultBytes, readVault],
      ] as const) {
        const changed = bytes.slice();
        changed[i]! ^= 1;
        const { code } = await failure(read(changed));
        expect(code, String(i)).to.match(/^copy\.(damaged|foreign|version|commitment)$/);
        codes.add(code);
      }
    }
    expect(codes.size).to.equal(4);
  });

  it('with its body changed, or cut or longer anywhere, is refused', async () => {
    const { slotBytes, vaultBytes, readSlot, readVault } = await made();
    for (const [bytes, read] of [
      [slotBytes, readSlot],
      [vaultBytes, readVault],
    ] as const) {
      for (const i of [208, 215, 239, 240, bytes.length - 17, bytes.length - 1]) {
        const changed = bytes.slice();
        changed[i]! ^= 128;
        expect(await failure(read(changed))).to.include({ code: 'copy.damaged' });
      }
      for (const length of [0, 1, 207, 208, bytes.length - 1])
        expect(await failure(read(bytes.slice(0, length)))).to.include({ code: 'copy.damaged' });
      expect(await failure(read(concat(bytes, Uint8Array.of(0))))).to.include({ code: 'copy.damaged' });
      expect(await failure(read(concat(bytes, new Uint8Array(70_000))))).to.include({ code: 'copy.damaged' });
    }
  });

  it('of a newer version is not guessed at', async () => {
    const { vaultBytes, readVault } = await made();
    const newer = vaultBytes.slice();
    newer[4] = 2;
    expect(await failure(readVault(newer))).to.include({ code: 'copy.version' });
  });

  it('of another owner, site or kind is not taken for one’s own', async () => {
    const { vault, slotBytes, vaultBytes, readSlot, readVault } = await made();
    const other = await vaultKeys(fill(9), RP);
    const place = { rpId: RP, owner: other.signer.publicKey, counter: 1n };
    expect(await failure(readVault(await sealVault(other, place, CONTENT)))).to.include({
      code: 'copy.foreign',
    });
    expect(await failure(readSlot(vaultBytes))).to.include({ code: 'copy.foreign' });
    expect(await failure(readVault(slotBytes))).to.include({ code: 'copy.foreign' });
    const elsewhere = { rpId: 'evil.example', owner: vault.signer.publicKey, counter: 1n };
    expect(await failure(readVault(await sealVault(vault, elsewhere, CONTENT)))).to.include({
      code: 'copy.foreign',
    });
  });

  it('that another key opens, too, is not opened: the commitment comes first', async () => {
    const { vault, readVault } = await made();
    const other = await vaultKeys(fill(9), RP);
    const place = { rpId: RP, owner: vault.signer.publicKey, counter: 1n };
    // The right key for the body, the commitment of another.
    const crafted = await sealVault({ ...vault, commitment: other.commitment }, place, CONTENT);
    expect(await failure(readVault(crafted))).to.include({ code: 'copy.commitment' });
    // And the reverse.
    const wrong = await sealVault({ ...other, commitment: vault.commitment }, place, CONTENT);
    expect(await failure(readVault(wrong))).to.include({ code: 'copy.damaged' });
  });

  it('is padded to a power of two of KiB, and refuses any other padding', async () => {
    const { vault, readVault } = await made();
    const owner = vault.signer.publicKey;
    const place = { rpId: RP, owner, counter: 1n };
    for (const [length, padded] of [
      [0, 1024],
      [1020, 1024],
      [1021, 2048],
      [32_764, 32_768],
    ] as const) {
      const bytes = await sealVault(vault, place, new Uint8Array(length).fill(7));
      expect(bytes.length - 208 - 28).to.equal(padded);
      expect(await readVault(bytes)).to.have.length(length);
    }
    const full = await failure(sealVault(vault, place, new Uint8Array(32_765)));
    expect(full).to.include({ code: 'copy.too-large' });
    const header = (await sealVault(vault, place, CONTENT)).slice(0, 208);
    const withPlain = async (edit: (plain: Bytes) => void) => {
      const plain = new Uint8Array(1024);
      plain[3] = CONTENT.length;
      plain.set(CONTENT, 4);
      edit(plain);
      const iv = fill(3).slice(0, 12);
      const algorithm = { name: 'AES-GCM', iv, additionalData: header };
      return concat(header, iv, new Uint8Array(await crypto.subtle.encrypt(algorithm, vault.sealing, plain)));
    };
    expect(await readVault(await withPlain(() => {}))).to.deep.equal(CONTENT);
    const nonZero = await withPlain((plain) => plain.fill(1, 1023));
    expect(await failure(readVault(nonZero))).to.include({ code: 'copy.damaged' });
    const tooLong = await withPlain((plain) => plain.fill(255, 0, 4));
    expect(await failure(readVault(tooLong))).to.include({ code: 'copy.damaged' });
  });

  it('has a place in its chain: only the first has no predecessor', async () => {
    const { vault, readVault } = await made();
    const owner = vault.signer.publicKey;
    const seal = (counter: bigint, previous?: Bytes) =>
      sealVault(vault, { rpId: RP, owner, counter, previous }, CONTENT);
    expect(await readVault(await seal(2n ** 63n, fill(5)))).to.deep.equal(CONTENT);
    for (const bytes of [await seal(0n), await seal(2n), await seal(1n, fill(5))])
      expect(await failure(readVault(bytes))).to.include({ code: 'copy.damaged' });
  });
});

describe('a tombstone', () => {
  it('is authentic if the owner signed it, or the writer that was known before', async () => {
    const { slot, vault, slotBytes } = await made();
    const owner = slot.signer.publicKey;
    const writer = vault.signer.publicKey;
    const place = { rpId: RP, owner, writer, counter: 2n, previous: hashOf(slotBytes) };
    const read = (bytes: Bytes) => readObject(bytes, { kind: 'slot', rpId: RP, owner });
    const own = read(await sealTombstone('slot', place, slot.signer));
    expect(own).to.include({ isTombstone: true, counter: 2n });
    expect(own.bytes).to.have.length(272);
    expect(await isAuthentic(own, owner)).to.equal(true);
    const byWriter = read(await sealTombstone('slot', place, vault.signer));
    expect(await isAuthentic(byWriter, owner, writer)).to.equal(true);
    expect(await isAuthentic(byWriter, owner), 'names its own writer').to.equal(false);
    const stranger = await vaultKeys(fill(9), RP);
    const forged = await sealTombstone(
      'slot',
      { ...place, writer: stranger.signer.publicKey },
      stranger.signer,
    );
    expect(await isAuthentic(read(forged), owner, writer)).to.equal(false);
  });

  it('is never opened as something that lives', async () => {
    const { slot, vault, readSlot } = await made();
    const owner = slot.signer.publicKey;
    const place = { rpId: RP, owner, writer: vault.signer.publicKey, counter: 2n, previous: fill(5) };
    expect(await failure(readSlot(await sealTombstone('slot', place, slot.signer)))).to.include({
      code: 'copy.commitment',
    });
  });
});
