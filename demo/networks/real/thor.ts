/**
 * VeChain's own node, Thor, on a private chain (`thor solo`) whose funded accounts come from the mnemonic in its source. With `onDemand`
 * each transaction is in a block at once and there is no mempool. Without it, a block a second is packed from the mempool that mainnet
 * has.
 */
import { Address, Transaction, type TransactionClause } from '@vechain/sdk-core';
import { getAddress, getBytes, HDNodeWallet, hexlify, parseEther, randomBytes, toBeHex } from 'ethers';
import type { Network } from '../../../src/chains/network.ts';
import { freePort, startWatched, untilItAnswers } from '../watched.ts';
import {
  ASSETS,
  demoDollar,
  gift,
  type VechainPlace,
  type VechainOptions,
  vechainNetwork,
} from '../vechain-place.ts';
import { startSponsor } from '../vechain-sponsor.ts';
import { startFront } from './front.ts';
import { goNode } from './go-nodes.ts';

/** The mnemonic of Thor's development accounts: https://github.com/vechain/thor/blob/v2.4.4/genesis/devnet.go */
const MNEMONIC = 'denial kitchen pet squirrel other broom bar gas better priority spoil cross';

export interface ThorOptions extends VechainOptions {
  onDemand?: boolean;
  /** Block gas limit: a small one makes the base fee move. */
  gasLimit?: number;
  onBuild?: (what: string) => void;
}

interface Receipt {
  reverted: boolean;
  outputs: { contractAddress: string | null }[];
}

/** Takes 2 to 4 seconds. */
export async function startThor({
  port,
  delegator = false,
  onDemand = false,
  gasLimit,
  onBuild,
}: ThorOptions): Promise<VechainPlace> {
  const own = await freePort();
  const program = startWatched([
    await goNode('thor', onBuild),
    'solo',
    ...(onDemand ? ['--on-demand'] : ['--block-interval', '1']),
    ...(gasLimit === undefined ? [] : ['--gas-limit', String(gasLimit)]),
    '--api-addr',
    `127.0.0.1:${own}`,
    '--api-cors',
    '*',
    '--cache',
    '128',
    '--verbosity',
    '1',
  ]);
  const target = `http://127.0.0.1:${own}`;
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(target + path);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  interface Block {
    id: string;
    number: number;
    baseFeePerGas: string;
  }
  const best = () => get<Block>('/blocks/best');
  try {
    // The first block sets the base gas price: earlier fees would be wrong.
    await untilItAnswers('thor', program, async () => {
      if ((await best()).number === 0) throw new Error('no block yet');
    });
    const { id: genesis } = await get<Block>('/blocks/0');
    const { privateKey } = HDNodeWallet.fromPhrase(MNEMONIC, '', "m/44'/818'/0'/0/1");
    const key = getBytes(privateKey);

    async function run(clauses: TransactionClause[], gas: number): Promise<{ id: string; receipt: Receipt }> {
      const { id: block, baseFeePerGas } = await best();
      const { encoded } = Transaction.of({
        chainTag: Number.parseInt(genesis.slice(-2), 16),
        blockRef: block.slice(0, 18),
        expiration: 720,
        clauses,
        gas,
        dependsOn: null,
        nonce: hexlify(randomBytes(8)),
        maxFeePerGas: toBeHex(BigInt(baseFeePerGas) * 4n),
        maxPriorityFeePerGas: '0x0',
      }).sign(key);
      const answer = await fetch(`${target}/transactions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ raw: hexlify(encoded) }),
      });
      if (!answer.ok) throw new Error(`thor: ${await answer.text()}`);
      const { id } = (await answer.json()) as { id: string };
      for (;;) {
        const receipt = await get<Receipt | null>(`/transactions/${id}/receipt`);
        if (receipt?.reverted) throw new Error(`The transaction ${id} of the local VeChain was reverted.`);
        if (receipt) return { id, receipt };
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    const pay = async (...clauses: TransactionClause[]) =>
      (await run(clauses, 40_000 + 60_000 * clauses.length)).id;
    const vet = (to: string, amount: bigint) => ({
      to: to.toLowerCase(),
      value: toBeHex(amount),
      data: '0x',
    });

    const address = Address.ofPrivateKey(key).toString();
    const { receipt } = await run([demoDollar(address)], 1_500_000);
    const dusd = getAddress(receipt.outputs[0]!.contractAddress!);
    const mint = async (to: string, amount: bigint, vtho: bigint): Promise<void> => {
      const clauses = [
        ...(amount > 0n ? [vet(to, amount)] : []),
        ...(vtho > 0n ? [gift('VTHO', to, vtho)] : []),
      ];
      if (clauses.length > 0) await pay(...clauses);
    };
    const sponsor = delegator ? await startSponsor(mint) : undefined;
    const front = await startFront(target, port, 'VECHAIN_PORT');
    const network: Network = vechainNetwork(front.url, genesis, dusd, sponsor);
    return {
      network,
      url: front.url,
      sponsor,
      assets: ASSETS,
      contracts: { DUSD: dusd },
      get down() {
        return front.down;
      },
      set down(value) {
        front.down = value;
      },
      mint,
      fund: (to, amount) => pay(vet(to, amount)),
      give: (asset, to) =>
        pay(asset === 'VET' ? vet(to, parseEther('1000')) : gift(asset, to, parseEther('1000'), dusd)),
      async advance(blocks) {
        const { number } = await best();
        while ((await best()).number < number + blocks)
          await new Promise((resolve) => setTimeout(resolve, 100));
      },
      deployer: async () => ({
        address,
        create: async (code) =>
          (await run([{ to: null, value: '0x0', data: code }], 16_000_000)).receipt.outputs[0]!
            .contractAddress!,
        call: async (to, data, value = 0n) =>
          void (await run([{ to: to.toLowerCase(), value: toBeHex(value), data }], 16_000_000)),
        async read(to, data) {
          const answer = await fetch(`${target}/accounts/*`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ caller: address, clauses: [{ to, value: '0x0', data }] }),
          });
          return ((await answer.json()) as { data: string }[])[0]!.data;
        },
      }),
      async close() {
        await Promise.all([front.close(), sponsor?.close()]);
        await program.close();
      },
    };
  } catch (error) {
    await program.close();
    throw error;
  }
}
