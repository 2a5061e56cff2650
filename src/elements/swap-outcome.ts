/** All that comes after the form of `<swap-panel>`. It is loaded with the first review. */
export { problemOf } from './swap-problem.ts';
export { SwapProgress } from './swap-progress.ts';
export { buyLabel, isBeyond, limitLabel, review, sellLabel } from './swap-review.ts';
export { stepsOf } from './swap-run.ts';
export { spoken, steps } from './swap-steps.ts';
export { swapOutcomeStyles } from './swap-outcome-styles.ts';
