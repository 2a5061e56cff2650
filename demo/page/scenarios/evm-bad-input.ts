/** Every documented bad input of Ethereum's and GoChain's requests. */
import {
  badChain,
  badInput,
  badLink,
  badNative,
  badTransfer,
  badWallet,
  cases,
  EVERYWHERE,
  type Field,
  NOT_HEX,
  NOT_SMALLEST,
  notAddresses,
} from './bad-input.ts';
import { type EvmNames, RECIPIENT as TO } from './evm-names.ts';
import type { Scenario } from './scenario.ts';

/** One letter in the wrong case. */
export const BAD_CHECKSUM = '0x8F3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

/** `own`: fields that differ between the two chains. */
export function evmBadInput(names: EvmNames, own: Field[]): Scenario[] {
  const { secretType, tokenStandard, coinRequest, tokenRequest, transactionSignature, rawSignature } = names;
  const typed = { action: 'sign', type: names.typedSignature, data: '{}' };
  const addresses = notAddresses(secretType, BAD_CHECKSUM);
  const common: Field[] = [
    { path: 'value', values: NOT_SMALLEST },
    { path: 'gasPrice', values: [0, -1, 1.5, 'fast'] },
    { path: 'gas', values: [-1, 1.5, 'much'] },
    { path: 'nonce', values: [-1, 1.5, 'next'] },
    ...EVERYWHERE,
    ...own,
  ];
  const raw = { action: 'sign', type: rawSignature, data: '0x00' };
  return [
    badTransfer(
      secretType,
      TO,
      addresses,
      '0.1234567890123456789',
      { path: 'tokenAddress', values: ['0x1234', 'USD', BAD_CHECKSUM] },
      { path: 'data', values: NOT_HEX },
    ),
    badNative(secretType, 'bad-transaction', coinRequest, { type: coinRequest, to: TO, value: '1' }, [
      ...common,
      { path: 'to', values: addresses },
      { path: 'data', values: NOT_HEX },
      { path: 'type', values: ['ETH_TRANSFER', '', undefined] },
    ]),
    badNative(
      secretType,
      'bad-token',
      `${tokenStandard} transaction`,
      { type: tokenRequest, to: TO, value: '1', tokenAddress: TO },
      [
        ...common,
        { path: 'to', values: addresses },
        { path: 'tokenAddress', values: addresses },
        { path: 'data', values: ['0x00'] },
      ],
    ),
    badInput(secretType, 'bad-signature', 'Signature', () => [
      ...cases(raw, null, [
        { path: 'type', values: ['ETHEREUM', '', undefined] },
        { path: 'data', values: [...NOT_HEX, '', undefined] },
        { path: 'prefix', values: ['no'] },
        { path: 'hash', values: ['no'] },
      ]),
      ...cases({ ...raw, prefix: false, hash: false }, null, [
        { path: 'data', values: ['0x00', `0x${'ab'.repeat(33)}`] },
      ]),
      ...cases({ ...raw, type: transactionSignature, prefix: false }, null, [
        { path: 'data', values: ['0xc0ffee'] },
      ]),
      // An authorization (EIP-7702), and typed data that is already hashed.
      ...cases({ ...raw, prefix: false }, null, [
        { path: 'data', values: [`0x05d70194${'ab'.repeat(20)}80`, `0x1901${'ab'.repeat(64)}`] },
      ]),
      ...cases(typed, null, [{ path: 'data', values: ['{}', '{', '0x00', [], ''] }]),
    ]),
    badLink(secretType),
    badWallet(
      secretType,
      TO,
      { type: coinRequest, to: TO, value: '1' },
      { type: rawSignature, data: '0x00' },
    ),
    badChain(secretType, TO),
  ];
}
