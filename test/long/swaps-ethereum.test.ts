import { swapRounds } from './swap-rounds.ts';

swapRounds('ETHEREUM');
