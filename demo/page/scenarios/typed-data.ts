/** Signatures with a meaning: typed data (EIP-712) and sign-ins (EIP-4361). */
import { UNLIMITED } from './evm-data.ts';
import { type Context, hex, type Scenario } from './scenario.ts';

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;
const member = (type: string, name: string) => ({ name, type });

function permit({ network, contracts, address }: Context, value: string, name = 'Demo Dollar') {
  return {
    types: {
      Permit: [
        member('address', 'owner'),
        member('address', 'spender'),
        member('uint256', 'value'),
        member('uint256', 'nonce'),
        member('uint256', 'deadline'),
      ],
    },
    primaryType: 'Permit',
    domain: { name, version: '1', chainId: network.chainId, verifyingContract: contracts['DUSD'] },
    message: { owner: address, spender: contracts['NFT'], value, nonce: 0, deadline: inAnHour() },
  };
}

function permit2({ network, contracts }: Context) {
  return {
    types: {
      PermitSingle: [
        member('PermitDetails', 'details'),
        member('address', 'spender'),
        member('uint256', 'sigDeadline'),
      ],
      PermitDetails: [
        member('address', 'token'),
        member('uint160', 'amount'),
        member('uint48', 'expiration'),
        member('uint48', 'nonce'),
      ],
    },
    primaryType: 'PermitSingle',
    domain: { name: 'Permit2', chainId: network.chainId, verifyingContract: PERMIT2 },
    message: {
      details: {
        token: contracts['DUSD'],
        amount: '500000000000000000000',
        expiration: inAnHour() + 30 * 86_400,
        nonce: 0,
      },
      spender: contracts['NFT'],
      sigDeadline: inAnHour(),
    },
  };
}

function vote({ network }: Context) {
  return {
    types: { Vote: [member('string', 'motion'), member('bool', 'yes'), member('uint8[]', 'points')] },
    primaryType: 'Vote',
    domain: { name: 'Harbour cooperative', chainId: network.chainId },
    message: { motion: 'Paint the boat', yes: true, points: [3, 7] },
  };
}

/** `domain`: may name another site than the page's. */
function signIn({ network, address = '' }: Context, domain = location.host): string {
  return `${domain} wants you to sign in with your Ethereum account:
${address}

I accept the terms of the demo.

URI: ${location.origin}/login
Version: 1
Chain ID: ${network.chainId}
Nonce: 4f19c2a8
Issued At: ${new Date().toISOString()}`;
}

export function typedData(type: string): Scenario[] {
  const signs = (data: (context: Context) => unknown) => (context: Context) => ({
    action: 'sign',
    type,
    data: data(context),
  });
  return [
    {
      id: 'typed-permit',
      title: 'Permit',
      hint: 'Typed data (ERC-2612): the approval says who could take how much.',
      payload: signs((context) => permit(context, '5000000000000000000')),
    },
    {
      id: 'typed-permit-unlimited',
      title: 'Permit without limit',
      hint: 'Danger with a tick, whatever the data calls itself.',
      payload: signs((context) => permit(context, String(UNLIMITED), 'Sign in to the demo')),
    },
    {
      id: 'typed-permit2',
      title: 'Permit2',
      hint: 'Two times: until when it is good, and when the limit ends.',
      payload: signs(permit2),
    },
    {
      id: 'typed-unknown',
      title: 'Typed data, unknown form',
      hint: 'A caution, and every field by its own name.',
      payload: signs(vote),
    },
    {
      id: 'typed-undeclared',
      title: 'Field that is not signed',
      hint: 'Refused: a field that the types do not declare is not part of what is signed.',
      fails: 'request.invalid',
      payload: signs((context) => {
        const data = vote(context);
        return { ...data, message: { ...data.message, note: 'Costs nothing' } };
      }),
    },
  ];
}

export function signIns(type: string): Scenario[] {
  const signs = (text: (context: Context) => string) => (context: Context) => ({
    action: 'sign',
    type,
    data: hex(text(context)),
  });
  return [
    {
      id: 'sign-in',
      title: 'Sign in',
      hint: 'EIP-4361: the message names this site, and the approval says so.',
      payload: signs((context) => signIn(context)),
    },
    {
      id: 'sign-in-elsewhere',
      title: 'Sign in, another site',
      hint: 'Danger with a tick: the message names another site than the one that asks.',
      payload: signs((context) => signIn(context, 'bank.example')),
    },
  ];
}
