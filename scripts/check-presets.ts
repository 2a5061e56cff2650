/**
 * `npm run check-presets`: asks each node of the presets of `networks.json` whether it is on the preset's network, and whether the contracts
 * that the preset names are there and are what it says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp, type Help, usageOf } from '../service/help.ts';
import { type Preset, PRESETS, presetNames, readPreset } from '../service/networks/presets.ts';
import { ConnectError } from '../src/base/errors.ts';
import type { Chain } from '../src/chains/chain.ts';
import { readCode, readDecimals, readSymbol, readWord } from '../src/chains/evm/node.ts';
import { loadChain } from '../src/chains/load.ts';
import { Network, type Token } from '../src/chains/network.ts';
import { CARDS } from '../src/chains/secret-type.ts';
import type { Node } from '../src/chains/terms.ts';
import { type ExchangeEntry, entriesOf } from '../src/swaps/entry.ts';

const HELP: Help = {
  usage: ['check-presets', 'check-presets -- [--write] [base …]'],
  does: 'Asks each node of the presets, or of those that are named, for its network, the contracts and the tokens, and prints a line for each.',
  options: {
    '--write': 'writes the date into each preset of which a node confirms everything and none says otherwise',
  },
  exits: {
    0: 'every node is as its preset says',
    1: 'a node is not, or the command line is invalid',
    2: 'a node did not answer; those that did are as their presets say',
  },
};

/** What came of one node. */
export interface NodeReport {
  url: string;
  /** `unreached`: it did not answer, which says nothing about the preset. */
  outcome: 'confirmed' | 'wrong' | 'unreached';
  /** What was compared, or what is wrong. */
  findings: string[];
}

/** Any key: only what its address holds is asked for. */
const KEY = new Uint8Array(32).fill(1);
/** `factory()`, and the token that stands for the coin: `WETH()` of V2, `WETH9()` of V3. */
const FACTORY = '0xc45a0155';
const WRAPPED = { 'uniswap-v2': '0xad5c4648', 'uniswap-v3': '0x4aa4a4fc' };

export function checkPreset(preset: Preset): Promise<NodeReport[]> {
  return Promise.all(preset.nodes.map((url) => checkNode(preset, url)));
}

async function checkNode(preset: Preset, url: string): Promise<NodeReport> {
  const network = Network.parse({ ...preset, nodes: [url] });
  const chain = await loadChain(network.secretType);
  const node = chain.node({ ...network, tokens: [] });
  try {
    // The first answer of every client tells which network the node is on.
    await chain.balance(await chain.address(KEY, network.kind), node);
    const problems = (
      await Promise.all([
        ...network.tokens.map((token) => tokenProblem(token, chain, node)),
        ...contractsOf(network).map(async ([name, address]) =>
          (await readCode(node, address)) === '0x' ? `${name} ${address} has no code` : undefined,
        ),
        ...entriesOf(network).map((entry) => exchangeProblem(entry, node)),
      ])
    ).filter((problem) => problem !== undefined);
    if (problems.length > 0) return { url, outcome: 'wrong', findings: problems };
    return { url, outcome: 'confirmed', findings: comparedIn(network) };
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === 'node.unreachable')) throw error;
    const isWrong = ['chain-id', 'network-id'].includes(String(error.details['reason']));
    return { url, outcome: isWrong ? 'wrong' : 'unreached', findings: [error.shortMessage] };
  }
}

function comparedIn(network: Network): string[] {
  const { chainId, genesis, tokens, multicall } = network;
  const exchanges = entriesOf(network);
  return [
    genesis === undefined ? `chain id ${chainId}` : `network ${genesis}`,
    ...(multicall === undefined ? [] : ['Multicall3']),
    ...tokens.map(({ symbol }) => symbol),
    ...exchanges.map(({ name }) => name),
  ];
}

function contractsOf(network: Network): [name: string, address: string][] {
  return [
    ...(network.multicall === undefined ? [] : [['Multicall3', network.multicall] as [string, string]]),
    ...entriesOf(network).flatMap((entry): [string, string][] => [
      [`the factory of ${entry.name}`, entry.factory],
      [`the router of ${entry.name}`, entry.router],
      ...('quoter' in entry ? [[`the quoter of ${entry.name}`, entry.quoter] as [string, string]] : []),
    ]),
  ];
}

async function tokenProblem(
  { address, symbol, decimals }: Token,
  chain: Chain,
  node: Node,
): Promise<string | undefined> {
  const [actual, said] =
    CARDS[chain.secretType].contracts === 'evm'
      ? await Promise.all([readDecimals(node, address), readSymbol(node, address)])
      : await chain.token(address, node).then((token) => [token.decimals, token.symbol] as const);
  if (actual === decimals && said === symbol) return undefined;
  return `${symbol} ${address} answers ${said ?? 'no symbol'} with ${actual ?? 'no'} decimals, not ${symbol} with ${decimals}`;
}

/** Whether router and quoter are of the factory, and the router of the wrapped coin. */
async function exchangeProblem(entry: ExchangeEntry, node: Node): Promise<string | undefined> {
  const { name, kind, factory, router, wrapped } = entry;
  const questions: [what: string, contract: string, data: string, expected: string][] = [
    ['router’s factory', router, FACTORY, factory],
    ['router’s wrapped coin', router, WRAPPED[kind], wrapped],
    ...('quoter' in entry
      ? [['quoter’s factory', entry.quoter, FACTORY, factory] as [string, string, string, string]]
      : []),
  ];
  for (const [what, contract, data, expected] of questions) {
    const answer = await readWord(node, contract, data);
    if (answer !== BigInt(expected))
      return `the ${what} of ${name} is ${answer === undefined ? 'not answered' : `0x${answer.toString(16).padStart(40, '0')}`}, not ${expected}`;
  }
  return undefined;
}

/** The lines that are printed, and the exit status. */
export function summaryOf(reports: ReadonlyMap<string, readonly NodeReport[]>): {
  lines: string[];
  status: number;
} {
  const all = [...reports].flatMap(([id, nodes]) => nodes.map((node) => ({ id, ...node })));
  const has = (outcome: NodeReport['outcome']) => all.some((one) => one.outcome === outcome);
  return {
    lines: all.map(
      ({ id, url, outcome, findings }) => `${outcome.padEnd(9)} ${id} ${url}: ${findings.join('; ')}`,
    ),
    status: has('wrong') ? 1 : has('unreached') ? 2 : 0,
  };
}

/** Whether the preset is as at least one of its nodes says, and no other says otherwise. */
export function isConfirmed(nodes: readonly NodeReport[]): boolean {
  const outcomes = nodes.map(({ outcome }) => outcome);
  return outcomes.includes('confirmed') && !outcomes.includes('wrong');
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean' } },
    allowPositionals: true,
  });
  const known = presetNames();
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no preset ${unknown.join(', ')}.\n${usageOf(HELP)}`);
  const names = positionals.length > 0 ? positionals : known;
  const reports = new Map(
    await Promise.all(names.map(async (name) => [name, await checkPreset(readPreset(name))] as const)),
  );
  const { lines, status } = summaryOf(reports);
  for (const line of lines) console.log(line);
  if (values.write)
    for (const [name, nodes] of reports)
      if (isConfirmed(nodes)) {
        const checked = new Date().toISOString().slice(0, 10);
        const path = join(PRESETS, `${name}.json`);
        writeFileSync(
          path,
          readFileSync(path, 'utf8').replace(/"checked": "[^"]*"/, `"checked": "${checked}"`),
        );
      }
  return status;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp(HELP);
  main().then(
    (status) => process.exit(status),
    (error: unknown) => {
      console.error((error as Error).message);
      process.exit(1);
    },
  );
}
