/** Messages: text signed as such, on every chain. */
import { badInput, cases, NOT_HEX } from './bad-input.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { hex, type Scenario } from './scenario.ts';

/** Text signed with the message prefix. */
export function messages(type: string): Scenario[] {
  return [
    {
      id: 'readable-message',
      title: 'Readable message',
      hint: 'The wallet shows the text.',
      payload: () => ({ action: 'sign', type, data: hex('Sign in to the demo\nNonce 4711') }),
    },
    {
      id: 'hidden-characters',
      title: 'Hidden characters',
      hint: 'Marks that turn the writing direction are shown as boxes.',
      payload: () => ({ action: 'sign', type, data: hex('Pay \u202e001\u202c to\u0000 Ada') }),
    },
  ];
}

/** For chains whose only signature type is for messages. `name`: as in sign-ins. */
export function ownMessages(type: string, name: string): Scenario[] {
  return [
    ...messages(type),
    {
      id: 'unreadable-message',
      title: 'Bytes',
      hint: `${type} of bytes that are no text: danger, with a separate tick.`,
      payload: () => ({ action: 'sign', type, data: `0x${'c0ffee'.repeat(11)}` }),
    },
    signInElsewhere(type, name),
  ];
}

export function signInElsewhere(type: string, name: string, more: object = {}): Scenario {
  return {
    id: 'sign-in-elsewhere',
    title: 'Sign-in for another site',
    hint: 'Its first line names bank.example: danger, with both names, and a tick.',
    payload: () => ({
      action: 'sign',
      type,
      data: hex(`bank.example wants you to sign in with your ${name} account:\nNonce 4711`),
      ...more,
    }),
  };
}

export function badMessages(
  secretType: SecretType,
  more: { path: string; values: unknown[] }[] = [],
): Scenario {
  const message = { action: 'sign', type: `${secretType}_MESSAGE`, data: '0x00' };
  return badInput(secretType, 'bad-signature', 'Signature', () =>
    cases(message, null, [
      { path: 'data', values: [...NOT_HEX, '', undefined] },
      { path: 'prefix', values: [true, false] },
      { path: 'purpose', values: ['agreement'] },
      ...more,
    ]),
  );
}
