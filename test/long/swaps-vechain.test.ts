import { swapRounds } from './swap-rounds.ts';

swapRounds('VECHAIN');
