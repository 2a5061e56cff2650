// @ts-check
/**
 * Forms on `/docs` that make the calls, from `/openapi.json`. Token and PINs are only ever in memory: in no storage, no URL, and not in the
 * curl command that is shown. Elements are built one by one, so that no text becomes markup; the page's policy enforces it.
 */

/** @import { OpenApi, Operation, Parameter } from './openapi.ts' */
/** @typedef {{ part: string, name: string, content: File | undefined }} Upload */
/**
 * @typedef {{
 *   method: string,
 *   url: string,
 *   headers: Record<string, string>,
 *   authorization: 'token' | 'client' | undefined,
 *   body: object | undefined,
 *   file: Upload | undefined,
 * }} Asked
 */
/** @typedef {[place: readonly string[], value: unknown]} Placed  A value and its place in a body. */

const JSON_TYPE = 'application/json';
/** Sent by the browser alone, or of a device that this page does not have. */
const NOT_HERE = new Set(['DPoP']);

/**
 * The application's access token.
 * @type {string | undefined}
 */
let token;

/** @type {Promise<OpenApi> | undefined} */
let reading;

/** Read once, when it is first needed. */
function openApi() {
  reading ??= fetch('/openapi.json').then((response) => response.json());
  return reading;
}

/**
 * `el('p', { id: 'x' }, 'text')`
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | undefined>} attributes
 * @param {(string | Node)[]} children
 */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * A labelled input. What is typed into it is remembered by no browser.
 * @param {string} id
 * @param {string} label
 * @param {Record<string, string | boolean | undefined>} attributes
 */
function field(id, label, attributes = {}) {
  const input = el('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes });
  return { input, row: el('p', { class: 'field' }, el('label', { for: id }, label), input) };
}

/**
 * Names of fields that the contract marks as secret.
 * @param {unknown} value
 * @param {Set<string>} found
 */
function secretNames(value, found = new Set()) {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null && inner.format === 'password') found.add(name);
    secretNames(inner, found);
  }
  return found;
}

/**
 * Places of the secrets in a body: `[['pincode'], ['card', 'securityCode']]`.
 * @param {unknown} body
 * @param {ReadonlySet<string>} secrets
 * @param {string[]} place
 * @returns {string[][]}
 */
function secretPlaces(body, secrets, place = []) {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const here = [...place, name];
    return secrets.has(name) && typeof value === 'string' ? [here] : secretPlaces(value, secrets, here);
  });
}

/**
 * A copy of the body with `values` at their places; an undefined one is left out.
 * @param {object} body
 * @param {readonly Placed[]} values
 */
function withValues(body, values) {
  const copy = structuredClone(body);
  for (const [place, value] of values) {
    const last = place[place.length - 1];
    let at = /** @type {Record<string, any>} */ (copy);
    for (const name of place.slice(0, -1)) at = at[name] ??= {};
    if (last === undefined) continue;
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return copy;
}

/**
 * For a shell.
 * @param {string} text
 */
function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The same request for a terminal. In place of each secret is its name.
 * @param {Asked} asked
 * @param {ReadonlySet<string>} secrets
 */
function curlOf({ method, url, headers, body, authorization, file }, secrets) {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`];
  if (authorization === 'token') lines.push('-H "Authorization: Bearer $TOKEN"');
  if (authorization === 'client') lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) {
    const hidden = secretPlaces(body, secrets).map(
      (place) => /** @type {Placed} */ ([place, `<${place.at(-1)}>`]),
    );
    lines.push(`-d ${quoted(JSON.stringify(withValues(body, hidden)))}`);
  }
  if (file) lines.push(`-F ${quoted(`${file.part}=@${file.name}`)}`);
  return lines.join(' \\\n  ');
}

class Form {
  /** @type {{ name: string, place: Parameter['in'], input: HTMLInputElement }[]} */
  parameters = [];
  /** @type {{ place: string[], input: HTMLInputElement }[]} */
  hidden = [];
  /** @type {HTMLTextAreaElement | undefined} */
  text;
  /** @type {{ part: string, input: HTMLInputElement } | undefined} */
  file;
  /** @type {{ id: HTMLInputElement, secret: HTMLInputElement } | undefined} */
  client;
  busy = false;

  /** @param {{ method: string, path: string, operation: Operation, secrets: ReadonlySet<string> }} call */
  constructor({ method, path, operation, secrets }) {
    this.method = method.toUpperCase();
    this.path = path;
    this.operation = operation;
    this.secrets = secrets;
    this.id = `try-${operation.operationId}`;
    /** @type {Asked['authorization']} */
    this.authorization =
      operation.security.length > 0
        ? operation.security.some(({ client }) => client)
          ? 'client'
          : 'token'
        : undefined;
    // Nothing that changes something is sent by the Enter key.
    this.button = el('button', { type: this.method === 'GET' ? 'submit' : 'button' }, `Send ${this.method}`);
    this.status = el('p', { role: 'status', class: 'outcome' });
    this.answer = el('div');
    this.curl = el('code');
    this.element = this.build();
    this.showCurl();
  }

  build() {
    const { parameters, requestBody } = this.operation;
    const rows = parameters.filter(({ name }) => !NOT_HERE.has(name)).map((one) => this.parameterRow(one));
    if (this.authorization === 'client') rows.push(...this.clientRows());
    const content = requestBody?.content ?? {};
    if (content[JSON_TYPE]) rows.push(...this.bodyRows(content[JSON_TYPE].example));
    const [part] = Object.keys(content['multipart/form-data']?.schema.properties ?? {});
    if (part) rows.push(this.fileRow(part));
    const form = el(
      'form',
      { 'aria-label': `Try ${this.method} ${this.path}` },
      ...rows,
      el('p', {}, this.button),
      el('p', { class: 'note' }, 'The same with curl:'),
      el('pre', { tabindex: '0', 'aria-label': 'The request as a curl command' }, this.curl),
      this.status,
      this.answer,
    );
    form.addEventListener('input', () => this.showCurl());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.method === 'GET') void this.send();
    });
    if (this.method !== 'GET') this.button.addEventListener('click', () => void this.send());
    return form;
  }

  /** @param {Parameter} parameter */
  parameterRow({ name, in: place, required, example }) {
    const isKey = name === 'Idempotency-Key';
    const { input, row } = field(`${this.id}-${name}`, `${name}${required ? '' : ' (optional)'}`, {
      required,
      placeholder: example,
      value: isKey ? crypto.randomUUID() : place === 'path' ? example : undefined,
    });
    if (required && !isKey && example) input.value = example;
    this.parameters.push({ name, place, input });
    return row;
  }

  clientRows() {
    const id = field(`${this.id}-client-id`, 'Client id', { required: true });
    const secret = field(`${this.id}-client-secret`, 'Client secret', { type: 'password', required: true });
    this.client = { id: id.input, secret: secret.input };
    return [id.row, secret.row];
  }

  /** @returns {Record<string, string>} */
  credentials() {
    if (this.authorization === 'token') return { Authorization: `Bearer ${token}` };
    if (!this.client) return {};
    const { id, secret } = this.client;
    const both = [id.value.trim(), secret.value].map(encodeURIComponent).join(':');
    return { Authorization: `Basic ${btoa(both)}` };
  }

  /** @param {unknown} example */
  bodyRows(example) {
    const whole = /** @type {object} */ (example ?? {});
    const places = secretPlaces(whole, this.secrets);
    const shown = withValues(
      whole,
      places.map((place) => [place, undefined]),
    );
    const text = JSON.stringify(shown, null, 2);
    const area = el('textarea', {
      id: `${this.id}-body`,
      rows: String(Math.min(text.split('\n').length + 1, 24)),
      spellcheck: 'false',
      autocomplete: 'off',
    });
    area.value = text;
    this.text = area;
    const inputs = places.map((place) => {
      const { input, row } = field(`${this.id}-${place.join('-')}`, place.join('.'), { type: 'password' });
      this.hidden.push({ place, input });
      return row;
    });
    return [
      el('p', { class: 'field' }, el('label', { for: `${this.id}-body` }, 'Body, as JSON'), area),
      ...inputs,
    ];
  }

  /** @param {string} part */
  fileRow(part) {
    const { input, row } = field(`${this.id}-file`, part, { type: 'file' });
    this.file = { part, input };
    return row;
  }

  /**
   * What is to be sent. Throws if the body is not JSON.
   * @returns {Asked}
   */
  request() {
    const inputs = this.parameters.filter(({ input }) => input.value !== '');
    const valueOf = (/** @type {string} */ name) =>
      inputs.find((one) => one.name === name)?.input.value ?? '';
    const path = this.path.replaceAll(/\{(\w+)\}/g, (_, /** @type {string} */ name) =>
      encodeURIComponent(valueOf(name)),
    );
    const query = new URLSearchParams(
      inputs.filter(({ place }) => place === 'query').map(({ name, input }) => [name, input.value]),
    );
    const headers = Object.fromEntries(
      inputs.filter(({ place }) => place === 'header').map(({ name, input }) => [name, input.value]),
    );
    const chosen = this.file?.input.files?.[0];
    return {
      method: this.method,
      url: `${location.origin}${path}${query.size ? `?${query}` : ''}`,
      headers: this.text ? { ...headers, 'Content-Type': JSON_TYPE } : headers,
      authorization: this.authorization,
      body: this.text
        ? withValues(
            JSON.parse(this.text.value || '{}'),
            this.hidden.flatMap(({ place, input }) =>
              input.value === '' ? [] : [/** @type {Placed} */ ([place, input.value])],
            ),
          )
        : undefined,
      file: this.file && { part: this.file.part, name: chosen?.name ?? 'icon.png', content: chosen },
    };
  }

  showCurl() {
    try {
      this.curl.textContent = curlOf(this.request(), this.secrets);
      this.text?.removeAttribute('aria-invalid');
    } catch {
      this.curl.textContent = 'The body is not JSON.';
      this.text?.setAttribute('aria-invalid', 'true');
    }
  }

  async send() {
    if (this.busy || !this.element.reportValidity()) return;
    this.answer.replaceChildren();
    let request;
    try {
      request = this.request();
    } catch {
      this.status.textContent = 'Not sent: the body is not JSON.';
      return;
    }
    if (request.authorization === 'token' && token === undefined) {
      this.status.textContent = 'Not sent: get a token first, at the top of this page.';
      return;
    }
    this.busy = true;
    this.button.setAttribute('aria-disabled', 'true');
    this.status.textContent = 'Sending …';
    const since = performance.now();
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: { ...request.headers, ...this.credentials() },
        body: bodyOf(request),
        cache: 'no-store',
        credentials: 'omit',
      });
      const text = await response.text();
      const took = Math.round(performance.now() - since);
      this.status.textContent = `${response.status} ${response.statusText} in ${took} ms`;
      this.showAnswer(response, text);
    } catch {
      this.status.textContent = 'There was no answer. The request may have taken effect.';
    } finally {
      this.busy = false;
      this.button.removeAttribute('aria-disabled');
    }
  }

  /**
   * @param {Response} response
   * @param {string} text
   */
  showAnswer(response, text) {
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    this.answer.replaceChildren(
      el('p', { class: 'note' }, 'Headers:'),
      el('pre', { tabindex: '0', 'aria-label': 'Headers of the answer' }, el('code', {}, headers)),
      el('p', { class: 'note' }, 'Body:'),
      el('pre', { tabindex: '0', 'aria-label': 'Body of the answer' }, el('code', {}, pretty(text))),
    );
  }
}

/** @param {Asked} asked */
function bodyOf({ body, file }) {
  if (!file) return body === undefined ? null : JSON.stringify(body);
  const form = new FormData();
  if (file.content) form.set(file.part, file.content);
  return form;
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * Where the token comes from: the client's id and secret, or one that is pasted.
 * @param {HTMLElement} section
 */
function tokenForm(section) {
  const id = field('try-client-id', 'Client id');
  const secret = field('try-client-secret', 'Client secret', { type: 'password' });
  const realm = field('try-realm', 'Realm', { value: 'main' });
  const pasted = field('try-token', 'Or an access token', { type: 'password' });
  const state = el('p', { role: 'status', class: 'outcome' }, 'No token.');
  /**
   * @param {string | undefined} value
   * @param {string} says
   */
  const use = (value, says) => {
    token = value;
    state.textContent = says;
    secret.input.value = '';
    pasted.input.value = '';
  };
  const forget = el('button', { type: 'button', id: 'try-forget' }, 'Forget it');
  const form = el(
    'form',
    { 'aria-label': 'Access token' },
    id.row,
    secret.row,
    realm.row,
    pasted.row,
    el('p', {}, el('button', { type: 'submit' }, 'Use it'), ' ', forget),
    state,
  );
  forget.addEventListener('click', () => use(undefined, 'No token.'));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (pasted.input.value) return use(pasted.input.value.trim(), 'The token is used for the calls below.');
    state.textContent = 'Asking for a token …';
    const path = `/auth/realms/${encodeURIComponent(realm.input.value)}/protocol/openid-connect/token`;
    const body = {
      grant_type: 'client_credentials',
      client_id: id.input.value.trim(),
      client_secret: secret.input.value,
    };
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': JSON_TYPE },
        body: JSON.stringify(body),
        credentials: 'omit',
      });
      const answer = await response.json();
      if (response.ok)
        use(answer.access_token, `A token for ${answer.scope}, for ${answer.expires_in / 60} minutes.`);
      else state.textContent = `No token: ${answer.error_description}`;
    } catch {
      state.textContent = 'No token: there was no answer.';
    }
  });
  section.append(form);
  section.hidden = false;
}

const calls = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('details[data-try]'));
for (const details of calls) {
  details.hidden = false;
  details.addEventListener(
    'toggle',
    async () => {
      const contract = await openApi();
      const { path = '', method = '' } = details.dataset;
      const operation = contract.paths[path]?.[method];
      if (operation)
        details.append(new Form({ method, path, operation, secrets: secretNames(contract) }).element);
    },
    { once: true },
  );
}
tokenForm(/** @type {HTMLElement} */ (document.querySelector('#try-it')));
