/** What Bitcoin and Litecoin share: transfers to every type of address, and fee rates. */
import { CHAIN_NAMES, type SecretType } from '../../../src/chains/secret-type.ts';
import { ownMessages } from './messages.ts';
import { type ChainScenarios, hex, type Scenario } from './scenario.ts';
import { builds, statusOf, transfers, twoInARow } from './transfers.ts';

export interface UtxoNames {
  secretType: SecretType;
  type: string;
  /** Amount of a transfer in coins. */
  value: string;
  /** The field of the fee rate. */
  feeField: string;
  feeRate: number | string;
  rateHint: string;
  feeOverCeiling: number;
  /** Unused addresses on the local network: P2WPKH, then by type. */
  recipient: string;
  addresses: Readonly<Record<string, string>>;
}

/** Satoshi. */
const SMALL_AMOUNT = 150_000;

export function utxoScenarios(
  names: UtxoNames,
  ...more: Scenario[]
): Omit<ChainScenarios, 'faucet' | 'badInput'> {
  const { secretType, type, value, feeField, recipient } = names;
  const messageType = `${secretType}_MESSAGE`;
  const SMALL = { type, to: recipient, value: SMALL_AMOUNT };
  return {
    secretType,
    transfer: transfers({ secretType, recipient, value }),
    transaction: [
      {
        id: 'transaction',
        title: 'Native transaction',
        hint: `${type}, value in satoshi. The fee rate is the node’s estimate.`,
        payload: () => ({ action: 'execute', request: SMALL }),
      },
      {
        id: 'fee-rate',
        title: 'Fee rate given',
        hint: names.rateHint,
        payload: () => ({ action: 'execute', request: { ...SMALL, [feeField]: names.feeRate } }),
      },
      {
        id: 'pincode',
        title: 'PIN code in the payload',
        hint: 'Its form is checked and it is dropped: the PIN is typed in the wallet all the same.',
        payload: () => ({ action: 'execute', request: { ...SMALL, pincode: '0000' } }),
      },
      ...Object.entries(names.addresses).map(([kind, to]) => ({
        id: `to-${kind.toLowerCase()}`,
        title: `To ${kind}`,
        hint: `The recipient is a ${kind} address.`,
        payload: () => ({ action: 'execute', request: { ...SMALL, to } }),
      })),
      {
        id: 'fee-over-ceiling',
        title: 'Fee over ceiling',
        hint: 'A fee rate far above the network’s ceiling needs its own tick.',
        payload: () => ({ action: 'execute', request: { ...SMALL, [feeField]: names.feeOverCeiling } }),
      },
      ...more,
      twoInARow([SMALL, { ...SMALL, value: 2 * SMALL_AMOUNT }]),
    ],
    sign: [
      ...ownMessages(messageType, CHAIN_NAMES[secretType]),
      {
        id: 'older-message',
        title: 'Message in the older format',
        hint: 'format bip137: 65 bytes in base64, which most verifiers know.',
        payload: () => ({
          action: 'sign',
          type: messageType,
          data: hex('Sign in to the demo\nNonce 4711'),
          format: 'bip137',
        }),
      },
    ],
    read: [
      builds(secretType, 'A TRANSFER body becomes a native request in satoshi; nothing opens.', () => ({
        type: 'TRANSFER',
        to: recipient,
        value,
      })),
      statusOf(secretType, '0'.repeat(64)),
    ],
  };
}
