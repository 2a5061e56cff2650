/** Aeternity: spends, also with public text. */
import { aeternityBadInput } from './aeternity-bad-input.ts';
import { ownMessages } from './messages.ts';
import { type ChainScenarios, hex, type Scenario } from './scenario.ts';
import { builds, statusOf, transfers, twoInARow } from './transfers.ts';

/** Nobody's address: it encodes the bytes of a hash. */
const RECIPIENT = 'ak_2rWzKE9RQJEUxVPJjZZtTddfvHRj3PcAY6Ytim9AzCKKbfC3fN';

/** A spend of 0.5 AE in aettos. */
const SMALL = { type: 'AE_TRANSACTION', to: RECIPIENT, value: '500000000000000000' };

const transaction: Scenario[] = [
  {
    id: 'ae-transaction',
    title: 'Spend',
    hint: 'AE_TRANSACTION, value in aettos. The fee follows from its size.',
    payload: () => ({ action: 'execute', request: SMALL }),
  },
  {
    id: 'ae-payload',
    title: 'Spend with text',
    hint: 'data goes with the coins, for everybody to read.',
    payload: () => ({ action: 'execute', request: { ...SMALL, data: 'Order 4711' } }),
  },
  {
    id: 'ae-payload-bytes',
    title: 'Text as bytes',
    hint: 'data that begins with 0x is bytes: the same text.',
    payload: () => ({ action: 'execute', request: { ...SMALL, data: hex('Order 4711') } }),
  },
  {
    id: 'ae-fields',
    title: 'Fee and end given',
    hint: 'A fee of 0.00002 AE; ttl 0: it never expires.',
    payload: () => ({ action: 'execute', request: { ...SMALL, fee: '20000000000000', ttl: 0 } }),
  },
  {
    id: 'fee-over-ceiling',
    title: 'Fee over ceiling',
    hint: 'A fee far above the network’s ceiling needs its own tick.',
    payload: () => ({ action: 'execute', request: { ...SMALL, fee: '200000000000000000' } }),
  },
  twoInARow([SMALL, { ...SMALL, value: '250000000000000000' }]),
];

export const aeternity: ChainScenarios = {
  secretType: 'AETERNITY',
  faucet: { AE: 'Get test AE' },
  transfer: transfers(
    { secretType: 'AETERNITY', recipient: RECIPIENT, value: '2.5' },
    {
      id: 'transfer-text',
      title: 'Transfer with text',
      hint: 'data goes with the coins, for everybody to read.',
      payload: () => ({
        action: 'transfer',
        to: RECIPIENT,
        value: '2.5',
        secretType: 'AETERNITY',
        data: 'Order 4711',
      }),
    },
  ),
  transaction,
  sign: ownMessages('AETERNITY_MESSAGE', 'Aeternity'),
  read: [
    builds('AETERNITY', 'A TRANSFER body becomes an AE_TRANSACTION in aettos; nothing opens.', () => ({
      type: 'TRANSFER',
      to: RECIPIENT,
      value: '1.5',
    })),
    statusOf('AETERNITY', 'th_11111111111111111111111111111111273Yts'),
  ],
  badInput: aeternityBadInput,
};
