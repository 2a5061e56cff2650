import { expect } from '@open-wc/testing';
import { decodeRlp, encodeRlp, getBytes } from 'ethers';
import { address } from '../../../../src/chains/aeternity/account.ts';
import { decode64, encode64 } from '../../../../src/chains/aeternity/encoding.ts';
import { signed } from '../../../../src/chains/aeternity/handover.ts';
import { serialize, signSpend } from '../../../../src/chains/aeternity/spend.ts';
import { bytesOf, concat } from '../../../../src/base/bytes.ts';
import type { ConnectError } from '../../../../src/base/errors.ts';

const KEY = bytesOf(`0x${'46'.repeat(32)}`);
const SPEND = {
  from: await address(KEY),
  to: 'ak_Egp9yVdpxmvAfQ7vsXGvpnyfNq71msbdUpkMNYGTeTe8kPL3v',
  amount: 5n,
  fee: 16_820_000_000_000n,
  ttl: 100,
  nonce: 7,
  payload: '0x1234',
};
const GIVEN = encode64('tx', getBytes(serialize(SPEND)));
const ANSWER = await signSpend(SPEND, 'ae_dev', KEY);

/** Tag, version, signatures, transaction. */
type Parts = [string, string, string[], string];
const parts = decodeRlp(decode64(ANSWER.raw)) as Parts;
const answerOf = (items: Parameters<typeof encodeRlp>[0]) => encode64('tx', getBytes(encodeRlp(items)));

async function outcome(answer: string): Promise<string> {
  return signed(GIVEN, answer).then(
    ({ raw, hash }) => `${raw} ${hash}`,
    ({ code, details }: ConnectError) => `${code} ${details['reason']}`,
  );
}

describe('Aeternity: a transaction that another wallet signed', () => {
  it('is sent as it is', async () => {
    expect(answerOf(parts)).to.equal(ANSWER.raw);
    expect(await outcome(ANSWER.raw)).to.equal(`${ANSWER.raw} ${ANSWER.hash}`);
  });

  const [tag, version, [signature], body] = parts;
  const other = serialize({ ...SPEND, amount: 6n });
  // A list of 56 bytes or more: the length of its length, and its length.
  const bytes = decode64(ANSWER.raw);
  const long = concat(Uint8Array.of(bytes[0]! + 1, 0), bytes.subarray(1));
  for (const [what, answer] of [
    ['another transaction', answerOf([tag, version, [signature!], other])],
    ['a part more', answerOf([...parts, '0x01'])],
    ['an empty part more', answerOf([...parts, []])],
    ['bytes behind it', encode64('tx', concat(bytes, Uint8Array.of(0)))],
    ['a length with a zero before it', encode64('tx', long)],
    ['two signatures', answerOf([tag, version, [signature!, signature!], body])],
    ['no signature', answerOf([tag, version, [], body])],
    ['another tag', answerOf(['0x0c', version, [signature!], body])],
    ['another version', answerOf([tag, '0x02', [signature!], body])],
    ['no signed transaction', GIVEN],
    ['a wrong checksum', `${ANSWER.raw.slice(0, -4)}AAAA`],
    ['no transaction', 'tx_'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      expect(await outcome(answer)).to.equal('transaction.refused changed');
    });
});
