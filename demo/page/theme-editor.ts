/** Changes the elements' look live, and shows its CSS. */
import { copyButton } from './copy-button.ts';
import { h } from './dom.ts';
import {
  FONTS,
  PART_RULES,
  PRESETS,
  type Scheme,
  type Theme,
  DEFAULT,
  themeCss,
  tooFaint,
} from './theme-css.ts';

type Part = keyof typeof PART_RULES;
type Shade = 'light' | 'dark';

const COLORS: readonly [keyof Scheme, string][] = [
  ['accent', 'Accent'],
  ['surface', 'Surface'],
  ['text', 'Text'],
];
const SIZES = [
  ['radius', 'Corner radius', 0, 24],
  ['space', 'Spacing', 3, 6],
  ['fontSize', 'Font size', 13, 18],
] as const;

/** Native controls, so that the keyboard and screen readers work as everywhere. */
export function themeEditor(): HTMLElement {
  let theme: Theme = DEFAULT;
  let shade: Shade = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);

  const code = h('code');
  const problem = h('p', { class: 'problem', role: 'status' });
  const list = h('link-wallets' as 'div', { layout: 'list' });
  const manage = h('manage-wallets' as 'div', { chain: 'ethereum' });
  const send = h('transfer-dialog' as 'div', { 'secret-type': 'ETHEREUM' });
  const preview = h(
    'div',
    { class: 'preview card', role: 'group', 'aria-label': 'Preview' },
    list,
    manage,
    send,
  );

  function row(label: string, id: string, control: HTMLElement, ...after: Node[]): HTMLElement {
    return h('div', { class: 'control' }, h('label', { for: id }, label), control, ...after);
  }

  const colors = COLORS.map(([name, label]) => {
    const value = h('span', { class: 'hint mono', dir: 'ltr' });
    const input = h('input', {
      id: `color-${name}`,
      type: 'color',
      class: 'swatch',
      input: () => set({ [shade]: { ...theme[shade], [name]: input.value } }),
    });
    return {
      element: row(label, input.id, input, value),
      show() {
        input.value = theme[shade][name];
        value.textContent = theme[shade][name];
      },
    };
  });
  const sizes = SIZES.map(([name, label, min, max]) => {
    const value = h('span', { class: 'hint mono', dir: 'ltr' });
    const input = h('input', {
      id: `size-${name}`,
      type: 'range',
      min: String(min),
      max: String(max),
      input: () => set({ [name]: Number(input.value) }),
    });
    return {
      element: row(label, input.id, input, value),
      show() {
        input.value = String(theme[name]);
        value.textContent = `${theme[name]} px`;
      },
    };
  });
  const font = h(
    'select',
    { id: 'font', class: 'input', change: () => set({ font: font.value as keyof typeof FONTS }) },
    ...Object.keys(FONTS).map((name) => h('option', {}, name)),
  );
  const parts = (Object.keys(PART_RULES) as Part[]).map((part) => {
    const input = h('input', {
      type: 'checkbox',
      change: () =>
        set({ parts: input.checked ? [...theme.parts, part] : theme.parts.filter((each) => each !== part) }),
    });
    return {
      element: h('label', { class: 'tick' }, input, part),
      show: () => void (input.checked = theme.parts.includes(part)),
    };
  });

  function choice(
    name: string,
    label: string,
    options: readonly string[],
    chosen: string,
    pick: (value: string) => void,
  ) {
    const radios = options.map((value) =>
      h('input', { type: 'radio', name, value, checked: value === chosen, change: () => pick(value) }),
    );
    const labels = radios.map((radio) => h('label', {}, radio, radio.value));
    return h('div', { class: 'seg', role: 'radiogroup', 'aria-label': label }, ...labels);
  }

  function set(change: Partial<Theme>): void {
    theme = { ...theme, ...change };
    for (const control of [...colors, ...sizes, ...parts]) control.show();
    font.value = theme.font;
    const css = themeCss(theme);
    sheet.replaceSync(css);
    code.textContent = css || '/* These are the defaults: nothing to add. */';
    const faint = tooFaint(theme[shade]);
    problem.textContent = faint
      ? `Text on the surface has ${faint.toFixed(1)}:1 in the ${shade} theme; people need 4.5:1.`
      : '';
    preview.dataset['scheme'] = shade;
    for (const element of preview.children) element.setAttribute('theme', shade);
  }

  const editor = h(
    'div',
    { class: 'editor' },
    h(
      'div',
      { class: 'card controls' },
      choice('preset', 'Start from', Object.keys(PRESETS), 'Carabiner', (name) => set(PRESETS[name]!)),
      choice('shade', 'Colours of', ['Light', 'Dark'], shade === 'dark' ? 'Dark' : 'Light', (name) => {
        shade = name.toLowerCase() as Shade;
        set({});
      }),
      ...colors.map(({ element }) => element),
      ...sizes.map(({ element }) => element),
      row('Font', 'font', font),
      h('fieldset', {}, h('legend', {}, 'Parts'), ...parts.map(({ element }) => element)),
      problem,
    ),
    h(
      'div',
      { class: 'stack wide-gap' },
      preview,
      h(
        'div',
        { class: 'code' },
        h('pre', { tabindex: '0', dir: 'ltr', role: 'group', 'aria-label': 'CSS of the theme' }, code),
        copyButton('Copy CSS', () => code.textContent ?? ''),
      ),
    ),
  );
  set({});
  return editor;
}
