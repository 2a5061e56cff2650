/** A fake node: answers by path, and records requests. */
import type { Network } from '../../../../src/chains/network.ts';
import { addressBytes, readAddress } from '../../../../src/chains/tron/address.ts';
import { hexOf } from '../../../../src/base/bytes.ts';
import { clientOf } from '../../../../src/chains/tron/node.ts';

export const GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
export const FROM = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC';
export const TO = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
export const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const ASSET = '1002000';

export const NETWORK: Network = {
  id: 'tron-local',
  secretType: 'TRON',
  name: 'Local Tron',
  kind: 'local',
  genesis: GENESIS,
  nodes: ['http://one.example'],
  tokens: [],
};

export const LISTED: Network = {
  ...NETWORK,
  tokens: [
    { address: TOKEN, symbol: 'USDT', name: 'Tether USD', decimals: 6, logo: '' },
    { address: ASSET, symbol: 'BTT', name: 'BitTorrent', decimals: 6, logo: '' },
  ],
};

export const BLOCK_TIME = 1_777_445_307_000;
export const PARAMETERS: Record<string, number> = {
  getTransactionFee: 1000,
  getCreateAccountFee: 100_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateNewAccountBandwidthRate: 1,
  getEnergyFee: 210,
  getMemoFee: 1_000_000,
  getMaxFeeLimit: 15_000_000_000,
};

/** The form in which nodes write it unless asked for text. */
export const hexAddress = (address: string): string => hexOf(addressBytes(address)).slice(2);

/** By path after `/wallet/`. A value is the answer, text a raw body; a function gets the request, with addresses in base58. */
export type Answers = Record<string, unknown>;

export const QUIET: Answers = {
  getblock: { blockID: GENESIS },
  getnowblock: {
    blockID: '0000000003fe266bf6b6d392f654dc2e5011601546ed04623d9fcc4e9d439a25',
    block_header: { raw_data: { number: 66987627, timestamp: BLOCK_TIME } },
  },
  getaccount: ({ address }: { address: string }) =>
    address === TOKEN
      ? { address, type: 'Contract' }
      : { address, balance: 100_000_000, assetV2: [{ key: ASSET, value: 5_000_000 }] },
  getaccountresource: { freeNetLimit: 600, freeNetUsed: 100 },
  getchainparameters: {
    chainParameter: Object.entries(PARAMETERS).map(([key, value]) => ({ key, value })),
  },
  triggerconstantcontract: ({ data }: { data: string }) => ({
    result: { result: true },
    energy_used: 10_000,
    constant_result: [data.startsWith('70a08231') ? word(9_000_000) : word(1)],
    transaction: { ret: [{}] },
  }),
  gettransactioninfobyid: {},
  gettransactionbyid: {},
  gettransactionfrompending: {},
};

export function word(value: number | bigint): string {
  return value.toString(16).padStart(64, '0');
}

export const hexText = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** `asked` has path and body of every request, also as it was written; `busy` hosts do not answer. */
export function fakeTron(answers: Answers = {}, network: Network = LISTED) {
  const asked: { path: string; body: any; text: string; host: string }[] = [];
  const node = clientOf(network, {
    fetch: async (url, init) => {
      const { host, pathname } = new URL(String(url));
      const path = pathname.replace('/wallet/', '');
      const text = String(init?.body);
      const body = JSON.parse(text);
      asked.push({ path, body, text, host });
      let answer = { ...QUIET, ...answers }[path];
      if (typeof answer === 'function')
        answer = answer(body.address ? { ...body, address: readAddress(body.address) } : body, host);
      if (answer instanceof Response) return answer;
      if (path === 'getaccount' && Object.keys(Object(answer)).length > 0 && typeof answer === 'object')
        answer = { ...answer, address: body.address };
      return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  });
  return { node, asked };
}
