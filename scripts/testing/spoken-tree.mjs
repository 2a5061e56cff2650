/**
 * The accessibility tree of a page as text: a line for each thing that a screen reader meets, with role, name, description, value and states,
 * below what contains it. `tree`: of puppeteer's `accessibility.snapshot`.
 */
const STATES = ['focused', 'disabled', 'expanded', 'checked', 'pressed', 'selected', 'required', 'invalid'];
const VALUES = ['level', 'valuetext', 'autocomplete', 'haspopup'];

export function spokenTree(tree, depth = 0) {
  const { role, name = '', value, description } = tree;
  // Nobody meets the options of a list that is closed.
  const children = (tree.expanded !== false && tree.children) || [];
  const states = [
    ...STATES.filter((state) => ![undefined, false, 'false'].includes(tree[state])).map((state) =>
      tree[state] === true || tree[state] === 'true' ? state : `${state}=${tree[state]}`,
    ),
    ...['expanded', 'checked', 'pressed']
      .filter((state) => tree[state] === false)
      .map((state) => `not ${state}`),
    ...VALUES.filter((each) => tree[each]).map((each) => `${each}=${tree[each]}`),
  ];
  const line = [
    role,
    name && JSON.stringify(name),
    value !== undefined && value !== '' && `value ${JSON.stringify(value)}`,
    description && `description ${JSON.stringify(description)}`,
    states.length > 0 && `[${states.join(', ')}]`,
  ];
  return [
    `${'  '.repeat(depth)}${line.filter(Boolean).join(' ')}`,
    ...children.map((child) => spokenTree(child, depth + 1)),
  ].join('\n');
}
