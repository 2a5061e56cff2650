/**
 * Each element with its editable attributes, and the code for each framework. The attributes are read from
 * the manifest.
 */
import manifest from '../../types/custom-elements.json';
import type { Connect } from '../../src/actions/types.ts';
import { copyButton } from './copy-button.ts';
import { h } from './dom.ts';
import { type Attribute, type Framework, frameworkCode, FRAMEWORKS } from './framework-code.ts';
import { connectScript } from './settings.ts';
import { applyTheme, themeSwitch } from './theme.ts';
import { themeEditor } from './theme-editor.ts';

interface Known {
  name: string;
  fieldName: string;
  type: { text: string };
  description: string;
}

/** Initial values. */
const STARTS: Record<string, Record<string, string>> = {
  'link-wallets': { 'secret-types': 'ETHEREUM' },
  'manage-wallets': { chain: 'ethereum' },
  'transfer-dialog': {
    to: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
    value: '0.25',
    'secret-type': 'ETHEREUM',
  },
  'sign-request': {
    type: 'ETHEREUM_RAW',
    data: '0x49206167726565207769746820746865207465726d73206f662074686520747261696c20636c75622e',
  },
  'swap-panel': { 'from-secret-type': 'ETHEREUM', amount: '0.5' },
};
/** Not for editing: the first is for servers, and `open` reflects state as well as setting it. */
const LEFT_OUT = ['defer-hydration', 'open'];
const EVENTS = ['connect-request', 'connect-progress', 'connect-result', 'connect-cancel', 'connect-error'];

const byId = (id: string): HTMLElement => document.getElementById(id)!;
const knownOf = new Map(
  (manifest.modules as unknown as { declarations: { tagName?: string; attributes?: Known[] }[] }[])
    .flatMap(({ declarations }) => declarations)
    .map(({ tagName, attributes = [] }) => [tagName, attributes]),
);

let tag = 'transfer-dialog';
let framework: Framework = 'HTML';
/** By tag and attribute. */
const values = structuredClone(STARTS);

function known(): Known[] {
  return knownOf.get(tag)!.filter(({ name }) => !LEFT_OUT.includes(name));
}

function attributes(): Attribute[] {
  return known().flatMap(({ name, fieldName }) => {
    const value = values[tag]![name];
    return value ? [{ name, property: fieldName, value }] : [];
  });
}

function choice<T extends string>(
  label: string,
  options: readonly T[],
  chosen: T,
  pick: (value: T) => void,
): HTMLElement {
  const labels = options.map((value) =>
    h(
      'label',
      {},
      h('input', { type: 'radio', name: label, value, checked: value === chosen, change: () => pick(value) }),
      value,
    ),
  );
  return h('div', { class: 'seg', role: 'radiogroup', 'aria-label': label }, ...labels);
}

const code = h('code');

function showCode(): void {
  const frame = new URL(connectScript()).origin;
  code.textContent = frameworkCode(framework, { frame, tag, attributes: attributes() });
}

/** A new element, as a page with this code would have. */
function showElement(): void {
  const element = h(tag as 'div');
  for (const { name, value } of attributes()) element.setAttribute(name, value);
  byId('preview').replaceChildren(element);
  if (!values[tag]!['theme']) applyTheme();
}

/** `'light'|'dark'` as a list of the two. */
function optionsOf({ type }: Known): string[] {
  return [...type.text.matchAll(/'(\w+)'/g)].map(([, option]) => option!);
}

/** Text between backticks is code. */
function withCode(text: string): (Node | string)[] {
  return text.split('`').map((part, place) => (place % 2 ? h('code', {}, part) : part));
}

function field(attribute: Known): HTMLElement {
  const { name, description } = attribute;
  const id = `attribute-${name}`;
  const options = optionsOf(attribute);
  const shared = { id, class: 'input', 'aria-describedby': `${id}-hint` };
  const set = (value: string): void => {
    values[tag]![name] = value;
    showElement();
    showCode();
  };
  const control: HTMLInputElement | HTMLSelectElement = options.length
    ? h(
        'select',
        { ...shared, change: () => set(control.value) },
        h('option', { value: '' }, 'not set'),
        ...options.map((option) => h('option', { value: option }, option)),
      )
    : h('input', {
        ...shared,
        type: 'text',
        autocomplete: 'off',
        spellcheck: 'false',
        dir: 'ltr',
        input: () => set(control.value),
      });
  control.value = values[tag]![name] ?? '';
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, h('code', {}, name)),
    control,
    h('p', { class: 'hint', id: `${id}-hint` }, ...withCode(description)),
  );
}

function show(): void {
  byId('attributes').replaceChildren(...known().map(field));
  byId('heard').textContent = '';
  showElement();
  showCode();
}

byId('page-theme').append(themeSwitch());
byId('editor').append(themeEditor());
byId('elements').append(
  choice('Element', Object.keys(STARTS), tag, (chosen) => {
    tag = chosen;
    show();
  }),
);
byId('frameworks').append(
  choice('Framework', FRAMEWORKS, framework, (chosen) => {
    framework = chosen;
    showCode();
  }),
);
byId('code').append(
  h('pre', { tabindex: '0', dir: 'ltr', role: 'group', 'aria-label': 'Code' }, code),
  copyButton('Copy code', () => code.textContent ?? ''),
);
for (const type of EVENTS)
  byId('preview').addEventListener(type, (event) => {
    const { action, stage } = event as Event & { action: string; stage?: string };
    byId('heard').textContent = [type, action, stage].filter(Boolean).join(' · ');
  });
show();

const { connect } = (await import(/* @vite-ignore */ connectScript())) as { connect: Connect };

/** Pays and signs with a linked wallet, unless another is named. */
function adopt(wallets: Awaited<ReturnType<Connect['wallets']>>): void {
  const wallet = wallets.find(({ secretType }) => secretType === 'ETHEREUM');
  if (!wallet || values['transfer-dialog']!['wallet-id']) return;
  for (const name of ['transfer-dialog', 'sign-request']) values[name]!['wallet-id'] = wallet.id;
  if (tag === 'transfer-dialog' || tag === 'sign-request') show();
}
connect.onWallets(adopt);
adopt(await connect.wallets());
