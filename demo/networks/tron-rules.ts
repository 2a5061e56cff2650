/** java-tron's reasons for refusing a transaction, in its own words (framework, actuator). */
import { utils } from 'tronweb';
import type { TronTransaction } from './tron-transaction.ts';

/** A refusal in the node's own words. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly id = '',
  ) {
    super(message);
  }
}

/** The parties of a transaction. Balances are after bandwidth and memo are paid. */
export interface Parties {
  balance: number;
  /** The fee for creating the recipient's account; 0 if it exists. */
  create: number;
  /** The recipient is a contract. */
  toContract: boolean;
  assetExists: boolean;
  assetBalance: number;
}

/** `validate` of TransferActuator, TransferAssetActuator and VMActuator. */
export function whyInvalid({ type, value }: TronTransaction, parties: Parties): string | undefined {
  const { balance, create, toContract, assetExists, assetBalance } = parties;
  const { owner_address: owner, to_address: to, amount } = value;
  switch (type) {
    case 'TransferContract':
      if (!isAddress(owner)) return 'Invalid ownerAddress!';
      if (!isAddress(to)) return 'Invalid toAddress!';
      if (owner === to) return 'Cannot transfer TRX to yourself.';
      if (amount <= 0) return 'Amount must be greater than 0.';
      if (toContract) return 'Cannot transfer TRX to a smartContract.';
      if (balance < amount + create) return 'Validate TransferContract error, balance is not sufficient.';
      return undefined;
    case 'TransferAssetContract':
      if (!isAddress(to)) return 'Invalid toAddress';
      if (amount <= 0) return 'Amount must be greater than 0.';
      if (owner === to) return 'Cannot transfer asset to yourself.';
      if (!assetExists) return 'No asset!';
      if (assetBalance <= 0) return 'assetBalance must be greater than 0.';
      if (assetBalance < amount) return 'assetBalance is not sufficient.';
      if (toContract) return 'Cannot transfer asset to smartContract.';
      if (balance < create) return 'Validate TransferAssetActuator error, insufficient fee.';
      return undefined;
    case 'TriggerSmartContract':
      if (!toContract) return 'No contract or not a valid smart contract';
      if (balance < (value.call_value ?? 0))
        return 'Validate InternalTransfer error, balance is not sufficient.';
      return undefined;
  }
}

/** Throws `Refusal` unless the owner alone signed. */
export function checkSignature({ id, signatures, signers, value }: TronTransaction): void {
  const refuse = (words: string) => new Refusal('SIGERROR', `Validate signature error: ${words}`, id);
  if (signatures.length !== 1) throw refuse('miss sig or contract');
  if (signatures[0]!.length !== 130) throw refuse(`Signature size is ${signatures[0]!.length / 2}`);
  if (!signers[0]) throw refuse('sig error');
  if (signers[0] !== value.owner_address)
    throw refuse(
      `${signatures[0]} is signed by ${base58(signers[0])} but it is not contained of permission.`,
    );
}

export function base58(address: string): string {
  return utils.address.fromHex(address);
}

function isAddress(address: string): boolean {
  return /^41[0-9a-f]{40}$/.test(address);
}
