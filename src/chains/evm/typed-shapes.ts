/**
 * Forms of typed data that the wallet can say in words: plain data, in the manner of ERC-7730 (https://eips.ethereum.org/EIPS/eip-7730),
 * found by the whole type, of which the type hash is made, and never by what a domain calls itself.
 */
import type { Deed, TermCode } from '../approval/signing.ts';

/** `spender`, `details.amount`, `permitted.*.token` for each of a list, `@contract` for the domain's `verifyingContract`. */
export type Path = string;

export type Format =
  /** An address, of a person or a contract. */
  | { as: 'address' }
  /** So many of the tokens at `token` may leave. */
  | { as: 'limit'; token: Path }
  /** All of a token where it is true, none where it is false. */
  | { as: 'all'; token: Path }
  /** One item of a collection. */
  | { as: 'item'; token: Path }
  /** Seconds since 1970. `zero`: what 0 stands for. */
  | { as: 'date'; zero?: 'never' };

export interface Shape {
  /** As `encodeType` writes it. */
  type: string;
  deed: Extract<Deed['kind'], 'allow' | 'take' | 'pay'>;
  /** The contracts that this form was made for, where they are few. */
  contracts?: readonly string[] | undefined;
  /** Whose tokens they are. */
  owner?: Path | undefined;
  /** Who may take them, or gets them. */
  to: Path;
  /** When that ends. */
  until: Path;
  terms: readonly { path: Path; term: TermCode; format: Format }[];
}

export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
/** https://github.com/ProjectOpenSea/seaport: 1.6, 1.5 and 1.4. */
export const SEAPORTS: readonly string[] = [
  '0x0000000000000068F116a894984e2DB1123eB395',
  '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  '0x00000000000001ad428e4906aE43D8F9852d0dD6',
];

/** Deployed at the same address on every network. */
export const CONTRACT_NAMES: Readonly<Record<string, string>> = {
  [PERMIT2.toLowerCase()]: 'Permit2',
  ...Object.fromEntries(SEAPORTS.map((address) => [address.toLowerCase(), 'Seaport'])),
};

const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
export const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)';

export const SHAPES: readonly Shape[] = [
  // https://eips.ethereum.org/EIPS/eip-2612
  {
    type: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    deed: 'allow',
    owner: 'owner',
    to: 'spender',
    until: 'deadline',
    terms: [
      { path: 'value', term: 'limit', format: { as: 'limit', token: '@contract' } },
      { path: 'deadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  // DAI, before there was a standard: https://github.com/makerdao/dss/blob/master/src/dai.sol
  {
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    deed: 'allow',
    owner: 'holder',
    to: 'spender',
    until: 'expiry',
    terms: [
      { path: 'allowed', term: 'limit', format: { as: 'all', token: '@contract' } },
      { path: 'expiry', term: 'sign-before', format: { as: 'date', zero: 'never' } },
    ],
  },
  // https://eips.ethereum.org/EIPS/eip-4494
  {
    type: 'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
    deed: 'allow',
    to: 'spender',
    until: 'deadline',
    terms: [
      { path: 'tokenId', term: 'limit', format: { as: 'item', token: '@contract' } },
      { path: 'deadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  // https://github.com/Uniswap/permit2/blob/main/src/libraries/PermitHash.sol
  {
    type: `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    deed: 'allow',
    contracts: [PERMIT2],
    to: 'spender',
    until: 'details.expiration',
    terms: [
      { path: 'details.amount', term: 'limit', format: { as: 'limit', token: 'details.token' } },
      { path: 'details.expiration', term: 'limit-ends', format: { as: 'date' } },
      { path: 'sigDeadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  {
    type: `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`,
    deed: 'allow',
    contracts: [PERMIT2],
    to: 'spender',
    until: 'details.*.expiration',
    terms: [
      { path: 'details.*.amount', term: 'limit', format: { as: 'limit', token: 'details.*.token' } },
      { path: 'details.*.expiration', term: 'limit-ends', format: { as: 'date' } },
      { path: 'sigDeadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  {
    type: `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    deed: 'take',
    contracts: [PERMIT2],
    to: 'spender',
    until: 'deadline',
    terms: [
      { path: 'permitted.amount', term: 'limit', format: { as: 'limit', token: 'permitted.token' } },
      { path: 'deadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  {
    type: `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    deed: 'take',
    contracts: [PERMIT2],
    to: 'spender',
    until: 'deadline',
    terms: [
      { path: 'permitted.*.amount', term: 'limit', format: { as: 'limit', token: 'permitted.*.token' } },
      { path: 'deadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  // https://eips.ethereum.org/EIPS/eip-3009
  ...['TransferWithAuthorization', 'ReceiveWithAuthorization'].map(
    (name): Shape => ({
      type: `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
      deed: 'pay',
      owner: 'from',
      to: 'to',
      until: 'validBefore',
      terms: [
        { path: 'value', term: 'amount', format: { as: 'limit', token: '@contract' } },
        { path: 'validAfter', term: 'valid-from', format: { as: 'date' } },
        { path: 'validBefore', term: 'sign-before', format: { as: 'date' } },
      ],
    }),
  ),
];

/** Permit2's forms to which a contract adds a struct of its own, which is part of what is signed. */
export const WITNESSED: Readonly<Record<string, string>> = {
  PermitWitnessTransferFrom: 'PermitTransferFrom',
  PermitBatchWitnessTransferFrom: 'PermitBatchTransferFrom',
};

/** https://github.com/ProjectOpenSea/seaport/blob/main/docs/SeaportDocumentation.md */
export const SEAPORT_ORDER =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';

/** https://github.com/safe-global/safe-smart-account/blob/main/contracts/Safe.sol */
export const SAFE_TRANSACTION =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';

/** Calls that others send in the user's name. The call is of `to`, or of the domain's contract where there is none. */
export const RELAYED: readonly { type: string; from: Path; to: Path; data: Path; value?: Path }[] = [
  {
    type: 'MetaTransaction(uint256 nonce,address from,bytes functionSignature)',
    from: 'from',
    to: '@contract',
    data: 'functionSignature',
  },
  // https://eips.ethereum.org/EIPS/eip-2771, as OpenZeppelin's forwarders of version 4 and 5 have it.
  {
    type: 'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data)',
    from: 'from',
    to: 'to',
    data: 'data',
    value: 'value',
  },
  {
    type: 'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
    from: 'from',
    to: 'to',
    data: 'data',
    value: 'value',
  },
];
