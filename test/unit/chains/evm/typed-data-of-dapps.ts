/** Typed data as dApps send it: with fields and types that are not signed. */
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const TOKEN = `0x${'a0'.repeat(20)}`;
const SPENDER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

/** Version 4 of https://github.com/MetaMask/test-dapp, which declares a type that nothing uses. */
export const METAMASK_EXAMPLE = {
  domain: {
    chainId: '31337',
    name: 'Ether Mail',
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
    version: '1',
  },
  message: {
    contents: 'Hello, Bob!',
    from: {
      name: 'Cow',
      wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', '0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF'],
    },
    to: [
      {
        name: 'Bob',
        wallets: [
          '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
          '0xB0BdaBea57B0BDABeA57b0bdABEA57b0BDabEa57',
          '0xB0B0b0b0b0b0B000000000000000000000000000',
        ],
      },
    ],
    attachment: '0x',
  },
  primaryType: 'Mail',
  types: {
    EIP712Domain: DOMAIN,
    Group: [
      { name: 'name', type: 'string' },
      { name: 'members', type: 'Person[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'contents', type: 'string' },
      { name: 'attachment', type: 'bytes' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
  },
};

/** Of an interface of Permit2: with the types of all its permits, and what the interface itself shows of the token. */
export const PERMIT2_PERMIT = {
  domain: {
    name: 'Permit2',
    chainId: 31337,
    verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  },
  types: {
    EIP712Domain: DOMAIN.filter(({ name }) => name !== 'version'),
    PermitSingle: [
      { name: 'details', type: 'PermitDetails' },
      { name: 'spender', type: 'address' },
      { name: 'sigDeadline', type: 'uint256' },
    ],
    PermitBatch: [
      { name: 'details', type: 'PermitDetails[]' },
      { name: 'spender', type: 'address' },
      { name: 'sigDeadline', type: 'uint256' },
    ],
    PermitDetails: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint160' },
      { name: 'expiration', type: 'uint48' },
      { name: 'nonce', type: 'uint48' },
    ],
  },
  primaryType: 'PermitSingle',
  message: {
    details: { token: TOKEN, amount: '5', expiration: '1900000000', nonce: '0', symbol: 'USDC' },
    spender: SPENDER,
    sigDeadline: '1900000000',
    chainId: 31337,
  },
};

const ITEM = [
  { name: 'itemType', type: 'uint8' },
  { name: 'token', type: 'address' },
  { name: 'identifierOrCriteria', type: 'uint256' },
  { name: 'startAmount', type: 'uint256' },
  { name: 'endAmount', type: 'uint256' },
];

/** Of https://github.com/ProjectOpenSea/seaport-js, which signs the components together with a field of the order's parameters. */
export const SEAPORT_ORDER = {
  domain: {
    name: 'Seaport',
    version: '1.6',
    chainId: 31337,
    verifyingContract: '0x0000000000000068F116a894984e2DB1123eB395',
  },
  types: {
    EIP712Domain: DOMAIN,
    OrderComponents: [
      { name: 'offerer', type: 'address' },
      { name: 'zone', type: 'address' },
      { name: 'offer', type: 'OfferItem[]' },
      { name: 'consideration', type: 'ConsiderationItem[]' },
      { name: 'orderType', type: 'uint8' },
      { name: 'startTime', type: 'uint256' },
      { name: 'endTime', type: 'uint256' },
      { name: 'zoneHash', type: 'bytes32' },
      { name: 'salt', type: 'uint256' },
      { name: 'conduitKey', type: 'bytes32' },
      { name: 'counter', type: 'uint256' },
    ],
    OfferItem: ITEM,
    ConsiderationItem: [...ITEM, { name: 'recipient', type: 'address' }],
  },
  primaryType: 'OrderComponents',
  message: {
    offerer: SPENDER,
    zone: `0x${'00'.repeat(20)}`,
    offer: [{ itemType: '2', token: TOKEN, identifierOrCriteria: '7', startAmount: '1', endAmount: '1' }],
    consideration: [
      {
        itemType: '0',
        token: `0x${'00'.repeat(20)}`,
        identifierOrCriteria: '0',
        startAmount: '1000000000000000000',
        endAmount: '1000000000000000000',
        recipient: SPENDER,
      },
    ],
    totalOriginalConsiderationItems: '1',
    orderType: '0',
    startTime: '1700000000',
    endTime: '1900000000',
    zoneHash: `0x${'00'.repeat(32)}`,
    salt: '0x360c6ebe',
    conduitKey: `0x${'00'.repeat(32)}`,
    counter: '0',
  },
};
