/** What `npm run lint` says about texts and translations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLanguage } from '../../scripts/strings/catalogues.ts';
import { readOne } from '../../scripts/strings/source.ts';
import { readXliff, type Unit, writeXliff } from '../../scripts/strings/xliff.ts';

const problems = (text: string): string[] =>
  readOne('src/ui/view.ts', text).problems.map((line) => line.replace(/^src\/ui\/view\.ts:\d+: /, ''));

const MISTAKES: [name: string, source: string, said: RegExp][] = [
  ['words in a template', 'const draw = () => html`<p>Send it</p>`;', /“Send it” is not translated/],
  ['words after a value', 'const draw = () => html`<p>${a} of them</p>`;', /“of them”/],
  ['a name for screen readers', 'const draw = () => html`<button aria-label="Close"></button>`;', /“Close”/],
  [
    'words in an expression of a template',
    "const draw = () => html`<p>${yes ? 'Sent' : msg('Failed')}</p>`;",
    /“Sent”/,
  ],
  [
    'words in a value of an attribute',
    "const draw = () => html`<a-b .label=${'Close it'}></a-b>`;",
    /“Close it”/,
  ],
  ['words for an alert', "const draw = () => alert('caution', { title: 'Not now' });", /“Not now”/],
  ['words that are announced', 'class A { tell() { this.announce(`Sent to ${who}`); } }', /“Sent to …”/],
  [
    'words that are set later',
    "const f = () => { field.error = 'Enter an amount.'; };",
    /“Enter an amount\.”/,
  ],
  ['a text that is no constant', 'const draw = () => msg(text);', /msg\(\) takes/],
  ['markup in a text', 'const draw = () => msg(html`Pay <b>${a}</b>`);', /without markup/],
  ['a text that is read before the language is known', "const TITLE = msg('Send');", /before the language/],
  ['the same in a field', "class A { label = msg('Send'); }", /before the language/],
  ['a style that does not turn', 'const style = css`p { margin-left: 4px; }`;', /margin-left: 4px/],
  [
    'a count that is not in the text',
    "const f = () => plural(n, msg('1'), msg(str`${m} items`));",
    /plural\(count/,
  ],
];
for (const [name, source, said] of MISTAKES)
  test(`finds ${name}`, () => {
    const found = problems(source);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0]!, said);
  });

const FINE = [
  'const draw = () => html`<p class="sm muted">${msg(\'Send it\')} · ${a} vB</p>`;',
  'const draw = () => html`<input aria-label=${msg(str`Word ${n}`)} />`;',
  'const draw = () => msg(html`Pay ${a}`);',
  "const key = (event: { key: 'Enter' | 'Tab' }) => event.key === 'Enter' || ['Tab'].includes(event.key);",
  "const f = () => { throw new TypeError('Only one of them.'); };",
  "const f = () => { switch (key) { case 'Home': return { message: 'Not found.', name: 'first name' }; } };",
  'const style = css`p { margin-inline-start: 4px; } .addr { direction: ltr; text-align: left; }`;',
];
for (const source of FINE) test(`takes ${source}`, () => assert.deepEqual(problems(source), []));

const { messages } = readOne(
  'view.ts',
  "const f = () => plural(n, msg('1 item'), msg(str`${n} items of ${a}`));",
);
const [one, other] = [...messages.keys()] as [string, string];
const GOOD = new Map<string, Unit>([
  [one, { source: ['1 item'], target: ['un article'] }],
  [
    other,
    {
      source: [0, ' items of ', 1],
      target: [0, ' articles de ', 1],
      forms: { by: 0, kinds: { one: [0, ' article de ', 1] } },
    },
  ],
]);
const check = (units: Map<string, Unit>, offered = true): string[] =>
  checkLanguage('fr', offered, units, messages);
const altered = (id: string, change: Partial<Unit>): Map<string, Unit> =>
  new Map([...GOOD, [id, { ...GOOD.get(id)!, ...change }]]);

test('a language that is whole passes', () => assert.deepEqual(check(GOOD), []));

test('a language that is offered lacks nothing', () => {
  const less = new Map([[one, GOOD.get(one)!]]);
  assert.match(check(less).join(), /lacks 1 translations/);
  assert.deepEqual(check(less, false), []);
});

test('a translation has the placeholders of its text', () => {
  assert.match(check(altered(one, { target: ['un article de ', 0] })).join(), /other placeholders/);
  assert.match(check(altered(other, { target: [0, ' articles'] })).join(), /other placeholders/);
});

test('a form may do without the number, as some languages have a word for two things', () =>
  assert.deepEqual(check(altered(other, { target: ['articles de ', 1] })), []));

test('a translation that counts has the forms of its language', () =>
  assert.match(check(altered(other, { forms: { by: 0, kinds: {} } })).join(), /lacks the forms one/));

test('a translation has no markup', () =>
  assert.match(check(altered(one, { target: ['<b>un</b> article'] })).join(), /markup/));

test('a file keeps every text, placeholder and form', () => {
  const tricky: Unit = { source: ['a < b & "c" ', 0], target: ['a > b & « c » ', 0] };
  const units = new Map([...GOOD, ['s1', tricky]]);
  const xml = writeXliff('fr', units, () => ({ values: ['x > 1', 'y'], files: ['view.ts'] }));
  assert.deepEqual(readXliff(xml), units);
});
