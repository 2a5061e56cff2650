/** Which failures of a run are forgiven when the file passes at a second try. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Failure, isForgivable, isLate, outcomeOf, lastUnlessLost } from '../../scripts/repeat.ts';

const HOSTILE = 'test/e2e/hostile/page.test.ts';
const OTHER = 'test/e2e/pin.test.ts';
const late: Failure = {
  file: HOSTILE,
  test: 'a covered iframe',
  why: 'locator.waitFor: Timeout 15000ms exceeded.',
  type: 'TimeoutError',
};
const waited: Failure = {
  file: HOSTILE,
  test: 'a synthetic click',
  why: 'timed out after 15 s waiting for the next view',
  type: 'Error',
};
const moved: Failure = { file: HOSTILE, test: 'a second init', why: 'nothing moved', type: 'AssertionError' };

describe('a file that failed and passes when it is repeated', () => {
  it('is forgiven an attack’s wait that ended too late', () => {
    assert.ok(isLate(late));
    assert.ok(isLate(waited));
    assert.ok(isForgivable(HOSTILE, [late, waited]));
  });

  it('is forgiven attacks that did not run because what they need was late', () => {
    const cancelled: Failure = { ...waited, why: 'test did not finish before its parent', type: 'cancelled' };
    assert.ok(isForgivable(HOSTILE, [cancelled, { ...waited, test: 'messages' }]));
    assert.equal(isForgivable(HOSTILE, [cancelled]), false);
    assert.equal(isForgivable(HOSTILE, [cancelled, moved]), false);
    assert.equal(outcomeOf(cancelled), 'late');
  });

  it('is never forgiven an attack that a comparison found to succeed, whatever it says and whatever else failed', () => {
    assert.equal(isForgivable(HOSTILE, [moved]), false);
    assert.equal(isForgivable(HOSTILE, [late, moved]), false);
    assert.equal(isForgivable(HOSTILE, [{ ...waited, type: 'AssertionError' }]), false);
    assert.equal(isForgivable(HOSTILE, [{ ...late, type: 'AssertionError' }]), false);
  });

  it('is not forgiven another error of an attack, or one that nobody could read', () => {
    assert.equal(
      isForgivable(HOSTILE, [{ ...waited, why: 'it timed out after 15 s waiting for it' }]),
      false,
    );
    assert.equal(isForgivable(HOSTILE, [{ file: HOSTILE, why: `${HOSTILE} broke off.` }]), false);
    assert.equal(isForgivable(HOSTILE, [{ file: HOSTILE, why: `${HOSTILE} took too long.` }]), false);
    assert.equal(isForgivable(HOSTILE, []), false);
    assert.equal(isForgivable(HOSTILE, [{ ...late, file: OTHER }]), false);
  });

  it('is forgiven everything if it holds no attacks', () => {
    assert.ok(isForgivable(OTHER, [{ ...moved, file: OTHER }]));
    assert.ok(isForgivable(OTHER, [moved]));
  });
});

describe('the outcome of an attack that ran twice', () => {
  it('is that of the last run, unless the attack succeeded once', () => {
    assert.equal(lastUnlessLost(undefined, outcomeOf(undefined)), 'held');
    assert.equal(lastUnlessLost(outcomeOf(late), outcomeOf(undefined)), 'held');
    assert.equal(lastUnlessLost(outcomeOf(late), outcomeOf(moved)), 'lost');
    assert.equal(lastUnlessLost(outcomeOf(moved), outcomeOf(undefined)), 'lost');
    assert.equal(lastUnlessLost(outcomeOf(moved), outcomeOf(late)), 'lost');
    assert.equal(lastUnlessLost(outcomeOf(undefined), outcomeOf(late)), 'late');
  });
});
