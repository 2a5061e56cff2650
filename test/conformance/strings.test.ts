/** What `npm run lint` says about texts and translations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLanguage } from '../../scripts/strings/catalogues.ts';
import { badlyWritten } from '../../scripts/strings/rules.ts';
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
  ['a number in parts', 'const f = () => msg(str`${units}${thousandths}?`);', /a number is one placeholder/],
  [
    'an amount apart from its symbol',
    'const f = () => msg(str`You have ${amount} ${asset.symbol}.`);',
    /a number is one placeholder/,
  ],
  [
    'sentences joined by a space',
    "const f = () => `${first} ${msg('Wait.')}`;",
    /sentences are joined by msg/,
  ],
  [
    'sentences joined by a full stop',
    "const f = () => `${msg('Sent')}. ${then}`;",
    /sentences are joined by msg/,
  ],
  [
    'sentences joined as a list',
    "const f = () => [msg('Sent.'), ...more].join(' ');",
    /sentences are joined by msg/,
  ],
  ['a list with English commas', "const f = () => names.join(', ');", /listOf\(\)/],
  [
    'a time in digits of the browser',
    'const f = () => new Intl.DateTimeFormat(undefined, {}).format(at);',
    /DateTimeFormat takes `language`/,
  ],
  ['the same in short', 'const f = () => at.toLocaleDateString();', /toLocaleDateString takes `language`/],
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
  "const f = () => { throw new TypeError(`One of ${names.join(', ')}.`); };",
  'const f = () => new Intl.DateTimeFormat(language).format(at);',
  "const draw = () => html`${msg('Advanced')} ${icon}`;",
  "const f = () => msg(str`${first} ${msg('Wait.')}`);",
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

/** A text as it is written, what is said of another writing, and that. */
const WRITING: [code: string, right: string, said: RegExp, wrong: string[]][] = [
  ['fr', 'Frais\u00a0: 5\u00a0%\u00a0», à 10:30', /U\+00A0 before/, ['Frais : 5', 'Frais: 5', '5 %', 'a »']],
  ['fr', '«\u00a0Max.\u00a0»', /U\+00A0 after «/, ['«Max.\u00a0»', '« Max.\u00a0»']],
  ['fr', 'Fermer\u202f? Oui\u202f!', /U\+202F/, ['Fermer ?', 'Fermer?', 'Oui\u00a0!', 'Oui\u00a0; non']],
  ['fr', 'L’adresse', /apostrophe/, ["L'adresse"]],
  [
    'fr',
    'Les wallets, les tokens et les pièces',
    /glossary/,
    ['Portefeuille', 'un jeton', 'Trop de petits coins'],
  ],
  ['de', 'um 5\u00a0%\u00a0…', /no-break space before …/, ['Lädt …']],
  ['de', '5\u00a0%', /no-break space before %/, ['5 %', '5%']],
  ['es', '5\u00a0%', /no-break space before %/, ['5 %', '5%']],
  ['es', 'Tu wallet', /glossary/, ['Su cartera']],
  ['ja', '手数料（最大）：5', /full-width/, ['手数料(最大)', '手数料: 5', '送りますか?']],
  ['ja', 'この端末', /glossary/, ['このデバイス']],
  ['zh-Hans', '费用（最高）：5', /full-width/, ['费用(最高)', '费用: 5', '发送吗?']],
  ['zh-Hans', '助记词', /glossary/, ['恢复短语']],
  ['ar', 'هل تدفع؟', /Latin punctuation/, ['هل تدفع?', 'أولًا, ثم']],
  ['ar', 'بنسبة \u2066{0}%\u2069', /U\+2066 and U\+2069/, ['بنسبة {0}%', 'بنسبة 5%']],
  ['ar', 'لـ{0}', /prefix/, ['لـ {0}']],
  ['ar', '{0} ← {1}', /arrow/, ['{0} → {1}']],
];
for (const [code, right, said, wrong] of WRITING)
  test(`${code} is written as in “${right}”`, () => {
    assert.deepEqual(badlyWritten(code, right), []);
    for (const text of wrong) assert.match(badlyWritten(code, text).join(), said, text);
  });

test('a translation is written as its language is', () =>
  assert.match(check(altered(one, { target: ['un article ?'] })).join(), /“un article \?” needs U\+202F/));

test('a file keeps every text, placeholder and form', () => {
  const tricky: Unit = { source: ['a < b & "c" ', 0], target: ['a > b & « c » ', 0] };
  const units = new Map([...GOOD, ['s1', tricky]]);
  const xml = writeXliff('fr', units, () => ({ values: ['x > 1', 'y'], files: ['view.ts'] }));
  assert.deepEqual(readXliff(xml), units);
});
