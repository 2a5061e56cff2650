export { readEvmOutflow as readOutflow } from '../evm/evm-outflow.ts';
