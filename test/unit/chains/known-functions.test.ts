/**
 * Walks every known function on every surface that reads calls: an address that gets something, or may take
 * it, is the headline's recipient or needs a tick that names it, alone and beside a leg for the wallet.
 */
import { expect } from '@open-wc/testing';
import { FunctionFragment, type ParamType } from 'ethers/abi';
import { type AbiValue, encodeCall } from '../../../src/chains/contracts/abi.ts';
import type { SigningWarning } from '../../../src/chains/approval/signing.ts';
import type { Warning } from '../../../src/chains/approval/summary.ts';
import { FUNCTIONS } from '../../../src/chains/call-reading/functions.ts';
import { readCall } from '../../../src/chains/call-reading/inner-calls.ts';
import { NOBODY } from '../../../src/chains/contracts/calls.ts';
import { checksum } from '../../../src/chains/contracts/evm-address.ts';
import { involvedIn } from '../../../src/chains/contracts/deeds.ts';
import { ETHEREUM } from '../../../src/chains/ethereum/profile.ts';
import { describe as describeEvm } from '../../../src/chains/evm/describe.ts';
import type { EvmDraft } from '../../../src/chains/evm/draft.ts';
import { readRelayed, readSafe } from '../../../src/chains/evm/typed-calls.ts';
import type { Case } from '../../../src/chains/evm/typed-form.ts';
import { RELAYED } from '../../../src/chains/evm/typed-shapes.ts';
import { fromEvm, toEvm } from '../../../src/chains/tron/address.ts';
import { describe as describeTron } from '../../../src/chains/tron/describe.ts';
import type { TronDraft } from '../../../src/chains/tron/draft.ts';
import { describe as describeVechain } from '../../../src/chains/vechain/describe.ts';
import type { VechainDraft } from '../../../src/chains/vechain/draft.ts';
import { NETWORK } from './fake-node.ts';

const at = (byte: string) => checksum(`0x${byte.repeat(20)}`);
const ME = at('a1');
const STRANGER = at('b2');
const TOKEN = at('70');
const SECOND = at('71');
const CALLED = at('c3');
const WORD = `0x${'0'.repeat(64)}`;
const LATER = 4_000_000_000n;

interface KnownFunction {
  fragment: FunctionFragment;
  /** `transfer to`, for each address that it takes. */
  places: string[];
}

/** Addresses that get nothing and may take nothing: what is traded or called, whose it is, and who loses a right. */
const IDLE =
  /^(token|token(In|Out|A|B)|path|considerationToken|offerToken|gasToken|from|owner|holder|offerer|zone|target|delegatee|proxy|prev(Owner|Module)|oldOwner|refundReceiver)$/;
/** What the same names mean elsewhere. */
const EXCEPT: Readonly<Record<string, 'idle' | 'active'>> = {
  'addOwnerWithThreshold owner': 'active',
  'removeOwner owner': 'idle',
  'disableModule module': 'idle',
  'uninstallModule module': 'idle',
  'lockdown spender': 'idle',
  'invalidateNonces spender': 'idle',
  'decreaseAllowance spender': 'idle',
  'decreaseApproval spender': 'idle',
  'executeBatch to': 'idle',
  'execute to': 'idle',
  'execTransaction to': 'idle',
  'execTransactionFromModule to': 'idle',
  'fulfillBasicOrder offerer': 'active',
  'fulfillBasicOrder_efficient_6GL6yc offerer': 'active',
};

const ALL: KnownFunction[] = FUNCTIONS.trim()
  .split('\n')
  .map((line) => {
    const fragment = FunctionFragment.from(`function ${line.split(': ')[0]}`);
    return { fragment, places: placesIn(fragment) };
  });

function placesIn({ name, inputs }: FunctionFragment): string[] {
  const found = new Set<string>();
  const visit = (input: ParamType, own = input.name): void => {
    if (input.arrayChildren) visit(input.arrayChildren, own);
    else if (input.components) for (const part of input.components) visit(part);
    else if (input.type === 'address') found.add(own);
  };
  for (const input of inputs) visit(input);
  return [...found].filter((own) => {
    const except = EXCEPT[`${name} ${own}`];
    return except ? except === 'active' : !IDLE.test(own);
  });
}

const CONTAINER = /^(multicall|aggregate|blockAndAggregate|try|exec|executeBatch|multiSend)/;
/** Of the Universal Router and of ERC-7579, whose bytes are not Solidity's. */
const ROUTER = 'execute(bytes,bytes[]';
const MODULAR = /^execute(FromExecutor)?\(bytes32,bytes\)$/;

interface Choice {
  /** The place with the stranger; `inside`: what is called inside is a transfer to the stranger. */
  place?: string | undefined;
  inside?: boolean;
}

function dataOf({ fragment }: KnownFunction, { place, inside = false }: Choice = {}): string {
  const inner = inside
    ? encodeCall('transfer', ['address', 'uint256'], [STRANGER, 5n])
    : encodeCall('castVote', ['uint256', 'uint8'], [1n, 1n]);
  const value = (input: ParamType, own = input.name): AbiValue => {
    const { type, arrayChildren, components } = input;
    if (own === 'path') return type === 'bytes' ? path : [TOKEN, SECOND];
    if (own === 'criteriaResolvers') return [];
    if (own === 'inputs') return [routerInput(inside)];
    if (own === 'offer') return [[1n, TOKEN, 0n, 5n, 5n]];
    if (arrayChildren) return [value(arrayChildren, own)];
    if (components) return components.map((part) => value(part));
    if (type === 'address') return own === place ? STRANGER : addressFor(own);
    if (type === 'bool') return true;
    if (type === 'string') return '';
    if (type === 'bytes32') return WORD;
    if (own === 'commands') return '0x00';
    if (own === 'transactions') return packed(inner);
    if (own === 'executionCalldata') return `${TOKEN.toLowerCase()}${WORD.slice(2)}${inner.slice(2)}`;
    if (type === 'bytes') return CONTAINER.test(fragment.name) && own !== 'signatures' ? inner : '0x';
    return numberFor(own);
  };
  const path = `${TOKEN}000bb8${SECOND.slice(2)}`.toLowerCase();
  return encodeCall(
    fragment.name,
    fragment.inputs.map((input) => input.format()),
    fragment.inputs.map((input) => value(input)),
  );
}

function addressFor(name: string): string {
  if (/^(token|tokenIn|tokenA|considerationToken|target)$/.test(name)) return TOKEN;
  if (/^(tokenOut|tokenB|offerToken)$/.test(name)) return SECOND;
  if (/^(zone|gasToken|refundReceiver)$/.test(name)) return NOBODY;
  return ME;
}

function numberFor(name: string): bigint {
  // Tokens of ERC-20 for an item.
  if (name === 'basicOrderType') return 8n;
  if (/value|operation|gas|[xX]96|^v$|orderType|identifier|considerationIdentifier/i.test(name)) return 0n;
  if (name === 'itemType' || name === 'numerator' || name === 'denominator') return 1n;
  if (name === 'feeBips') return 500n;
  return /deadline|expir|endTime|before/i.test(name) ? LATER : 5n;
}

function routerInput(inside: boolean): string {
  const path = `${TOKEN}000bb8${SECOND.slice(2)}`.toLowerCase();
  const types = ['address', 'uint256', 'uint256', 'bytes', 'bool'];
  return `0x${encodeCall('f', types, [inside ? STRANGER : ME, 5n, 4n, path, true]).slice(10)}`;
}

function packed(data: string): string {
  const length = (data.length - 2) / 2;
  return `0x00${TOKEN.slice(2)}${WORD.slice(2)}${length.toString(16).padStart(64, '0')}${data.slice(2)}`.toLowerCase();
}

function isContainer({ fragment }: KnownFunction): boolean {
  const signature = fragment.format();
  return CONTAINER.test(fragment.name) || signature.startsWith(ROUTER) || MODULAR.test(signature);
}

/** What a surface says of a call: who its headline pays, and whom its dangers name. */
interface Told {
  to: string | null | undefined;
  ticks: { code: string; names: string[] }[];
  codes: string[];
}

function toldOf(warnings: readonly (Warning | SigningWarning)[], to: string | null | undefined): Told {
  return {
    to,
    ticks: warnings
      .filter(({ level }) => level === 'danger')
      .map(({ code, params }) => ({ code, names: Object.values(params ?? {}) })),
    codes: warnings.map(({ code }) => code),
  };
}

const network = {
  ...NETWORK,
  tokens: [TOKEN, SECOND].map((address, i) => ({
    address,
    symbol: `TK${i}`,
    name: '',
    decimals: 6,
    logo: '',
  })),
};
const seen = (data: string) => involvedIn(CALLED, readCall(CALLED, data, ME).deeds);
const KNOWN = { familiar: true, reported: false };
const token = (address: string) => ({ address, symbol: 'TK', decimals: 6, balance: 10n ** 20n });

/** Nothing is simulated, unless `simulated`. */
const SURFACES: Record<string, (data: string, simulated?: boolean) => Promise<Told>> = {
  async Ethereum(data, simulated = false) {
    const addresses = Object.fromEntries(seen(data).map((one) => [one.toLowerCase(), KNOWN]));
    const tokens = Object.fromEntries([TOKEN, SECOND].map((one) => [one.toLowerCase(), token(one)]));
    const facts = {
      host: 'node',
      balance: 10n ** 20n,
      gasPrice: 1n,
      gasUsed: 1n,
      code: true,
      minedNonce: 1,
      pendingNonce: 1,
      tokens: { ...tokens, [CALLED.toLowerCase()]: token(CALLED) },
      addresses,
      ...(simulated && { changes: [] }),
    };
    const fields = { type: 0, chainId: 1, nonce: 1, gas: 1n, gasPrice: 1n, to: CALLED, value: 0n, data };
    const draft = { secretType: 'ETHEREUM', network, from: ME, ...fields, facts } as unknown as EvmDraft;
    const { warnings, to } = await describeEvm(draft, ETHEREUM);
    return toldOf(warnings, to);
  },
  async VeChain(data, simulated = false) {
    const addresses = Object.fromEntries(seen(data).map((one) => [one.toLowerCase(), KNOWN]));
    const facts = {
      host: 'node',
      vet: 10n ** 20n,
      vtho: 10n ** 20n,
      gasPrice: 1n,
      gasUsed: 1n,
      delegation: false,
      expires: '2030-01-01T00:00:00.000Z',
      ran: [true],
      tokens: {},
      addresses,
      ...(simulated && { changes: [] }),
    };
    const clauses = [{ to: CALLED, value: 0n, data }];
    const draft = { secretType: 'VECHAIN', network, from: ME, clauses, gas: 1n, facts };
    const { warnings, to } = await describeVechain(draft as unknown as VechainDraft);
    return toldOf(warnings, to);
  },
  async Tron(data) {
    const addresses = Object.fromEntries(seen(data).map((one) => [fromEvm(one), KNOWN]));
    const costs = {
      bandwidth: 1n,
      bandwidthFee: 1n,
      energy: 1n,
      energyFee: 1n,
      maxEnergyFee: 1n,
      memoFee: 0n,
      activationFee: 0n,
    };
    const draft = {
      secretType: 'TRON',
      network,
      from: fromEvm(ME),
      contract: { kind: 'call', to: fromEvm(CALLED), value: 0n, data },
      expiration: 0,
      feeLimit: 1n,
      memo: '0x',
      facts: { host: 'node', balance: 10n ** 20n, costs, code: true, addresses },
    };
    const { warnings, to } = await describeTron(draft as unknown as TronDraft);
    const { ticks, codes } = toldOf(warnings, to);
    const evm = (text: string) => (/^T\w{33}$/.test(text) ? checksum(toEvm(text)) : text);
    return { to: to && evm(to), codes, ticks: ticks.map((one) => ({ ...one, names: one.names.map(evm) })) };
  },
  async Safe(data) {
    const gas = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: NOBODY, refundReceiver: NOBODY };
    const fields = { to: CALLED, value: 0n, data, operation: 0n, ...gas, nonce: 0n };
    const { deed, warnings } = await readSafe(caseOf(fields, ME));
    return toldOf(warnings, deed?.to);
  },
  async relayed(data) {
    const fields = { nonce: 0n, from: ME, functionSignature: data };
    const { deed, warnings } = (await readRelayed(RELAYED[0]!, caseOf(fields, CALLED)))!;
    return toldOf(warnings, deed?.to);
  },
};

function caseOf(fields: Record<string, string | bigint>, verifyingContract: string): Case {
  const field = ([name, value]: [string, string | bigint]) => ({ name, type: 'address', value });
  const data = {
    message: Object.entries(fields).map(field),
    domain: [{ name: 'verifyingContract', type: 'address', value: verifyingContract }],
  };
  const known = { used: [ME, STRANGER, TOKEN, SECOND, CALLED, NOBODY], own: [], reported: [] };
  return { data, from: ME, network, known, profile: ETHEREUM, now: 0n, node: undefined } as unknown as Case;
}

/** Dangerous whoever is named: rights, all of a token, an item, and what is destroyed. */
const DANGEROUS =
  /^(setApprovalForAll|burn|transferOwnership|renounceOwnership|grantRole|upgrade\w*|change\w+|addOwner\w+|removeOwner|swapOwner|enableModule|disableModule|set(Guard|FallbackHandler)|(un)?installModule|permit\(address,(uint256|address,uint256,uint256,bool))/;
/** What moves is told by a simulation only. */
const UNTOLD =
  /^(deposit|withdraw|mint\(\)|mint\(uint256\)|claim\(\)|claimRewards?|claimAirdrop|getReward|securityUpdate|connect|verify|stake)/;

describe('every known function', () => {
  for (const [surface, read] of Object.entries(SURFACES)) {
    const isSigned = surface === 'Safe' || surface === 'relayed';

    it(`that gives the wallet alone is no danger: ${surface}`, async () => {
      for (const known of ALL) {
        const signature = known.fragment.format();
        const { ticks } = await read(dataOf(known));
        const codes = ticks.map(({ code }) => code);
        expect(codes, signature).not.to.include.oneOf(['unknown-call', 'unreadable-call']);
        if (UNTOLD.test(signature)) {
          expect(codes, signature).to.deep.equal([isSigned ? 'dangerous-call' : 'simulation-unavailable']);
          if (surface === 'Ethereum' || surface === 'VeChain')
            expect((await read(dataOf(known), true)).ticks, signature).to.deep.equal([]);
        } else if (!DANGEROUS.test(signature) && !isSigned) expect(codes, signature).to.deep.equal([]);
      }
    });

    it(`names each stranger in a tick, or as whom the headline pays or allows: ${surface}`, async () => {
      for (const known of ALL)
        for (const [name, data] of strangersOf(known)) {
          const { to, ticks, codes } = await read(data);
          const named = ticks.some(({ names }) => names.includes(STRANGER));
          const given = codes.some((code) => code === 'spending-limit' || code === 'gives-limit');
          const isHeadline = to === STRANGER && (!isSigned || ticks.length === 0 || named || given);
          const isDanger = isSigned && ticks.length > 0;
          expect(named || isHeadline || isDanger, name).to.equal(true);
        }
    });

    it(`names each stranger in a tick beside what the wallet gets: ${surface}`, async () => {
      for (const known of ALL)
        for (const [name, data] of strangersOf(known)) {
          const split = encodeCall('multicall', ['bytes[]'], [[dataOf(known), data, dataOf(known)]]);
          const { ticks, codes } = await read(split);
          const named = ticks.some(({ names }) => names.includes(STRANGER));
          const given = codes.includes('spending-limit') || codes.includes('gives-limit');
          expect(named || given || (isSigned && ticks.length > 0), name).to.equal(true);
        }
    });
  }
});

/** The function with the stranger in each place that gets something. */
function strangersOf(known: KnownFunction): [name: string, data: string][] {
  const signature = known.fragment.format();
  const found = known.places.map((place): [string, string] => [
    `${signature} ${place}`,
    dataOf(known, { place }),
  ]);
  return isContainer(known) ? [...found, [`${signature} inside`, dataOf(known, { inside: true })]] : found;
}
