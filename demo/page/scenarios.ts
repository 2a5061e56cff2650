/** Ready-made requests for every action. A payload is what the payload editor shows and the page runs. */
import { BAD_INPUT } from './bad-input.ts';
import type { Settings } from './settings.ts';

/** `action` says what is asked; the rest are its fields. A missing `walletId` becomes the chosen wallet's. */
export interface Payload {
  action: string;
  [field: string]: unknown;
}

export interface Context extends Settings {
  /** Address of the chosen wallet. */
  address: string;
}

export interface Scenario {
  id: string;
  title: string;
  /** What to do and what must happen. */
  hint: string;
  payload: (context: Context) => Payload;
  /** Takes the node off the network before it runs. */
  nodeDown?: boolean;
}

export interface Group {
  title: string;
  scenarios: Scenario[];
}

/** Nobody's: the bytes of a hash. */
export const RECIPIENT = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const SPENDER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const EIGHTEEN = '0'.repeat(18);

function word(value: bigint | string): string {
  return BigInt(value).toString(16).padStart(64, '0');
}

function call(selector: string, ...words: (bigint | string)[]): string {
  return selector + words.map(word).join('');
}

function hex(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** A transfer of 0.01 ether in wei, as the start of several scenarios. */
const SMALL = { type: 'ETH_TRANSACTION', to: RECIPIENT, value: '10000000000000000' };

const LINK: Scenario[] = [
  {
    id: 'first-link',
    title: 'First link',
    hint: 'A new user makes a wallet in Manage first. Then choose wallets and press Link wallets.',
    payload: () => ({ action: 'linkWallets', secretTypes: ['ETHEREUM'] }),
  },
  {
    id: 'link-again',
    title: 'Link again',
    hint: 'The wallets of the last time are chosen already.',
    payload: () => ({ action: 'linkWallets', layout: 'list' }),
  },
  {
    id: 'user-rejects',
    title: 'User rejects',
    hint: 'Press Reject, or close the wallet: connect-cancel and user.rejected.',
    payload: () => ({ action: 'linkWallets', secretTypes: ['ETHEREUM'] }),
  },
  {
    id: 'unlink',
    title: 'Unlink',
    hint: 'The chosen wallet is no longer seen by this site.',
    payload: () => ({ action: 'unlink' }),
  },
];

const MANAGE: Scenario[] = [
  {
    id: 'manage',
    title: 'Manage wallets',
    hint: 'Create, import, rename, archive, export. Back here the wallet is linked.',
    payload: () => ({ action: 'manageWallets', chain: 'ETHEREUM' }),
  },
];

const TRANSFER: Scenario[] = [
  {
    id: 'simple-transfer',
    title: 'Simple transfer',
    hint: 'Everything is given, so it goes straight to approval.',
    payload: () => ({ action: 'transfer', to: RECIPIENT, value: '0.25', secretType: 'ETHEREUM' }),
  },
  {
    id: 'transfer-form',
    title: 'Transfer form',
    hint: 'The user fills in the recipient and the amount.',
    payload: () => ({ action: 'transfer', secretType: 'ETHEREUM' }),
  },
  {
    id: 'token-transfer',
    title: 'ERC-20 token',
    hint: 'Demo Dollar has 18 decimals.',
    payload: ({ contracts }) => ({
      action: 'transfer',
      to: RECIPIENT,
      value: '12.5',
      secretType: 'ETHEREUM',
      tokenAddress: contracts.DUSD,
    }),
  },
  {
    id: 'token-six-decimals',
    title: 'Token, 6 decimals',
    hint: 'Demo Cent has 6 decimals: 0.000001 is its smallest unit.',
    payload: ({ contracts }) => ({
      action: 'transfer',
      to: RECIPIENT,
      value: '0.000001',
      secretType: 'ETHEREUM',
      tokenAddress: contracts.DCENT,
    }),
  },
  {
    id: 'insufficient-funds',
    title: 'Insufficient funds',
    hint: 'The approval says what is missing, and Approve stays off.',
    payload: () => ({ action: 'transfer', to: RECIPIENT, value: '1000000', secretType: 'ETHEREUM' }),
  },
  {
    id: 'node-unreachable',
    title: 'Node unreachable',
    hint: 'The local node is taken off the network. Bring it back below and press Retry in the wallet.',
    nodeDown: true,
    payload: () => ({ action: 'transfer', to: RECIPIENT, value: '0.01', secretType: 'ETHEREUM' }),
  },
  {
    id: 'reported-address',
    title: 'Reported address',
    hint: 'The recipient is on the wallet’s list of reported addresses.',
    payload: ({ reported }) => ({ action: 'transfer', to: reported, value: '0.01', secretType: 'ETHEREUM' }),
  },
];

const TRANSACTION: Scenario[] = [
  {
    id: 'transaction-data',
    title: 'Ether with data',
    hint: 'ETH_TRANSACTION, value in wei, with the bytes of “hello”.',
    payload: () => ({ action: 'execute', request: { ...SMALL, data: hex('hello') } }),
  },
  {
    id: 'legacy-transaction',
    title: 'Gas price given',
    hint: 'gasPrice makes it a type-0 transaction.',
    payload: () => ({ action: 'execute', request: { ...SMALL, gasPrice: 3000000000 } }),
  },
  {
    id: 'native-token',
    title: 'ERC-20 transaction',
    hint: 'ETHEREUM_ERC20_TRANSACTION, value in the token’s smallest units.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'ETHEREUM_ERC20_TRANSACTION',
        to: RECIPIENT,
        value: `3${EIGHTEEN}`,
        tokenAddress: contracts.DUSD,
      },
    }),
  },
  {
    id: 'contract-call',
    title: 'Contract call',
    hint: 'A token transfer as a call: the approval decodes it.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'ETH_TRANSACTION',
        to: contracts.DUSD,
        value: 0,
        data: call('0xa9059cbb', RECIPIENT, 2n * 10n ** 18n),
      },
    }),
  },
  {
    id: 'contract-creation',
    title: 'Contract creation',
    hint: 'No recipient, and code as data.',
    payload: () => ({
      action: 'execute',
      request: { type: 'ETH_TRANSACTION', value: 0, data: '0x600a600c600039600a6000f3602a60005260206000f3' },
    }),
  },
  {
    id: 'nft-transfer',
    title: 'NFT transfer',
    hint: 'Get a ticket from the faucet first; it has number 0 on a fresh network.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'NFT_TRANSFER',
        secretType: 'ETHEREUM',
        to: RECIPIENT,
        tokenAddress: contracts.NFT,
        tokenId: '0',
      },
    }),
  },
  {
    id: 'item-transfer',
    title: 'ERC-1155 transfer',
    hint: 'Get items from the faucet first; they have number 7.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'TOKEN_TRANSFER',
        secretType: 'ETHEREUM',
        to: RECIPIENT,
        value: 1,
        tokenAddress: contracts.ITEM,
        tokenId: 7,
      },
    }),
  },
  {
    id: 'unlimited-approval',
    title: 'Unlimited approval',
    hint: 'Danger: the contract could take all Demo Dollars. The wallet offers a limit.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'ETH_TRANSACTION',
        to: contracts.DUSD,
        value: 0,
        data: call('0x095ea7b3', SPENDER, 2n ** 256n - 1n),
      },
    }),
  },
  {
    id: 'approval-for-all',
    title: 'Approval for all',
    hint: 'setApprovalForAll on the tickets: every NFT of the collection.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'ETH_TRANSACTION',
        to: contracts.NFT,
        value: 0,
        data: call('0xa22cb465', SPENDER, 1n),
      },
    }),
  },
  {
    id: 'will-fail',
    title: 'Will fail',
    hint: 'The contract refuses a transfer of more than the wallet has: “Not enough”, or a trial run that failed.',
    payload: ({ contracts }) => ({
      action: 'execute',
      request: {
        type: 'ETH_TRANSACTION',
        to: contracts.DUSD,
        value: 0,
        data: call('0xa9059cbb', RECIPIENT, 10n ** 30n),
      },
    }),
  },
  {
    id: 'fee-over-ceiling',
    title: 'Fee over ceiling',
    hint: 'A gas price far above the network’s ceiling needs its own tick.',
    payload: () => ({ action: 'execute', request: { ...SMALL, gasPrice: 5000000000000 } }),
  },
  {
    id: 'custom-network',
    title: 'Custom network',
    hint: 'The site names the node. The approval says so.',
    payload: ({ network }) => ({
      action: 'execute',
      request: {
        ...SMALL,
        network: { name: 'My test network', nodeUrl: network.nodes[0], chainId: network.chainId },
      },
    }),
  },
  {
    id: 'custom-network-lies',
    title: 'Wrong chain id',
    hint: 'The node is of another chain than the request says: request.invalid at network.chainId.',
    payload: ({ network }) => ({
      action: 'execute',
      request: { ...SMALL, network: { name: 'Free test network', nodeUrl: network.nodes[0], chainId: 1 } },
    }),
  },
  {
    id: 'execute-all',
    title: 'Two in a row',
    hint: 'One list; each is approved and sent after the one before is confirmed.',
    payload: () => ({ action: 'executeAll', requests: [SMALL, { ...SMALL, value: '20000000000000000' }] }),
  },
];

const SIGN: Scenario[] = [
  {
    id: 'readable-message',
    title: 'Readable message',
    hint: 'The wallet shows the text.',
    payload: () => ({
      action: 'sign',
      type: 'ETHEREUM_TRANSACTION',
      data: hex('Sign in to the demo\nNonce 4711'),
    }),
  },
  {
    id: 'raw-signature',
    title: 'Raw data',
    hint: 'ETHEREUM_RAW with the prefix: the bytes are shown as hex.',
    payload: () => ({ action: 'sign', type: 'ETHEREUM_RAW', data: `0x${'c0ffee'.repeat(11)}` }),
  },
  {
    id: 'blind-signing',
    title: 'Blind signing',
    hint: 'A bare hash, without prefix: danger, with a tick of its own.',
    payload: () => ({
      action: 'sign',
      type: 'ETHEREUM_RAW',
      data: `0x${'ab'.repeat(32)}`,
      prefix: false,
      hash: false,
    }),
  },
  {
    id: 'hidden-characters',
    title: 'Hidden characters',
    hint: 'Marks that turn the writing direction are shown as boxes.',
    payload: () => ({
      action: 'sign',
      type: 'ETHEREUM_TRANSACTION',
      data: hex('Pay \u202e001\u202c to\u0000 Ada'),
    }),
  },
];

const READS: Scenario[] = [
  {
    id: 'wallets',
    title: 'Linked wallets',
    hint: 'From the page’s own record; nothing opens.',
    payload: () => ({ action: 'wallets' }),
  },
  {
    id: 'balance',
    title: 'Balance',
    hint: 'From the node; nothing opens.',
    payload: () => ({ action: 'balance' }),
  },
  {
    id: 'token-balances',
    title: 'Token balances',
    hint: 'The listed tokens; nothing opens.',
    payload: () => ({ action: 'tokenBalances' }),
  },
  {
    id: 'build',
    title: 'Build',
    hint: 'A TOKEN_TRANSFER body becomes a native request; nothing opens.',
    payload: ({ contracts }) => ({
      action: 'build',
      body: {
        type: 'TOKEN_TRANSFER',
        secretType: 'ETHEREUM',
        to: RECIPIENT,
        value: '1.5',
        tokenAddress: contracts.DUSD,
      },
    }),
  },
  {
    id: 'status',
    title: 'Transaction status',
    hint: 'Paste a hash from the log into the payload.',
    payload: () => ({
      action: 'transactionStatus',
      hash: `0x${'0'.repeat(64)}`,
      secretType: 'ETHEREUM',
    }),
  },
  {
    id: 'pending',
    title: 'Pending',
    hint: 'Approve a transfer and reload this page at once: the answer is here.',
    payload: () => ({ action: 'pending' }),
  },
];

export const GROUPS: Group[] = [
  { title: 'Link', scenarios: LINK },
  { title: 'Manage', scenarios: MANAGE },
  { title: 'Transfer', scenarios: TRANSFER },
  { title: 'Transaction', scenarios: TRANSACTION },
  { title: 'Sign', scenarios: SIGN },
  { title: 'Read', scenarios: READS },
  { title: 'Bad input', scenarios: BAD_INPUT },
];
