import { expect } from '@open-wc/testing';
import { explain, noExchange, swapError } from '../../../src/swaps/failures.ts';

describe('errors of exchanges', () => {
  it('have the exchange in their code, and one heading for all in the documentation', () => {
    const error = swapError('Uniswap V2', 'get-price.failed', 'x', { reason: 'moved' });
    expect(error.code).to.equal('swap.uniswap-v2.get-price.failed');
    expect(error.docsPath).to.equal('docs/errors.md#swapdexget-pricefailed');
    expect(error.details).to.deep.equal({ exchange: 'Uniswap V2', reason: 'moved' });
    expect(noExchange('Y', 'x').docsPath).to.equal('docs/errors.md#swapno-exchange-found');
  });

  it('say in plain words what the contracts mean', () => {
    for (const [reason, words] of [
      ['UniswapV2Router: EXPIRED', /deadline/],
      ['Transaction too old', /deadline/],
      ['UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT', /less than the minimum/],
      ['Too little received', /less than the minimum/],
      ['UniswapV2Router: EXCESSIVE_INPUT_AMOUNT', /more than the maximum/],
      ['UniswapV2Library: INSUFFICIENT_LIQUIDITY', /no longer hold enough/],
      ['UniswapV2: K', /undeclared transfer fee/],
      ['TransferHelper: TRANSFER_FROM_FAILED', /could not be taken/],
      ['TransferHelper::transferFrom: transferFrom failed', /could not be taken/],
      ['STF', /could not be taken/],
      ['paused', /refuses it: paused/],
    ] as const)
      expect(explain(reason)).to.match(words);
  });
});
