/** OpenZeppelin's contracts, precompiled in its package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { InterfaceAbi } from 'ethers';

export interface Artifact {
  abi: InterfaceAbi;
  bytecode: string;
}

/** By the contract's name: `ERC20PresetFixedSupply`. */
export function artifact(name: string): Artifact {
  const path = createRequire(import.meta.url).resolve(`@openzeppelin/contracts/build/contracts/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact;
}
