/** The page for testers: scenarios and their filter, the live element, the event log and the payload editor. */
import type { Connect } from '../../src/actions/types.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { CHAIN_NAMES } from '../../src/chains/secret-type.ts';
import { embedCode } from './embed-code.ts';
import { h, icon } from './dom.ts';
import { brief, EventLog, failure } from './event-log.ts';
import { fundsBar } from './funds.ts';
import { ACTIONS, mount, type Mounted } from './run.ts';
import {
  CHAINS,
  type ChainScenarios,
  type Context,
  groupsOf,
  type Payload,
  type Scenario,
} from './scenarios/index.ts';
import { connectScript, loadSettings, makeTrouble } from './settings.ts';
import { shop } from './shop.ts';
import { getAccessToken, signedIn, signInControl } from './sign-in.ts';
import { applyTheme, themeSwitch } from './theme.ts';
import { whiteLabelPanel } from './white-label.ts';

const ICONS = {
  code: 'm8.5 7.5-5 4.5 5 4.5m7-9 5 4.5-5 4.5',
  play: 'M8 5.5v13l10.5-6.5z',
  carabiner: 'M16.5 15.5v.5a4.5 4.5 0 0 1-9 0V8a4.5 4.5 0 0 1 9 0v.8m0 6.7-2.3-6.5',
};
const NO_WALLET_NEEDED = [
  'linkWallets',
  'manageWallets',
  'wallets',
  'pending',
  'resume',
  'transactionStatus',
  'refused',
  'profile',
  'whiteLabel',
];

const settings = await loadSettings();
const { connect } = (await import(/* @vite-ignore */ connectScript())) as { connect: Connect };
const log = new EventLog();
const person = settings.service ? await signedIn() : null;
if (person) connect.getAccessToken = getAccessToken;

/** The chains whose local network runs. */
const chains = CHAINS.filter(({ secretType }) => settings.chains[secretType]);
/** By wallet: the token id of its latest NFT ticket. */
const tickets = new Map<string, string>();

let [chain, scenario] = at(location.hash);
let wallets: Wallet[] = await connect.wallets();
/** The shop's own wallets on `shopChain`. */
let shopWallets: Wallet[] = [];
let shopChain: ChainScenarios | undefined;
let chosen: string | undefined;
let mounted: Mounted | undefined;

/** `#/ethereum/simple-transfer`; falls back to the first chain and scenario. */
function at(hash: string): [ChainScenarios, Scenario] {
  const [, name, id] = hash.split('/');
  const found = chains.find((each) => nameOf(each) === name) ?? chains[0]!;
  const scenarios = groupsOf(found, settings.service).flatMap((group) => group.scenarios);
  return [found, scenarios.find((each) => each.id === id) ?? scenarios[0]!];
}

function nameOf({ secretType }: ChainScenarios): string {
  return secretType.toLowerCase();
}

function ofChain(): Wallet[] {
  if (scenario.holder === 'shop') return shopWallets;
  return wallets.filter(({ secretType }) => secretType === chain.secretType);
}

function wallet(): Wallet | undefined {
  const own = ofChain();
  return own.find(({ id }) => id === chosen) ?? own[0];
}

function context(): Context {
  return {
    ...settings.chains[chain.secretType]!,
    ticket: tickets.get(wallet()?.id ?? ''),
    address: wallet()?.address,
  };
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
const chainSelect = h(
  'select',
  { class: 'input', 'aria-label': 'Chain', change: () => (location.hash = `#/${chainSelect.value}/`) },
  ...chains.map((each) => h('option', { value: nameOf(each) }, CHAIN_NAMES[each.secretType])),
);
const scenarioLinks = h('div', { class: 'demo-links' });
const filter = h('input', {
  type: 'search',
  class: 'input',
  'aria-label': 'Filter scenarios',
  placeholder: 'Filter',
  autocomplete: 'off',
  spellcheck: 'false',
  input: () => showLinks(),
});
const noMatch = h('p', { class: 'hint', role: 'status' });
const funds = fundsBar({
  log,
  got({ tokenId }) {
    mounted?.refresh?.();
    if (!tokenId) return;
    tickets.set(wallet()!.id, tokenId);
    if (!scenario.holder) show(scenario);
  },
  choose(id) {
    chosen = id;
    show(scenario);
  },
});

function showChain(): void {
  chainSelect.value = nameOf(chain);
  showLinks();
  funds.setChain(chain, settings.chains[chain.secretType]!);
  funds.setWallets(ofChain(), wallet()?.id);
}

/** Those of the chain that have every word of the filter in their group, title or hint. */
function showLinks(): void {
  const words = filter.value.toLowerCase().split(/\s+/);
  const groups = groupsOf(chain, settings.service).flatMap((group) => {
    const matching = group.scenarios.filter(({ title: name, hint: text }) => {
      const searched = `${group.title} ${name} ${text}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    });
    if (matching.length === 0) return [];
    const links = matching.map((each) => h('a', { href: `#/${nameOf(chain)}/${each.id}` }, each.title));
    return [h('div', {}, h('h2', {}, group.title), ...links)];
  });
  scenarioLinks.replaceChildren(...groups);
  noMatch.textContent = groups.length === 0 ? 'No scenario has these words.' : '';
  markCurrent();
}

function markCurrent(): void {
  for (const link of scenarioLinks.querySelectorAll('a')) {
    const isCurrent = link.getAttribute('href') === `#/${nameOf(chain)}/${scenario.id}`;
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
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
        h('h1', { class: 'strong' }, 'For testers'),
      ),
      h('a', { class: 'btn ghost', href: '/' }, 'Start page'),
      themeSwitch(),
      ...(settings.service
        ? [h('a', { class: 'btn secondary', href: '/shop' }, 'Shop'), signInControl(person)]
        : []),
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
      h(
        'nav',
        { class: 'demo-nav', 'aria-label': 'Scenarios' },
        ...(chains.length > 1 ? [chainSelect] : []),
        filter,
        noMatch,
        scenarioLinks,
      ),
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

// ── behaviour

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
  mounted =
    payload.action === 'whiteLabel'
      ? whiteLabelPanel({ payload, wallet: wallet(), log, made })
      : mount(connect, payload, wallet()?.id, log);
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

/** Selects the wallet that the shop has just created. */
function made({ id }: Wallet): void {
  chosen = id;
  void loadShopWallets();
}

async function loadShopWallets(): Promise<void> {
  const asked = chain;
  if (shopChain !== asked) shopWallets = [];
  shopChain = asked;
  try {
    const found = await shop.wallets(asked.secretType);
    if (chain !== asked) return;
    shopWallets = found;
  } catch (error) {
    log.add('rejected', `listWallets ${failure(error)}`, 'error');
  }
  if (scenario.holder === 'shop') show(scenario);
}

/** Must run within the user's click, until the element has opened its window. */
function run(): void {
  if (scenario.nodeDown) void funds.switchNode(true);
  if (scenario.trouble)
    makeTrouble(scenario.trouble).catch((error: unknown) => log.add('thorchain', failure(error), 'error'));
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
  if (next.holder === 'shop' && shopChain !== chain) void loadShopWallets();
  funds.setWallets(ofChain(), wallet()?.id);
  title.textContent = next.title;
  hint.textContent = next.hint;
  const payload = next.payload(context());
  editor.value = JSON.stringify(payload, null, 2);
  problem.textContent = '';
  editor.removeAttribute('aria-invalid');
  put(payload);
  markCurrent();
  scenarioLinks.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

addEventListener('hashchange', () => {
  const before = chain;
  [chain, scenario] = at(location.hash);
  if (chain !== before) showChain();
  show(scenario);
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
  funds.setWallets(ofChain(), wallet()?.id);
  // The mounted element belongs to the previous wallet.
  if (wallet()?.id !== before && mounted?.call !== 'link()' && mounted?.call !== 'manage()') show(scenario);
});

showChain();
applyTheme();
show(scenario);
log.add('ready', connectScript());
