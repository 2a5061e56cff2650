/**
 * For oxlint: keeps waits in `test/` to those of `test/waiting.ts`. A sleep or a limit of one's own is right on one machine, and fails on
 * a slower one.
 */

const TIMER = /^set(Timeout|Interval)$/;
const GLOBALS = new Set(['window', 'globalThis', 'self', 'global']);
const TIMERS = /^(node:)?timers(\/promises)?$/;
/** Of @open-wc/testing: it gives up after a second, or sleeps. */
const OF_TESTING = new Set(['waitUntil', 'aTimeout']);
const LIMIT = /time-?out/i;
/** Calls whose argument is a limit. `timeout`: of `AbortSignal` and of mocha's `this`. */
const LIMITS = /^(setDefaultTimeout|setDefaultNavigationTimeout|timeout)$/;
/** `-1` of ethers: remember nothing. */
const NO_LIMITS = new Set(['cacheTimeout']);

const SLEEP =
  'Tests do not sleep: `poll` of test/waiting.ts waits for a condition, a TestClock moves time, and `pause` is for real time that must pass.';
const FIXED =
  'A fixed limit fails on a slow machine. Leave it out, or use DEADLINE_MS, `within` or `poll` of test/waiting.ts.';

function nameOf(node, computed = false) {
  if (node.type === 'Identifier') return computed ? undefined : node.name;
  return node.type === 'Literal' ? String(node.value) : undefined;
}

const waits = {
  meta: { type: 'problem', messages: { sleep: SLEEP, fixed: FIXED } },
  create(context) {
    /** Names of what this file sets to a number. */
    const numbers = new Set();
    const isNumber = (node) => {
      if (!node) return false;
      if (node.type === 'Literal') return typeof node.value === 'number';
      if (node.type === 'Identifier') return numbers.has(node.name);
      if (node.type === 'UnaryExpression') return isNumber(node.argument);
      return node.type === 'BinaryExpression' && isNumber(node.left) && isNumber(node.right);
    };
    const sleeps = (node) => context.report({ node, messageId: 'sleep' });
    const limits = (name, node) => {
      if (LIMIT.test(name ?? '') && !NO_LIMITS.has(name) && isNumber(node))
        context.report({ node, messageId: 'fixed' });
    };
    return {
      ImportDeclaration(node) {
        if (TIMERS.test(node.source.value)) sleeps(node);
      },
      ImportSpecifier(node) {
        if (OF_TESTING.has(nameOf(node.imported))) sleeps(node);
      },
      ImportExpression(node) {
        if (TIMERS.test(node.source.value)) sleeps(node);
      },
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && isNumber(node.init)) numbers.add(node.id.name);
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type === 'Identifier' && TIMER.test(callee.name)) return sleeps(node);
        if (callee.type !== 'MemberExpression') return;
        const name = nameOf(callee.property, callee.computed);
        if (TIMER.test(name) && GLOBALS.has(callee.object.name)) sleeps(node);
        if (name === 'waitForTimeout') sleeps(node);
        if (LIMITS.test(name)) limits(name, node.arguments[0]);
      },
      Property(node) {
        limits(nameOf(node.key, node.computed), node.value);
      },
      PropertyDefinition(node) {
        limits(nameOf(node.key, node.computed), node.value);
      },
      AssignmentPattern(node) {
        limits(nameOf(node.left), node.right);
      },
      AssignmentExpression(node) {
        if (node.left.type === 'MemberExpression')
          limits(nameOf(node.left.property, node.left.computed), node.right);
      },
    };
  },
};

export default { meta: { name: 'carabiner' }, rules: { waits } };
