import {
  BALANCE,
  DOLLAR,
  OPENING,
  OTHER_PIN,
  PIN,
  PROVEN,
  RECOVERY_CODE,
  type RouteNotes,
  STORED_SECRET,
  TILL,
  TOKEN_BALANCE,
  WALLET,
  WALLET_SAMPLE,
} from './samples.ts';

const READING = ['request.invalid', 'wallet.forbidden'] as const;
const BALANCES = [...READING, 'wallet.balance.not.supported.yet', 'node.unreachable'] as const;
const params = { id: WALLET };

export const WALLET_NOTES: RouteNotes = {
  createWallet: {
    errors: [
      'request.invalid',
      'request.conflict',
      'device.proof.invalid',
      'device.unknown',
      'pincode.wrong',
      'pincode.locked',
      ...STORED_SECRET,
      'wallet.encrypt.internal-error',
    ],
    body: {
      walletType: 'WHITE_LABEL',
      secretType: 'ETHEREUM',
      pincode: PIN,
      alias: 'Till',
      identifier: 'till-1',
    },
    answer: { ...WALLET_SAMPLE, recoveryCode: RECOVERY_CODE },
  },
  listWallets: {
    errors: ['request.invalid'],
    query: { secretType: 'ETHEREUM', limit: '100' },
    answer: [WALLET_SAMPLE],
  },
  readWallet: {
    errors: READING,
    params,
    answer: { ...WALLET_SAMPLE, balance: BALANCE },
  },
  readBalance: { errors: BALANCES, params, answer: BALANCE },
  listTokenBalances: { errors: BALANCES, params, answer: [TOKEN_BALANCE] },
  readTokenBalance: {
    errors: [...BALANCES, 'chain.not-supported'],
    params: { id: WALLET, token: DOLLAR },
    answer: TOKEN_BALANCE,
  },
  listNonFungibles: {
    errors: [...BALANCES, 'chain.not-supported'],
    params: { walletId: WALLET },
    query: { 'contract-addresses': DOLLAR },
    answer: [
      {
        id: '7',
        tokenId: '7',
        owner: TILL,
        name: 'Ticket 7',
        description: 'Admits one.',
        url: 'https://tickets.example/7',
        backgroundColor: null,
        imageUrl: 'https://tickets.example/7.png',
        imagePreviewUrl: null,
        imageThumbnailUrl: null,
        contract: {
          name: 'Tickets',
          description: '',
          address: DOLLAR,
          symbol: 'TCKT',
          url: '',
          imageUrl: '',
          type: 'ERC_721',
        },
      },
    ],
  },
  updateWallet: {
    errors: [...PROVEN, 'wallet.forbidden', 'wallet.archived'],
    params,
    body: { alias: 'Till 2' },
    answer: { ...WALLET_SAMPLE, alias: 'Till 2' },
  },
  exportWallet: {
    errors: [...OPENING, 'wallet.archived', 'policy.refused'],
    params,
    body: { pincode: PIN },
    answer: { key: '0x…' },
  },
  setOwnPincode: {
    errors: [...OPENING, 'wallet.archived', 'wallet.encrypt.internal-error'],
    params,
    body: { pincode: PIN, next: OTHER_PIN },
    answer: { recoveryCode: RECOVERY_CODE },
  },
  findRecipient: {
    errors: [...PROVEN, 'recipient.unknown'],
    body: { email: 'ann@shop.example', secretType: 'ETHEREUM' },
    answer: { address: TILL },
  },
};
