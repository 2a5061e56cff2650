/**
 * What a transaction uses of the account's own resources, and what is burned for the rest. What the deployer of a contract takes over of the
 * energy is counted; what the issuer of a TRC-10 token takes over of the bandwidth is not: then it costs less.
 * https://tronprotocol.github.io/documentation-en/mechanism-algorithm/resource/
 */
import type { Contract, Costs } from './draft.ts';
import type { Deployer, Trial } from './contract-reads.ts';
import type { Resources } from './node.ts';

/** Assumed if the node runs no simulations: a TRC-20 transfer to a new holder takes about 130,000. */
const USUAL_ENERGY = 200_000n;

/** Sun of a chain parameter. */
export type Price = (name: string) => bigint;

/** A contract's deployer who has energy left to pay for its callers. */
export interface Payer extends Pick<Deployer, 'address' | 'callerShare'> {
  /** Maximum units: of the deployer's limit, and of what is left. */
  energy: bigint;
}

/** Energy left for the caller to pay (`ReceiptCapsule.payEnergyBill`). */
function callersEnergy(energy: bigint, payer: Payer | undefined): bigint {
  if (!payer) return energy;
  const shared = (energy * (100n - payer.callerShare)) / 100n;
  return energy - lower(shared, payer.energy);
}

/**
 * The fee limit leaves room for a quarter more energy than the simulation took: the factor that busy
 * contracts pay grows by at most a fifth from one maintenance period to the next
 * (getDynamicEnergyIncreaseFactor). It caps the caller's energy, including the account's own.
 */
export function feeLimitOf(
  contract: Contract,
  trial: Trial | undefined,
  price: Price,
  payer?: Payer,
): bigint {
  if (contract.kind !== 'call') return 0n;
  const wanted = callersEnergy((energyOf(trial) * 5n + 3n) / 4n, payer) * price('getEnergyFee');
  return lower(wanted, price('getMaxFeeLimit'));
}

export function costsOf(terms: {
  contract: Contract;
  feeLimit: bigint;
  hasMemo: boolean;
  bandwidth: bigint;
  /** The recipient has no account yet. */
  activates: boolean;
  own: Resources;
  trial: Trial | undefined;
  price: Price;
  payer: Payer | undefined;
}): Costs {
  const { contract, feeLimit, hasMemo, bandwidth, activates, own, trial, price, payer } = terms;
  const energy = contract.kind === 'call' ? callersEnergy(energyOf(trial), payer) : 0n;
  const burned = (sun: bigint) => positive(sun - own.energy * price('getEnergyFee'));
  const maxEnergyFee = burned(feeLimit);
  const energyFee = burned(energy * price('getEnergyFee'));
  const costs = {
    bandwidth,
    // All or nothing: resources that cover only part of the bytes are not used.
    bandwidthFee:
      activates || own.staked >= bandwidth || own.free >= bandwidth
        ? 0n
        : bandwidth * price('getTransactionFee'),
    energy,
    energyFee: lower(energyFee, maxEnergyFee),
    maxEnergyFee,
    memoFee: hasMemo ? price('getMemoFee') : 0n,
    activationFee: activates ? activationFee(bandwidth, own, price) : 0n,
    payer: payer?.address,
  };
  const alone = feeLimit + costs.memoFee + bytesOrAccount(bandwidth, activates, price);
  return { ...costs, covered: alone - requiredOf(costs) };
}

/** Sun that the account must have: burned if the call uses all that the fee limit allows, and its own resources are what the node says. */
export function requiredOf({ bandwidthFee, maxEnergyFee, memoFee, activationFee }: Costs): bigint {
  return bandwidthFee + maxEnergyFee + memoFee + activationFee;
}

/**
 * Sun burned at most: the signed fee limit and the price of every byte. Another transaction may use the
 * account's own resources first, and what they are is only the node's word. That the recipient has an account,
 * and the network's prices, are the node's word too: nothing signed limits those, but they are fractions of a
 * TRX and 1.1 TRX, and an account that is there stays.
 */
export function maximumOf(costs: Costs): bigint {
  return requiredOf(costs) + (costs.covered ?? 0n);
}

/** Replaces the price for bandwidth; free bandwidth does not count. */
function activationFee(bandwidth: bigint, own: Resources, price: Price): bigint {
  const covered = own.staked >= bandwidth * price('getCreateNewAccountBandwidthRate');
  return price('getCreateNewAccountFeeInSystemContract') + (covered ? 0n : price('getCreateAccountFee'));
}

/** Without own resources. Somebody else may create the recipient's account first: then the bytes are paid for. */
function bytesOrAccount(bandwidth: bigint, activates: boolean, price: Price): bigint {
  const bytes = bandwidth * price('getTransactionFee');
  const account = activates ? activationFee(bandwidth, { free: 0n, staked: 0n, energy: 0n }, price) : 0n;
  return bytes > account ? bytes : account;
}

function energyOf(trial: Trial | undefined): bigint {
  return trial?.energy ?? USUAL_ENERGY;
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function positive(sun: bigint): bigint {
  return sun > 0n ? sun : 0n;
}
