/** What differs between the chains, by their own SDKs and nodes: addresses, balances, and one request of each native type. */
import assert from 'node:assert/strict';
import { MemoryAccount } from '@aeternity/aepp-sdk';
import * as ecc from '@bitcoinerlab/secp256k1';
import { Address, Secp256k1 } from '@vechain/sdk-core';
import { networks, payments, type Network as Encoding } from 'bitcoinjs-lib';
import { ECPairFactory } from 'ecpair';
import { Contract, JsonRpcProvider, Wallet as EthersWallet } from 'ethers';
import { utils as tron } from 'tronweb';
import { LITECOIN_REGTEST } from '../../demo/networks/litecoind.ts';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';

export const ECPair = ECPairFactory(ecc);
const HELLO = '0x68656c6c6f';
const MEMO = 'Invoice 7';

/** An address's balance in smallest units; `asset` is the faucet's name, by default the coin. */
type Holds = (local: LocalNetwork, address: string, asset?: string) => Promise<bigint>;

interface Receipt {
  to: string;
  amount: bigint;
  asset?: string;
}

/** A native request, and its expected effects on chain. */
export interface Native {
  request: { type: string } & Record<string, unknown>;
  receives: Receipt[];
  /** Its data cannot be decoded: the user has to accept that first. */
  unreadable?: true;
  /** Checks the transaction itself. `fee` is its cost. */
  also?: (local: LocalNetwork, hash: string, fee: bigint) => Promise<void>;
}

export interface ChainCase {
  coin: string;
  decimals: number;
  /** Amount of coins that the new user sends. */
  value: string;
  /** The coin that pays fees, if another. */
  gas?: string;
  /** Scheme of the URI in the QR code, if it has more than the address. */
  uri?: string;
  /** Tokens of the faucet that the form offers. */
  tokens: { asset: string; decimals: number }[];
  /** A new address from the chain's own SDK. */
  fresh(): Promise<string> | string;
  holds: Holds;
  natives(local: LocalNetwork, fresh: () => Promise<string>): Promise<Native[]>;
}

async function json<T>(url: string, body?: object): Promise<T> {
  const answer = await fetch(url, body ? { method: 'POST', body: JSON.stringify(body) } : {});
  return (await answer.json()) as T;
}

const nodeOf = ({ network }: LocalNetwork): string => network.nodes[0]!;

/** ABI encoding of an address argument or result. */
const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');
const BALANCE_OF = '0x70a08231';

// ── Ethereum and GoChain

const ethersAddress = (): string => EthersWallet.createRandom().address;

const evmHolds: Holds = async (local, address, asset) => {
  const provider = new JsonRpcProvider(nodeOf(local), undefined, { cacheTimeout: -1, batchMaxCount: 1 });
  try {
    if (!asset) return await provider.getBalance(address);
    const abi = ['function balanceOf(address) view returns (uint256)'];
    const contract = new Contract(local.contracts[asset]!, abi, provider);
    return (await contract.getFunction('balanceOf')(address)) as bigint;
  } finally {
    provider.destroy();
  }
};

function evmNatives(coin: string, token: string): ChainCase['natives'] {
  return async (local, fresh) => {
    const [to, other] = [await fresh(), await fresh()];
    return [
      {
        request: { type: coin, to, value: '1000000000000000', data: HELLO },
        unreadable: true,
        receives: [{ to, amount: 10n ** 15n }],
        async also(of, hash) {
          const { result } = await json<{ result: { input: string } }>(nodeOf(of), {
            jsonrpc: '2.0',
            id: 1,
            method: 'eth_getTransactionByHash',
            params: [hash],
          });
          assert.equal(result.input, HELLO);
        },
      },
      {
        request: { type: token, to: other, value: '2500000', tokenAddress: local.contracts['DCENT'] },
        receives: [{ to: other, amount: 2_500_000n, asset: 'DCENT' }],
      },
    ];
  };
}

// ── VeChain

const vechainHolds: Holds = async (local, address, asset) => {
  const account = await json<{ balance: string; energy: string }>(`${nodeOf(local)}/accounts/${address}`);
  if (!asset) return BigInt(account.balance);
  if (asset === 'VTHO') return BigInt(account.energy);
  const clauses = [{ to: local.contracts[asset], value: '0x0', data: BALANCE_OF + word(address) }];
  const [called] = await json<{ data: string }[]>(`${nodeOf(local)}/accounts/*`, { clauses });
  return BigInt(called!.data);
};

const vechainAddress = async (): Promise<string> =>
  Address.ofPrivateKey(await Secp256k1.generatePrivateKey()).toString();

async function vechainNatives(local: LocalNetwork, fresh: () => Promise<string>): Promise<Native[]> {
  const tokenAddress = local.contracts['DUSD'];
  const types = [
    ['VET_TRANSACTION', undefined, {}, { data: HELLO }],
    ['VTHO_TRANSACTION', 'VTHO', {}, {}],
    ['VECHAIN_VIP180_TRANSACTION', 'DUSD', { tokenAddress }, { tokenAddress }],
  ] as const;
  return Promise.all(
    types.map(async ([type, asset, first, second]): Promise<Native> => {
      const receives = [
        { to: await fresh(), amount: 3n * 10n ** 18n, ...(asset && { asset }) },
        { to: await fresh(), amount: 10n ** 17n, ...(asset && { asset }) },
      ];
      const clauses = receives.map(({ to, amount }, i) => ({
        to,
        amount: String(amount),
        ...(i ? second : first),
      }));
      return {
        request: { type, clauses },
        receives,
        ...('data' in second && { unreadable: true }),
        async also(of, hash) {
          const sent = await json<{ clauses: unknown[]; chainTag: number }>(
            `${nodeOf(of)}/transactions/${hash}`,
          );
          assert.equal(sent.clauses.length, 2);
          assert.equal(sent.chainTag, Number.parseInt(of.network.genesis!.slice(-2), 16));
        },
      };
    }),
  );
}

// ── Bitcoin and Litecoin

export const ENCODINGS = { BITCOIN: networks.regtest, LITECOIN: LITECOIN_REGTEST };

export function p2wpkh(publicKey: Uint8Array, network: Encoding): string {
  return payments.p2wpkh({ pubkey: publicKey, network }).address!;
}

const utxoHolds: Holds = async (local, address) => {
  const coins = await json<{ value: number }[]>(`${nodeOf(local)}/address/${address}/utxo`);
  return coins.reduce((sum, { value }) => sum + BigInt(value), 0n);
};

/** `perByte`: the fee rate in satoshi per virtual byte that `given` requests. */
function utxoNatives(type: string, given: object, perByte: number): ChainCase['natives'] {
  return async (_local, fresh) => {
    const to = await fresh();
    return [
      {
        request: { type, to, value: 150_000, ...given },
        receives: [{ to, amount: 150_000n }],
        async also(local, hash, fee) {
          const { weight } = await json<{ weight: number }>(`${nodeOf(local)}/tx/${hash}`);
          const expected = Math.ceil(weight / 4) * perByte;
          assert.ok(Math.abs(Number(fee) - expected) <= perByte, `${fee} satoshi, not about ${expected}`);
        },
      },
    ];
  };
}

// ── Tron

const ASSETS: Record<string, string> = { DPT: '1000001' };

const tronHolds: Holds = async (local, address, asset) => {
  const node = `${nodeOf(local)}/wallet`;
  const contract = asset && local.contracts[asset];
  if (contract) {
    const called = await json<{ constant_result: [string] }>(`${node}/triggerconstantcontract`, {
      owner_address: address,
      contract_address: contract,
      function_selector: 'balanceOf(address)',
      parameter: tron.abi.encodeParams(['address'], [address]).slice(2),
      visible: true,
    });
    return BigInt(`0x${called.constant_result[0]}`);
  }
  const account = await json<{ balance?: number; assetV2?: { key: string; value: number }[] }>(
    `${node}/getaccount`,
    { address, visible: true },
  );
  if (!asset) return BigInt(account.balance ?? 0);
  return BigInt(account.assetV2?.find(({ key }) => key === ASSETS[asset])?.value ?? 0);
};

async function tronNatives(local: LocalNetwork, fresh: () => Promise<string>): Promise<Native[]> {
  const [to, second, third] = [await fresh(), await fresh(), await fresh()];
  return [
    {
      request: { type: 'TRX_TRANSACTION', to, value: 1_500_000, data: MEMO },
      receives: [{ to, amount: 1_500_000n }],
      async also(of, hash) {
        const { raw_data } = await json<{ raw_data: { data: string } }>(
          `${nodeOf(of)}/wallet/gettransactionbyid`,
          { value: hash },
        );
        assert.equal(Buffer.from(raw_data.data, 'hex').toString(), MEMO);
      },
    },
    {
      request: { type: 'TRC10_TRANSACTION', to: second, value: 25_000, token: ASSETS['DPT'] },
      receives: [{ to: second, amount: 25_000n, asset: 'DPT' }],
    },
    {
      request: {
        type: 'TRC10_TRANSACTION',
        to: third,
        value: '3000000000000000000',
        token: local.contracts['DUSD'],
      },
      receives: [{ to: third, amount: 3n * 10n ** 18n, asset: 'DUSD' }],
    },
  ];
}

// ── Aeternity

const aeternityHolds: Holds = async (local, address) => {
  const { balance = '0' } = await json<{ balance?: string }>(
    `${nodeOf(local)}/v3/accounts/${address}?int-as-string=true`,
  );
  return BigInt(balance);
};

async function aeternityNatives(_local: LocalNetwork, fresh: () => Promise<string>): Promise<Native[]> {
  const to = await fresh();
  return [
    {
      request: { type: 'AE_TRANSACTION', to, value: '250000000000000000', data: MEMO },
      receives: [{ to, amount: 250_000_000_000_000_000n }],
      async also(local, hash) {
        const { tx } = await json<{ tx: { payload: string } }>(`${nodeOf(local)}/v3/transactions/${hash}`);
        // Without the four-byte checksum at the end.
        const payload = Buffer.from(tx.payload.replace(/^ba_/, ''), 'base64').subarray(0, -4);
        assert.equal(payload.toString(), MEMO);
      },
    },
  ];
}

const dusd = { asset: 'DUSD', decimals: 18 };
const utxoAddress = (network: Encoding) => (): string =>
  p2wpkh(ECPair.makeRandom({ network }).publicKey, network);

export const CASES: Record<SecretType, ChainCase> = {
  ETHEREUM: {
    coin: 'ETH',
    decimals: 18,
    value: '1.5',
    tokens: [dusd, { asset: 'DCENT', decimals: 6 }],
    fresh: ethersAddress,
    holds: evmHolds,
    natives: evmNatives('ETH_TRANSACTION', 'ETHEREUM_ERC20_TRANSACTION'),
  },
  GOCHAIN: {
    coin: 'GO',
    decimals: 18,
    value: '1.5',
    tokens: [dusd, { asset: 'DCENT', decimals: 6 }],
    fresh: ethersAddress,
    holds: evmHolds,
    natives: evmNatives('GO_TRANSACTION', 'GOCHAIN_GO20_TRANSACTION'),
  },
  VECHAIN: {
    coin: 'VET',
    decimals: 18,
    value: '2.5',
    gas: 'VTHO',
    tokens: [dusd, { asset: 'VTHO', decimals: 18 }],
    fresh: vechainAddress,
    holds: vechainHolds,
    natives: vechainNatives,
  },
  BITCOIN: {
    coin: 'BTC',
    decimals: 8,
    value: '0.0125',
    uri: 'bitcoin',
    tokens: [],
    fresh: utxoAddress(ENCODINGS.BITCOIN),
    holds: utxoHolds,
    natives: utxoNatives('BTC_TRANSACTION', { feePerByte: '12.5' }, 12.5),
  },
  LITECOIN: {
    coin: 'LTC',
    decimals: 8,
    value: '0.75',
    uri: 'litecoin',
    tokens: [],
    fresh: utxoAddress(ENCODINGS.LITECOIN),
    holds: utxoHolds,
    natives: utxoNatives('LTC_TRANSACTION', { feePerKiloByte: 20_000 }, 20),
  },
  TRON: {
    coin: 'TRX',
    decimals: 6,
    value: '12.5',
    tokens: [dusd, { asset: 'DPT', decimals: 4 }],
    fresh: () => tron.accounts.generateAccount().address.base58,
    holds: tronHolds,
    natives: tronNatives,
  },
  AETERNITY: {
    coin: 'AE',
    decimals: 18,
    value: '0.25',
    tokens: [],
    fresh: () => MemoryAccount.generate().address,
    holds: aeternityHolds,
    natives: aeternityNatives,
  },
};

/** Why tests of this chain cannot run on this machine. */
export function missing(secretType: SecretType): string | false {
  const needs = secretType === 'BITCOIN' || secretType === 'LITECOIN';
  return needs && !litecoindPath() && 'litecoind is not installed';
}
