/** The QA page: scenarios, the live element, the event log and the payload editor. */
import type { Connect } from '../../src/actions/types.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { embedCode } from './embed-code.ts';
import { h, icon } from './dom.ts';
import { brief, EventLog, failure } from './event-log.ts';
import { fundsBar } from './funds.ts';
import { ACTIONS, mount, type Mounted } from './run.ts';
import { type Context, GROUPS, type Payload, type Scenario } from './scenarios.ts';
import { connectScript, loadSettings, setNodeDown } from './settings.ts';

const ICONS = {
  code: 'm8.5 7.5-5 4.5 5 4.5m7-9 5 4.5-5 4.5',
  play: 'M8 5.5v13l10.5-6.5z',
  carabiner: 'M16.5 15.5v.5a4.5 4.5 0 0 1-9 0V8a4.5 4.5 0 0 1 9 0v.8m0 6.7-2.3-6.5',
};
const THEMES = ['System', 'Light', 'Dark'] as const;
const NO_WALLET_NEEDED = [
  'linkWallets',
  'manageWallets',
  'wallets',
  'pending',
  'resume',
  'transactionStatus',
  'refused',
];

const settings = await loadSettings();
const { connect } = (await import(/* @vite-ignore */ connectScript())) as { connect: Connect };
const log = new EventLog();

let scenario: Scenario = scenarioOf(location.hash) ?? GROUPS[0]!.scenarios[0]!;
let wallets: Wallet[] = await connect.wallets();
let chosen: string | undefined;
let mounted: Mounted | undefined;

function scenarioOf(hash: string): Scenario | undefined {
  const id = hash.replace(/^#\/?/, '');
  return GROUPS.flatMap(({ scenarios }) => scenarios).find((each) => each.id === id);
}

function wallet(): Wallet | undefined {
  return wallets.find(({ id }) => id === chosen) ?? wallets[0];
}

function context(): Context {
  return { ...settings, address: wallet()?.address ?? '' };
}

// ── the parts of the page

const status = h('p', { role: 'status', class: 'sr' });
const title = h('h2', { class: 'title grow' });
const hint = h('p', { class: 'hint' });
const stage = h('div', { class: 'stage' });
const editor = h('textarea', {
  id: 'payload',
  class: 'input mono',
  dir: 'ltr',
  spellcheck: 'false',
  autocomplete: 'off',
  'aria-describedby': 'payload-error',
});
const problem = h('p', { id: 'payload-error', class: 'problem', role: 'alert' });
const runAgain = h(
  'button',
  { type: 'button', class: 'btn secondary', click: () => run() },
  icon(ICONS.play),
  'Run again',
);
const funds = fundsBar({
  settings,
  log,
  choose(id) {
    chosen = id;
    show(scenario);
  },
});

function navigation(): HTMLElement {
  const groups = GROUPS.map((group) =>
    h(
      'div',
      {},
      h('h2', {}, group.title),
      ...group.scenarios.map((each) => h('a', { href: `#/${each.id}` }, each.title)),
    ),
  );
  return h('nav', { class: 'demo-nav', 'aria-label': 'Scenarios' }, ...groups);
}

function themeSwitch(): HTMLElement {
  const options = THEMES.map((name) =>
    h(
      'label',
      {},
      h('input', {
        type: 'radio',
        name: 'theme',
        value: name,
        checked: (localStorage.getItem('demo-theme') ?? 'System') === name,
        change: () => {
          localStorage.setItem('demo-theme', name);
          applyTheme();
        },
      }),
      name,
    ),
  );
  return h('div', { class: 'seg demo-theme', role: 'radiogroup', 'aria-label': 'Theme' }, ...options);
}

function theme(): string {
  return { Light: 'light', Dark: 'dark' }[localStorage.getItem('demo-theme') ?? ''] ?? 'auto';
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme();
  for (const element of document.querySelectorAll(
    'link-wallets, manage-wallets, transfer-dialog, sign-request',
  ))
    element.setAttribute('theme', theme());
}

async function copyEmbedCode(): Promise<void> {
  const payload = read() ?? scenario.payload(context());
  await navigator.clipboard.writeText(embedCode(mounted?.element, payload.action, payload));
  status.textContent = 'Embed code copied';
  log.add('copied', 'embed code');
}

document.body.append(
  h(
    'div',
    { class: 'demo' },
    h(
      'header',
      { class: 'demo-bar' },
      h(
        'span',
        { class: 'line grow brand' },
        icon(ICONS.carabiner, 'rotate(16 12 12)'),
        h('h1', { class: 'strong' }, 'Demo'),
      ),
      themeSwitch(),
      h(
        'button',
        { type: 'button', class: 'btn primary', click: () => void copyEmbedCode() },
        icon(ICONS.code),
        'Copy embed code',
      ),
    ),
    h(
      'div',
      { class: 'demo-grid' },
      navigation(),
      h(
        'main',
        { class: 'demo-live', 'aria-label': 'Live element' },
        h('div', { class: 'line' }, title, runAgain),
        hint,
        stage,
        funds.element,
      ),
      h(
        'aside',
        { class: 'demo-side', 'aria-label': 'Events and payload' },
        h(
          'section',
          {},
          h(
            'div',
            { class: 'sect' },
            h('span', {}, 'Events'),
            h('button', { type: 'button', class: 'btn text mini', click: () => log.clear() }, 'Clear log'),
          ),
          log.element,
        ),
        h(
          'section',
          { class: 'stack' },
          h('div', { class: 'field' }, h('label', { for: 'payload' }, 'Payload'), editor, problem),
          h(
            'div',
            { class: 'line' },
            h('button', { type: 'button', class: 'btn quiet grow', click: apply }, 'Apply payload'),
            h('button', { type: 'button', class: 'btn ghost', click: () => show(scenario) }, 'Reset'),
          ),
        ),
      ),
    ),
    status,
  ),
);

// ── what it does

function read(): Payload | undefined {
  try {
    const payload = JSON.parse(editor.value) as Payload;
    if (!ACTIONS.includes(payload?.action)) throw new Error(`action: must be one of ${ACTIONS.join(', ')}`);
    problem.textContent = '';
    editor.removeAttribute('aria-invalid');
    return payload;
  } catch (error) {
    problem.textContent = (error as Error).message;
    editor.setAttribute('aria-invalid', 'true');
    return undefined;
  }
}

function put(payload: Payload): void {
  mounted = mount(connect, payload, wallet()?.id, log);
  const parts: (Node | string)[] = mounted.element ? [mounted.element] : [];
  if (!wallet() && !NO_WALLET_NEEDED.includes(payload.action))
    parts.push(
      h('p', { class: 'hint' }, 'This needs a wallet that is linked to this site.'),
      document.createElement('link-wallets'),
    );
  if (!mounted.element)
    parts.push(h('p', { class: 'hint' }, 'Nothing to show here: run it, and read the log.'));
  stage.replaceChildren(...parts);
  applyTheme();
}

/** Must stay inside the user's click until the element opened its window. */
function run(): void {
  if (scenario.nodeDown)
    setNodeDown(true).then(
      () => funds.nodeIs(true),
      (error: unknown) => log.add('node', failure(error), 'error'),
    );
  if (!mounted) return;
  const { call } = mounted;
  log.add('call', call);
  mounted.run().then(
    (result) => log.add('resolved', `${call} ${brief(result)}`, 'done'),
    (error: unknown) => log.add('rejected', `${call} ${failure(error)}`, 'error'),
  );
}

function apply(): void {
  const payload = read();
  if (!payload) return;
  put(payload);
  run();
}

function show(next: Scenario): void {
  scenario = next;
  title.textContent = next.title;
  hint.textContent = next.hint;
  const payload = next.payload(context());
  editor.value = JSON.stringify(payload, null, 2);
  problem.textContent = '';
  editor.removeAttribute('aria-invalid');
  put(payload);
  for (const link of document.querySelectorAll('.demo-nav a')) {
    const current = link.getAttribute('href') === `#/${next.id}`;
    if (current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (current) link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

addEventListener('hashchange', () => {
  const next = scenarioOf(location.hash);
  if (next) show(next);
});

document.body.addEventListener('connect-request', ({ action, request }) =>
  log.add('connect-request', `${action} ${brief(request)}`),
);
document.body.addEventListener('connect-progress', ({ action, stage: at, transactionHash }) =>
  log.add('connect-progress', `${action} ${at} ${transactionHash ?? ''}`),
);
document.body.addEventListener('connect-result', ({ action, result }) =>
  log.add('connect-result', `${action} ${brief(result)}`, 'done'),
);
document.body.addEventListener('connect-cancel', ({ action }) => log.add('connect-cancel', action));
document.body.addEventListener('connect-error', ({ action, error }) =>
  log.add('connect-error', `${action} ${failure(error)}`, 'error'),
);

connect.onWallets((now) => {
  const before = wallet()?.id;
  wallets = now;
  funds.setWallets(wallets, wallet()?.id);
  // The element on show belongs to the wallet it was made for.
  if (wallet()?.id !== before && mounted?.call !== 'link()' && mounted?.call !== 'manage()') show(scenario);
});

funds.setWallets(wallets, wallet()?.id);
applyTheme();
show(scenario);
log.add('ready', connectScript());
