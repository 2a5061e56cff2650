import { expect } from '@open-wc/testing';
import { addressFacts, differences, isReserved } from '../../../src/chains/approval/known.ts';

/** A look-alike of `known` that keeps `head` and `tail` characters at its ends, after the form's common prefix. */
function poisoned(known: string, head: number, tail: number, other: string): string {
  const lead = known.startsWith('0x') ? 2 : /^(?:bc1q|ak_2)/.test(known) ? 4 : 1;
  const middle = known.length - lead - head - tail;
  return known.slice(0, lead + head) + other.repeat(middle) + known.slice(known.length - tail);
}

const facts = (address: string, known: string) => {
  const { resembles, close } = addressFacts(address, { own: [], used: [known], reported: [] });
  expect(resembles ?? known).to.equal(known);
  return resembles === undefined ? 'other' : close ? 'close' : 'alike';
};

describe('an address made to look like a known one', () => {
  const hex = '0x1234567890aBcDeF1234567890AbCdEf12345678';
  const bech32 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const tron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
  const ae = 'ak_2swhLkgBPeeADxVTAVCJnZLY5NZtCFiM93JxsEaMuC59euuFRQ';
  for (const [name, known, other, head, tail, expected] of [
    ['3 and 3 hex digits are alike', hex, '9', 3, 3, 'alike'],
    ['4 and 3 hex digits are alike', hex, '9', 4, 3, 'alike'],
    ['4 and 4 hex digits are close', hex, '9', 4, 4, 'close'],
    ['3 and 2 hex digits are chance', hex, '9', 3, 2, 'other'],
    ['2 and 3 hex digits are chance', hex, '9', 2, 3, 'other'],
    ['the effort of 3 and 3, spent as 2 and 4, is the same', hex, '9', 2, 4, 'alike'],
    ['6 hex digits at one end are alike', hex, '9', 6, 0, 'alike'],
    ['or at the other', hex, '9', 0, 6, 'alike'],
    ['and so is that effort, spent as 5 and 1', hex, '9', 5, 1, 'alike'],
    ['5 hex digits at one end are chance', hex, '9', 5, 0, 'other'],
    ['0 and 5 as well', hex, '9', 0, 5, 'other'],
    ['an end alone is never close', hex, '9', 12, 0, 'alike'],
    ['5 characters of bech32 at one end are alike', bech32, 'p', 0, 5, 'alike'],
    ['4 of them are chance', bech32, 'p', 4, 0, 'other'],
    ['5 characters of base58 at one end are alike', tron, 'u', 5, 0, 'alike'],
    ['4 of them are chance on Tron', tron, 'u', 4, 0, 'other'],
    ['3 and 2 characters of bech32 are alike', bech32, 'p', 3, 2, 'alike'],
    ['2 and 2 characters of bech32 are chance', bech32, 'p', 2, 2, 'other'],
    ['4 and 3 characters of bech32 are close', bech32, 'p', 4, 3, 'close'],
    ['3 and 3 characters of bech32 are alike only', bech32, 'p', 3, 3, 'alike'],
    ['2 and 3 characters of base58 are alike', tron, 'u', 2, 3, 'alike'],
    ['2 and 2 characters of base58 are chance', tron, 'u', 2, 2, 'other'],
    ['3 and 3 characters of base58 are close', tron, 'u', 3, 3, 'close'],
    ['and so on Aeternity', ae, 'u', 3, 3, 'close'],
    ['whose fixed beginning does not count', ae, 'q', 1, 3, 'other'],
  ] as const)
    it(name, () => {
      expect(facts(poisoned(known, head, tail, other), known)).to.equal(expected);
    });

  it('is found whatever its case is', () => {
    expect(facts(poisoned(hex.toLowerCase(), 4, 4, '9').replace('0x', '0X'), hex)).to.equal('close');
    // A case-insensitive base58 search is cheaper: 3 and 3 characters are 30 bits.
    const loud = 'TJRDbPrwbZy45sbavfcjinPJC18kjpRTVK';
    const twin = poisoned(loud, 3, 3, 'u');
    expect(facts(twin, loud)).to.equal('close');
    expect(facts(`T${twin.slice(1).toLowerCase()}`, loud)).to.equal('alike');
  });

  it('is found among own wallets and addresses only seen, which does not make them familiar', () => {
    const twin = poisoned(hex, 4, 4, '9');
    const nobody = { own: [], used: [], reported: [] };
    expect(addressFacts(twin, { ...nobody, own: [hex] }).resembles).to.equal(hex);
    expect(addressFacts(twin, { ...nobody, seen: [hex] }).resembles).to.equal(hex);
    expect(addressFacts(hex, { ...nobody, seen: [hex] })).to.deep.equal({ familiar: false, reported: false });
    expect(addressFacts(twin, { ...nobody, own: [twin], used: [hex] }).resembles).to.equal(undefined);
  });

  it('says at which end they match, if only at one', () => {
    const endOf = (head: number, tail: number) =>
      addressFacts(poisoned(hex, head, tail, '9'), { own: [], used: [hex], reported: [] }).end;
    expect([endOf(6, 0), endOf(0, 6), endOf(5, 1), endOf(3, 3)]).to.deep.equal([
      'start',
      'end',
      'start',
      undefined,
    ]);
  });

  it('is no contract that begins with zeros, nor one of a network’s own', () => {
    // Permit2 and two versions of Seaport; contracts of OP Stack and of VeChain.
    for (const [one, other] of [
      ['0x000000000022D473030F116dDEE9F6B43aC78BA3', '0x0000000000000068F116a894984e2DB1033eB395'],
      ['0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC', '0x0000000000000068F116a894984e2DB1033eB395'],
      ['0x4200000000000000000000000000000000000006', '0x4200000000000000000000000000000000000010'],
      ['0x0000000000000000000000000000456E65726779', '0x0000000000000000000000000000506172616D73'],
    ] as const)
      expect(facts(one, other), one).to.equal('other');
  });

  it('is compared with one that matches at both ends before any other', () => {
    const [both, start] = [poisoned(hex, 3, 3, '8'), poisoned(hex, 12, 0, '7')];
    expect(addressFacts(hex, { own: [start], used: [both], reported: [] })).to.deep.include({
      resembles: both,
    });
  });

  it('is compared with the one it is closest to', () => {
    const [near, nearer] = [poisoned(hex, 3, 3, '8'), poisoned(hex, 5, 5, '7')];
    expect(addressFacts(hex, { own: [near], used: [nearer], reported: [] }).resembles).to.equal(nearer);
  });

  it('is marked where it differs', () => {
    expect([...differences('0x1234AB99', '0x1234abCD')]).to.deep.equal([8, 9]);
    expect([...differences('Tabc9XYZ', 'TabcQxYZ')]).to.deep.equal([4, 5]);
    // With another length the ends are compared.
    expect([...differences('1abcdXYZ', '1abcdeXYZ')]).to.deep.equal([]);
    expect([...differences('1abc9XYZ', '1abcdeXYZ')]).to.deep.equal([4]);
  });
});

it('the zero address and the protocol’s own belong to nobody', () => {
  const at = (digits: string) => `0x${digits.padStart(40, '0')}`;
  for (const digits of ['', '1', 'a', '11', '100', 'dEaD', 'ffff', 'e'.repeat(40)])
    expect(isReserved(at(digits)), digits).to.equal(true);
  for (const digits of ['10000', '456E65726779', '1'.repeat(40)])
    expect(isReserved(at(digits)), digits).to.equal(false);
});
