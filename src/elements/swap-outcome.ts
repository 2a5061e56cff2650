/** Everything that follows the form of `<swap-panel>`. Loaded with the first review. */
export { problemOf } from './swap-problem.ts';
export { SwapProgress } from './swap-progress.ts';
export { review, runOf } from './swap-review.ts';
export { spoken, steps } from './swap-steps.ts';
export { swapOutcomeStyles } from './swap-outcome-styles.ts';
