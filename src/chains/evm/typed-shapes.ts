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
  deed: Extract<Deed['kind'], 'allow' | 'take' | 'pay' | 'act' | 'borrow'>;
  /** The contracts that this form was made for, where they are few. */
  contracts?: readonly string[] | undefined;
  /** Whose tokens they are. */
  owner?: Path | undefined;
  /** Who may take them, or gets them. */
  to: Path;
  /** When that ends. */
  until: Path;
  /** False where it takes back what it would give. */
  given?: Path | undefined;
  terms: readonly { path: Path; term: TermCode; format: Format }[];
}

/** An order: whoever takes it gets what it gives, for what it asks. */
export interface OrderShape {
  /** As `encodeType` writes it. */
  type: string;
  contracts: readonly string[];
  /** Whose it is; the signer's where it does not say. */
  owner?: Path;
  /** At most: the sum of the amounts. */
  gives: { token: Path; amounts: readonly Path[] };
  /** At least. */
  gets: { token: Path; amount: Path };
  /** Who gets it; the zero address is the owner. */
  receiver: Path;
  /** Seconds since 1970, in `bits` of an integer from the bit `shift` on. Absent: it has no end. */
  until?: { path: Path; shift?: bigint; bits?: bigint; zero?: 'never' };
  /** What makes another contract decide about the price: a bit that is set, or bytes that are not empty. */
  open?: { path: Path; bit?: bigint };
}

export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
/** https://github.com/ProjectOpenSea/seaport: 1.6, 1.5 and 1.4. */
export const SEAPORTS: readonly string[] = [
  '0x0000000000000068F116a894984e2DB1123eB395',
  '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  '0x00000000000001ad428e4906aE43D8F9852d0dD6',
];

/** https://github.com/cowprotocol/contracts: GPv2Settlement. */
const COW = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41';
/** https://github.com/1inch/limit-order-protocol: version 4, and version 3. */
const ONE_INCH: readonly string[] = [
  '0x111111125421cA6dc452d289314280a0f8842A65',
  '0x1111111254EEB25477B68fb85Ed929f73A960582',
];
/** https://github.com/morpho-org/morpho-blue */
const MORPHO = '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb';
/** https://github.com/eth-infinitism/account-abstraction: 0.8 and 0.9, which sign typed data. */
export const ENTRY_POINTS: readonly string[] = [
  '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
];

/** Deployed at the same address on every network. */
export const CONTRACT_NAMES: Readonly<Record<string, string>> = {
  [PERMIT2.toLowerCase()]: 'Permit2',
  ...Object.fromEntries(SEAPORTS.map((address) => [address.toLowerCase(), 'Seaport'])),
  [COW.toLowerCase()]: 'CoW Protocol',
  ...Object.fromEntries(ONE_INCH.map((address) => [address.toLowerCase(), '1inch'])),
  [MORPHO.toLowerCase()]: 'Morpho',
  ...Object.fromEntries(ENTRY_POINTS.map((address) => [address.toLowerCase(), 'EntryPoint'])),
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
  // https://github.com/Uniswap/v4-periphery/blob/main/src/libraries/ERC721PermitHash.sol
  {
    type: 'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)',
    deed: 'allow',
    to: 'operator',
    until: 'deadline',
    terms: [
      { path: 'approved', term: 'limit', format: { as: 'all', token: '@contract' } },
      { path: 'deadline', term: 'sign-before', format: { as: 'date' } },
    ],
  },
  // https://github.com/compound-finance/comet/blob/main/contracts/CometExt.sol
  {
    type: 'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)',
    deed: 'act',
    owner: 'owner',
    to: 'manager',
    until: 'expiry',
    given: 'isAllowed',
    terms: [{ path: 'expiry', term: 'sign-before', format: { as: 'date' } }],
  },
  // https://github.com/morpho-org/morpho-blue/blob/main/src/libraries/ConstantsLib.sol
  {
    type: 'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
    deed: 'act',
    owner: 'authorizer',
    to: 'authorized',
    until: 'deadline',
    given: 'isAuthorized',
    terms: [{ path: 'deadline', term: 'sign-before', format: { as: 'date' } }],
  },
  // https://github.com/aave-dao/aave-v3-origin/blob/main/src/contracts/protocol/tokenization/base/DebtTokenBase.sol
  {
    type: 'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
    deed: 'borrow',
    to: 'delegatee',
    until: 'deadline',
    terms: [
      { path: 'value', term: 'limit', format: { as: 'limit', token: '@contract' } },
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

/** Orders of one asset for another. */
export const ORDERS: readonly OrderShape[] = [
  // https://github.com/cowprotocol/contracts/blob/main/src/contracts/libraries/GPv2Order.sol
  {
    type: 'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    contracts: [COW],
    gives: { token: 'sellToken', amounts: ['sellAmount', 'feeAmount'] },
    gets: { token: 'buyToken', amount: 'buyAmount' },
    receiver: 'receiver',
    until: { path: 'validTo' },
  },
  // https://github.com/1inch/limit-order-protocol/blob/master/contracts/libraries/MakerTraitsLib.sol
  {
    type: 'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    contracts: ONE_INCH,
    owner: 'maker',
    gives: { token: 'makerAsset', amounts: ['makingAmount'] },
    gets: { token: 'takerAsset', amount: 'takingAmount' },
    receiver: 'receiver',
    until: { path: 'makerTraits', shift: 80n, bits: 40n, zero: 'never' },
    // With an extension, which the salt has only the hash of, another contract can compute the amounts.
    open: { path: 'makerTraits', bit: 249n },
  },
  {
    type: 'Order(uint256 salt,address makerAsset,address takerAsset,address maker,address receiver,address allowedSender,uint256 makingAmount,uint256 takingAmount,uint256 offsets,bytes interactions)',
    contracts: ONE_INCH,
    owner: 'maker',
    gives: { token: 'makerAsset', amounts: ['makingAmount'] },
    gets: { token: 'takerAsset', amount: 'takingAmount' },
    receiver: 'receiver',
    open: { path: 'interactions' },
  },
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

/** https://eips.ethereum.org/EIPS/eip-4337, as EntryPoint has it since version 0.8. */
export const USER_OPERATION =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)';

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
