/** The transfer action, the same on all chains, and the reads that differ only by chain name. */
import { CHAIN_NAMES, type SecretType } from '../../../src/chains/secret-type.ts';
import type { Context, Scenario } from './scenario.ts';

interface Transfers {
  secretType: SecretType;
  /** Nobody's address. */
  recipient: string;
  /** In coins. */
  value: string;
}

/** Transfers of the coin. `more`: tokens and whatever else the chain has. */
export function transfers({ secretType, recipient, value }: Transfers, ...more: Scenario[]): Scenario[] {
  const name = CHAIN_NAMES[secretType];
  const transfer = { action: 'transfer', to: recipient, value, secretType };
  return [
    {
      id: 'simple-transfer',
      title: 'Simple transfer',
      hint: 'Everything is given, so it goes straight to approval.',
      payload: () => transfer,
    },
    {
      id: 'transfer-form',
      title: 'Transfer form',
      hint: 'The user fills in the recipient and the amount.',
      payload: () => ({ action: 'transfer', secretType }),
    },
    ...more,
    {
      id: 'insufficient-funds',
      title: 'Insufficient funds',
      hint: 'The approval says what is missing, and Approve stays off.',
      payload: () => ({ ...transfer, value: '1000000' }),
    },
    {
      id: 'node-unreachable',
      title: 'Node unreachable',
      hint: `The local ${name} node is taken off the network. Bring it back below and press Retry in the wallet.`,
      nodeDown: true,
      payload: () => transfer,
    },
    {
      id: 'reported-address',
      title: 'Reported address',
      hint: 'The recipient is on the wallet’s list of reported addresses.',
      payload: ({ reported }) => ({ ...transfer, to: reported }),
    },
  ];
}

/** `token`: its address, or its id on chains that have one. */
export function tokenTransfer(
  { secretType, recipient }: Transfers,
  scenario: Pick<Scenario, 'id' | 'title' | 'hint'>,
  value: string,
  token: (context: Context) => string | undefined,
): Scenario {
  return {
    ...scenario,
    payload: (context) => ({
      action: 'transfer',
      to: recipient,
      value,
      secretType,
      tokenAddress: token(context),
    }),
  };
}

/** Two transactions in sequence. */
export function twoInARow(requests: readonly [object, object]): Scenario {
  return {
    id: 'execute-all',
    title: 'Two in a row',
    hint: 'One list; each is approved and sent after the one before is confirmed.',
    payload: () => ({ action: 'executeAll', requests }),
  };
}

/** `body` without its secret type. */
export function builds(
  secretType: SecretType,
  hint: string,
  body: (context: Context) => Record<string, unknown>,
): Scenario {
  return {
    id: 'build',
    title: 'Build',
    hint,
    payload: (context) => ({ action: 'build', body: { secretType, ...body(context) } }),
  };
}

/** `hash`: of a transaction that never existed. */
export function statusOf(secretType: SecretType, hash: string): Scenario {
  return {
    id: 'status',
    title: 'Transaction status',
    hint: 'Paste a hash from the log into the payload.',
    payload: () => ({ action: 'transactionStatus', hash, secretType }),
  };
}
